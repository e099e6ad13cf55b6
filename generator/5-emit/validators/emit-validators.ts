import type { SharedSchemaModel } from "../../model/server-model.js";
import { INPUT_VALIDATOR, OUTPUT_VALIDATOR } from "../../model/type-names.js";
import type { PreparedSchema } from "../../schema/keywords/emission/prepare-schema.js";
import { ModuleCode } from "./module-code.js";
import { compileToSource } from "./schema-compiler.js";
import { byModule } from "./shared-functions.js";
import { SharedValidators, type SchemaDocument } from "./shared-validators.js";

/** A validator to be written. */
export interface ValidatorRequest extends SchemaDocument {
  /** An ASCII identifier that does not end with a digit, unique in its module. */
  readonly exportName: string;
  /** True if findings have no message, and of parameters the name of a missing property only: they go to a log. */
  readonly namesKeywordsOnly?: boolean;
}

/** The blocks of a module that depend on where its file is. */
export interface ModuleFrame {
  /** The first lines of the file: comments. The caller makes them safe. */
  readonly header: string;
  /** The specifier of modules that all validators share, with `*` in place of a module's name. */
  readonly sharedModules: string;
  /** The specifier of modules of shared schemas, in the same way. */
  readonly schemaModules?: string;
  /** True for TypeScript: the exported functions have types. */
  readonly isTyped?: boolean;
}

/** Writes modules of validators. Modules whose schemas differ only in annotations are compiled once. */
export class ValidatorEmitter {
  readonly #shared: SharedValidators;
  readonly #written = new Map<string, string>();
  /** The shared schemas whose functions are called, by the export that is called. */
  readonly #called: Readonly<Record<SharedExport, Set<string>>> = {
    [INPUT_VALIDATOR]: new Set(),
    [OUTPUT_VALIDATOR]: new Set(),
  };

  /** @param shared the manifest's schemas */
  constructor(shared: readonly SharedSchemaModel[] = []) {
    this.#shared = new SharedValidators(shared);
  }

  /**
   * The text of an ES module that exports one function for each request. It compiles nothing when it runs,
   * and imports only the shared modules and those of shared schemas.
   */
  module(requests: readonly ValidatorRequest[], frame: ModuleFrame): string {
    const exported = requests.map((request): ExportedFunction => {
      const prepared = this.#shared.prepare(request);
      for (const name of this.#shared.calledBy(prepared))
        this.#called[sharedExport(request)].add(name);
      return { ...request, prepared, hasUnions: prepared.hasUnions };
    });
    return this.#text(exported, frame);
  }

  /** The shared schemas whose modules all modules so far import, by name. */
  calledSchemas(): readonly CalledSchema[] {
    const names = [...new Set(Object.values(this.#called).flatMap((called) => [...called]))];
    return names.sort().map((name) => ({
      model: this.#shared.get(name).model,
      exported: SHARED_EXPORTS.filter((exportName) => this.#called[exportName].has(name)),
    }));
  }

  /** The modules of the shared schemas that all modules so far import, by the names of their files. */
  schemaModules(frame: ModuleFrame): [fileName: string, text: string][] {
    return this.calledSchemas().map(({ model, exported }) => {
      const { prepared } = this.#shared.get(model.name);
      const functions = exported.map((exportName): ExportedFunction => {
        const namesKeywordsOnly = exportName === OUTPUT_VALIDATOR;
        // They may be called by unions.
        return { exportName, prepared, namesKeywordsOnly, hasUnions: true, isCalled: true };
      });
      return [model.fileName, this.#text(functions, frame)];
    });
  }

  #text(exported: readonly ExportedFunction[], frame: ModuleFrame): string {
    const key = JSON.stringify([frame, ...exported.map(assertionsOf)]);
    const text = this.#written.get(key) ?? this.#write(exported, frame);
    this.#written.set(key, text);
    return text;
  }

  #write(exported: readonly ExportedFunction[], frame: ModuleFrame): string {
    const code = new ModuleCode();
    const type = frame.isTyped === true ? ": (data: unknown) => boolean" : "";
    const imports = new SchemaImports(this.#shared, frame);
    for (const { exportName, prepared, isCalled = false, ...options } of exported) {
      if (!/^[A-Za-z_](?:\w*[A-Za-z_])?$/.test(exportName)) {
        throw new Error(`${exportName} cannot be exported`);
      }
      const { namesKeywordsOnly = false, hasUnions } = options;
      const imported = (name: string): string => imports.add(name, sharedExport(options));
      const compiled = compileToSource(
        prepared,
        { namesKeywordsOnly, hasUnions },
        code.scope,
        imported,
      );
      const limits = this.#shared.limitsOf(prepared);
      if (isCalled) code.exportCalled(exportName, type, compiled, limits);
      else code.export(exportName, type, compiled, limits);
    }
    const ofRuntime = byModule(code.imports).map(([module, names]) =>
      importDeclaration(names, frame.sharedModules.replace("*", module)),
    );
    const declarations = [...ofRuntime, ...imports.declarations()];
    const blocks = [frame.header, ...(declarations.length > 0 ? [declarations.join("\n")] : [])];
    return `${[...blocks, code.text()].join("\n\n")}\n`;
  }
}

/** A function that a module exports. */
interface ExportedFunction {
  readonly exportName: string;
  readonly prepared: PreparedSchema;
  readonly namesKeywordsOnly?: boolean;
  /** True if findings say which types are wrong. */
  readonly hasUnions: boolean;
  /** True for the function of a shared schema, which the functions of other modules call. */
  readonly isCalled?: boolean;
}

/** A shared schema that has a module of validators. */
export interface CalledSchema {
  readonly model: SharedSchemaModel;
  /** The functions of the module. */
  readonly exported: readonly SharedExport[];
}

/** The exports of the module of a shared schema: findings are for the caller, or for the log. */
type SharedExport = typeof INPUT_VALIDATOR | typeof OUTPUT_VALIDATOR;
const SHARED_EXPORTS: readonly SharedExport[] = [INPUT_VALIDATOR, OUTPUT_VALIDATOR];

function sharedExport({ namesKeywordsOnly = false }: Pick<ValidatorRequest, "namesKeywordsOnly">) {
  return namesKeywordsOnly ? OUTPUT_VALIDATOR : INPUT_VALIDATOR;
}

/** The functions of shared schemas that a module imports. */
class SchemaImports {
  readonly #shared: SharedValidators;
  readonly #specifier: string;
  readonly #imported = new Map<
    string,
    { readonly fileName: string; readonly clauses: Set<string> }
  >();

  constructor(shared: SharedValidators, { schemaModules = "./*.js" }: ModuleFrame) {
    this.#shared = shared;
    this.#specifier = schemaModules;
  }

  /** Imports a function; returns its name in the module. */
  add(name: string, exportName: SharedExport): string {
    const { typeName, fileName } = this.#shared.get(name).model;
    const local = exportName === INPUT_VALIDATOR ? `validate${typeName}` : `check${typeName}`;
    const imported = this.#imported.get(name) ?? { fileName, clauses: new Set() };
    this.#imported.set(name, imported);
    imported.clauses.add(`${exportName} as ${local}`);
    return local;
  }

  declarations(): string[] {
    const sorted = [...this.#imported.values()].toSorted((left, right) =>
      left.fileName < right.fileName ? -1 : 1,
    );
    return sorted.map(({ fileName, clauses }) =>
      importDeclaration([...clauses].sort(), this.#specifier.replace("*", fileName)),
    );
  }
}

/** What decides about the code of a function. Functions with equal assertions have the same code. */
function assertionsOf({ prepared, ...options }: ExportedFunction): unknown {
  const { exportName, namesKeywordsOnly, isCalled } = options;
  const { dialect, schema, targets } = prepared;
  return [exportName, namesKeywordsOnly, isCalled, dialect, schema, [...targets]];
}

/** An import declaration, laid out as prettier does. */
function importDeclaration(names: readonly string[], specifier: string): string {
  const line = `import { ${names.join(", ")} } from "${specifier}";`;
  if (line.length <= 100) return line;
  return `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "${specifier}";`;
}
