import type { ValidateFunction } from "ajv";
import { ValueScope, type ValueScopeName } from "ajv/dist/compile/codegen/scope.js";
import { IMPORTED, type CalledSchema } from "../../schema/keywords/emission/reference.js";
import { escapeUnsafe } from "../../text/literal.js";

/** What AJV's code refers to outside of a function, by the prefixes of its names. */
const SCOPE_PREFIXES = `validate schema pattern func names values called shared ${IMPORTED}`.split(
  " ",
);

/** What the module imports, and the whole schema, which no keyword reads. */
const UNDECLARED: ReadonlySet<string> = new Set(["shared", IMPORTED, "schema"]);

/** What keeps the work of a function within limits. */
export interface CallLimits {
  /** True if its calls are counted, since functions call themselves or are too many. */
  readonly countsCalls: boolean;
  /** True if a check is ended when its calls, or texts that are slow to match, become too many. */
  readonly isBounded: boolean;
}

/** The code of the validators of one module, as AJV writes it. Their names are those of one scope. */
export class ModuleCode {
  readonly scope = new ValueScope({ scope: {}, prefixes: new Set(SCOPE_PREFIXES), lines: true });
  /** The functions of `templates/runtime/validators/` that the code calls. */
  readonly imports = new Set<string>();
  readonly #constants = new Map<string, string>();
  readonly #exports: string[] = [];
  readonly #functions = new Map<ValidateFunction, string>();

  /**
   * Adds an exported validator.
   * @param type of the exported function; empty in JavaScript
   */
  export(exportName: string, type: string, root: ValidateFunction, limits: CallLimits): void {
    const name = this.#function(root, limits.countsCalls);
    const validator = limits.isBounded ? this.#call("bounded", name) : name;
    this.#exports.push(`export const ${exportName}${type} = ${validator};`);
  }

  /** Adds an exported function that validators of other modules call, as `export` does. */
  exportCalled(exportName: string, type: string, root: ValidateFunction, limits: CallLimits): void {
    const called = this.#called(this.#function(root, limits.countsCalls), limits.countsCalls);
    this.#exports.push(`export const ${exportName}${type} = ${called};`);
  }

  /** The text of constants, exports and functions. */
  text(): string {
    const constants = [...this.#constants].map(([name, code]) => `const ${name} = ${code};`);
    const declarations = [...constants, ...this.#exports].join("\n");
    const text = [declarations, ...this.#functions.values()].join("\n\n");
    return text.split("\n").map(escapeUnsafe).join("\n");
  }

  /** Adds a function and all that it refers to; returns its name. */
  #function(validate: ValidateFunction, countsCalls: boolean): string {
    const { source } = validate;
    if (source === undefined) throw new Error("AJV was not asked for source code");
    const { validateName, validateCode, scopeValues, evaluated } = source;
    if (this.#functions.has(validate)) return validateName.str;
    const record =
      evaluated === undefined ? "" : `\n${validateName.str}.evaluated = ${String(evaluated)};`;
    this.#functions.set(validate, indented(validateCode) + record);
    for (const values of Object.values(scopeValues)) {
      for (const value of values ?? []) this.#value(value, countsCalls);
    }
    return validateName.str;
  }

  #value({ str: name, prefix, value }: ValueScopeName, countsCalls: boolean): void {
    if (prefix === "shared") this.imports.add(String(value?.code));
    if (UNDECLARED.has(prefix) || this.#constants.has(name)) return;
    if (prefix !== "called") {
      this.#constants.set(name, String(value?.code));
      return;
    }
    const validate = (value?.ref as CalledSchema).validate as ValidateFunction;
    const called = validate.source?.validateName.str ?? "";
    this.#constants.set(name, this.#called(called, countsCalls));
    this.#function(validate, countsCalls);
  }

  #called(name: string, countsCalls: boolean): string {
    return this.#call(countsCalls ? "recalled" : "called", name);
  }

  #call(name: string, argument: string): string {
    this.imports.add(name);
    return `${name}(${argument})`;
  }
}

/** Indents AJV's code, of which each line is a statement, the start of a block or the end of one. */
function indented(code: string): string {
  let depth = 0;
  return code
    .trim()
    .split("\n")
    .map((line) => {
      if (line.startsWith("}")) depth -= 1;
      const text = "  ".repeat(depth) + line;
      if (line.endsWith("{")) depth += 1;
      return text;
    })
    .join("\n");
}
