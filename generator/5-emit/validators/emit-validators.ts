import { onceForEach } from "../../model/once-for-each.js";
import type { JsonSchema } from "../../model/json.js";
import { compileToSource } from "./schema-compiler.js";
import { prepareSchema, type PreparedSchema } from "./prepare-schema.js";
import { SHARED_MODULES } from "./shared-modules.js";
import { writeCode, type ValidatorCode } from "./write-code.js";

/** A validator to be written. */
export interface ValidatorRequest {
  /** An ASCII identifier that does not end with a digit, unique in its module. */
  readonly exportName: string;
  /** Schema in wire form: valid, and with no references to other documents. */
  readonly schema: JsonSchema;
  /** True if findings give their place and keyword only, no message: they go to a log. */
  readonly namesKeywordsOnly?: boolean;
}

/** The blocks of a module that depend on where its file is. */
export interface ModuleFrame {
  /** The first lines of the file: comments. The caller makes them safe. */
  readonly header: string;
  /** The specifier of a shared module, by its name. */
  readonly sharedModule: (name: string) => string;
  /** True for TypeScript: the exported functions have types. */
  readonly isTyped?: boolean;
}

/** Writes modules of validators. Schemas that differ only in annotations are compiled once. */
export class ValidatorEmitter {
  readonly #written = new Map<string, ValidatorCode>();

  /**
   * The text of an ES module that exports one function for each request. It compiles nothing when it runs,
   * and imports only the shared modules.
   */
  module(
    requests: readonly ValidatorRequest[],
    { header, sharedModule, isTyped = false }: ModuleFrame,
  ): string {
    const codes = requests.map((request) => this.#code(request));
    const imports = writeImports(codes, sharedModule);
    const texts = codes.map(({ text }) => (isTyped ? withTypes(text) : text));
    const blocks = [header, ...(imports === "" ? [] : [imports]), ...texts];
    return `${blocks.join("\n\n")}\n`;
  }

  #code({ exportName, schema, namesKeywordsOnly = false }: ValidatorRequest): ValidatorCode {
    if (!/^[A-Za-z_](?:\w*[A-Za-z_])?$/.test(exportName)) {
      throw new Error(`${exportName} cannot be exported`);
    }
    const prepared = prepareSchema(schema);
    const key = JSON.stringify([exportName, namesKeywordsOnly, assertionsOf(prepared)]);
    const options = { namesKeywordsOnly, hasUnions: prepared.hasUnions };
    const code =
      this.#written.get(key) ?? writeCode(exportName, compileToSource(prepared), options);
    this.#written.set(key, code);
    return code;
  }
}

/** The assertions of a schema as text. Schemas with the same text can share one validator. */
const assertionsOf = onceForEach(({ dialect, schema, targets }: PreparedSchema) =>
  JSON.stringify([dialect, schema, [...targets]]),
);

function writeImports(
  codes: readonly ValidatorCode[],
  sharedModule: ModuleFrame["sharedModule"],
): string {
  const used = new Set(codes.flatMap(({ imports }) => [...imports]));
  const modules = [...new Set(SHARED_MODULES.values())].sort();
  return modules
    .map((module) => [...used].filter((name) => SHARED_MODULES.get(name) === module).sort())
    .flatMap((names, index) =>
      names.length === 0 ? [] : [writeImport(names, sharedModule(modules[index] ?? ""))],
    )
    .join("\n");
}

/** Adds the types of the exported functions, which are all that other modules see. */
function withTypes(text: string): string {
  return text.replace(
    /^export function (\w+)\(data(, instancePath = "")?\) \{$/gm,
    "export function $1(data: unknown$2): boolean {",
  );
}

/** An import declaration, laid out as prettier does. */
function writeImport(names: readonly string[], specifier: string): string {
  const line = `import { ${names.join(", ")} } from "${specifier}";`;
  if (line.length <= 100) return line;
  return `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "${specifier}";`;
}
