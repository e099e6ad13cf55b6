import { onceForEach } from "../../model/once-for-each.js";
import type { JsonSchema } from "../../model/json.js";
import { ModuleCode } from "./module-code.js";
import {
  prepareSchema,
  type PreparedSchema,
} from "../../schema/keywords/emission/prepare-schema.js";
import { compileToSource } from "./schema-compiler.js";
import { byModule } from "./shared-functions.js";

/** A validator to be written. */
export interface ValidatorRequest {
  /** An ASCII identifier that does not end with a digit, unique in its module. */
  readonly exportName: string;
  /** Schema in wire form: valid, and with no references to other documents. */
  readonly schema: JsonSchema;
  /** True if findings have no message, and of parameters the name of a missing property only: they go to a log. */
  readonly namesKeywordsOnly?: boolean;
}

/** The blocks of a module that depend on where its file is. */
export interface ModuleFrame {
  /** The first lines of the file: comments. The caller makes them safe. */
  readonly header: string;
  /** The specifier of modules that all validators share, with `*` in place of a module's name. */
  readonly sharedModules: string;
  /** True for TypeScript: the exported functions have types. */
  readonly isTyped?: boolean;
}

/** Writes modules of validators. Modules whose schemas differ only in annotations are compiled once. */
export class ValidatorEmitter {
  readonly #written = new Map<string, string>();

  /**
   * The text of an ES module that exports one function for each request. It compiles nothing when it runs,
   * and imports only the shared modules.
   */
  module(requests: readonly ValidatorRequest[], frame: ModuleFrame): string {
    const key = JSON.stringify([frame, ...requests.map(assertionsOf)]);
    const text = this.#written.get(key) ?? writeModule(requests, frame);
    this.#written.set(key, text);
    return text;
  }
}

function writeModule(
  requests: readonly ValidatorRequest[],
  { header, sharedModules, isTyped = false }: ModuleFrame,
): string {
  const code = new ModuleCode();
  for (const { exportName, schema, namesKeywordsOnly = false } of requests) {
    if (!/^[A-Za-z_](?:\w*[A-Za-z_])?$/.test(exportName)) {
      throw new Error(`${exportName} cannot be exported`);
    }
    const prepared = preparedSchema(schema);
    const options = { namesKeywordsOnly, hasUnions: prepared.hasUnions };
    const compiled = compileToSource(prepared, options, code.scope);
    code.export(exportName, isTyped ? ": (data: unknown) => boolean" : "", compiled);
  }
  const imports = byModule(code.imports).map(([module, names]) =>
    importDeclaration(names, sharedModules.replace("*", module)),
  );
  const blocks = [header, ...(imports.length > 0 ? [imports.join("\n")] : []), code.text()];
  return `${blocks.join("\n\n")}\n`;
}

/** What decides about the code of a validator. Validators with equal assertions have the same code. */
function assertionsOf({ exportName, schema, namesKeywordsOnly }: ValidatorRequest): unknown {
  const { dialect, schema: assertions, targets } = preparedSchema(schema);
  return [exportName, namesKeywordsOnly, dialect, assertions, [...targets]];
}

function preparedSchema(schema: JsonSchema): PreparedSchema {
  return typeof schema === "boolean" ? prepareSchema(schema) : preparedObject(schema);
}

const preparedObject = onceForEach((schema: object) => prepareSchema(schema as JsonSchema));

/** An import declaration, laid out as prettier does. */
function importDeclaration(names: readonly string[], specifier: string): string {
  const line = `import { ${names.join(", ")} } from "${specifier}";`;
  if (line.length <= 100) return line;
  return `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "${specifier}";`;
}
