import { readFileSync } from "node:fs";
import handlebars from "handlebars";
import { templateFile, templateOptions } from "../5-emit/project/compile-template.js";
import { TEMPLATE_NAMES, templateHelpers } from "../5-emit/project/templates.js";
import { StructureKind } from "../text/structure-kinds.js";

/** What compiles schemas with AJV, the same. */
export const AJV_FILE = "./ajv.cjs";

/** Modules whose results are known when mcpwright is packed, by the ends of their paths: their code then. */
export async function preparedModules(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ["project/compile-template.js", templatesModule()],
    ["text/structure-kinds.js", kindsModule()],
    ["validators/ajv-compiler.js", compilerModule()],
  ]);
}

function templatesModule(): string {
  const options = templateOptions(templateHelpers);
  const compiled = TEMPLATE_NAMES.map((name) => {
    const code = handlebars.precompile(readFileSync(templateFile(name), "utf8"), options);
    return `${JSON.stringify(name)}: ${String(code)}`;
  });
  return `import handlebars from "handlebars/runtime";
const templates = { ${compiled.join(",\n")} };
export async function compileTemplate(name, helpers) {
  const engine = handlebars.create();
  engine.registerHelper(helpers);
  return engine.template(templates[name]);
}`;
}

function compilerModule(): string {
  return `let compiler;
const loaded = () => (compiler ??= require(${JSON.stringify(AJV_FILE)}));
export const compileToSource = (prepared) => loaded().compileToSource(prepared);`;
}

function kindsModule(): string {
  return `export const StructureKind = ${JSON.stringify(StructureKind)};`;
}
