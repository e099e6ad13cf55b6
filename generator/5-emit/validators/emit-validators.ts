import { onceForEach } from "../../model/once-for-each.js";
import type { JsonSchema } from "../../model/json.js";
import { compileToSource } from "./schema-compiler.js";
import { prepareSchema, type PreparedSchema } from "./prepare-schema.js";
import { SHARED_MODULES } from "./shared-modules.js";
import { writeCode, type ValidatorCode } from "./write-code.js";

/** A validator to be made. */
export interface ValidatorRequest {
  /** An ASCII identifier that does not end with a digit, unique in its module. */
  readonly exportName: string;
  /** In wire form: valid and self-contained. */
  readonly schema: JsonSchema;
  /** Whether its findings are only ever named by their keywords, as in a log. */
  readonly namesKeywordsOnly?: boolean;
}

/** Where a module of validators stands. */
export interface ModulePlace {
  /** What opens the file: comment lines, made safe by the caller. */
  readonly header: string;
  /** From the module to the folder of what validators share. */
  readonly shared: string;
}

/** Writes modules of validators. Schemas that differ in annotations only are compiled once for all of them. */
export class ValidatorEmitter {
  readonly #written = new Map<string, ValidatorCode>();

  /** An ES module that compiles nothing itself and imports nothing but what all validators share. */
  module(requests: readonly ValidatorRequest[], { header, shared }: ModulePlace): string {
    const codes = requests.map((request) => this.#code(request));
    const imports = writeImports(codes, shared);
    const texts = codes.map(({ text }) => text);
    const parts = [header, ...(imports === "" ? [] : [imports]), ...texts];
    return `${parts.join("\n\n")}\n`;
  }

  #code({ exportName, schema, namesKeywordsOnly = false }: ValidatorRequest): ValidatorCode {
    if (!/^[A-Za-z_](?:\w*[A-Za-z_])?$/.test(exportName)) {
      throw new Error(`${exportName} cannot be exported`);
    }
    const prepared = prepareSchema(schema);
    const key = JSON.stringify([exportName, namesKeywordsOnly, assertionsOf(prepared)]);
    const reading = { namesKeywordsOnly, hasUnions: prepared.hasUnions };
    const code =
      this.#written.get(key) ?? writeCode(exportName, compileToSource(prepared), reading);
    this.#written.set(key, code);
    return code;
  }
}

/** A text that is the same for all schemas that accept the same values in the same words. */
const assertionsOf = onceForEach(({ dialect, schema, targets }: PreparedSchema) =>
  JSON.stringify([dialect, schema, [...targets]]),
);

function writeImports(codes: readonly ValidatorCode[], folder: string): string {
  const used = new Set(codes.flatMap(({ imports }) => [...imports]));
  const modules = [...new Set(SHARED_MODULES.values())].sort();
  return modules
    .map((module) => [...used].filter((name) => SHARED_MODULES.get(name) === module).sort())
    .flatMap((names, index) =>
      names.length === 0 ? [] : [writeImport(names, `${folder}/${modules[index]}.js`)],
    )
    .join("\n");
}

/** An import as prettier lays it out. */
function writeImport(names: readonly string[], specifier: string): string {
  const line = `import { ${names.join(", ")} } from "${specifier}";`;
  if (line.length <= 100) return line;
  return `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "${specifier}";`;
}
