import type { ValueScopeName } from "ajv/dist/compile/codegen/scope.js";
import type { SourceCode, ValidateFunction } from "ajv/dist/types/index.js";
import { FORMAT_CHECKS } from "../../schema/formats/format-checks.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { writeKey, writeLiteral, writeString } from "../../text/literal.js";
import { boundedExport, memoizedFunction } from "./bounded-run.js";
import type { CalledSchema } from "./replaced-keywords.js";
import { layOut } from "./layout.js";
import { rewriteCode, type FindingOptions } from "./rewrite-code.js";
import type { CompiledSchema } from "./schema-compiler.js";
import { shortenChecks } from "./shorten-checks.js";
import { SHARED_MODULES } from "./shared-modules.js";

/** The code of one exported validator. */
export interface ValidatorCode {
  readonly text: string;
  /** Names of the functions of `templates/runtime/validators/` that it calls. */
  readonly imports: ReadonlySet<string>;
}

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const SCHEMA_VALUE = String.raw`schema\d+(?:\.[A-Za-z_$][\w$]*|\[(?:\d+|${STRING})\])*`;

/**
 * Tokens of AJV's code that are replaced: sums of strings, and names of values outside the function. A name
 * never follows a dot, since a property in a schema can have any name: `data.schema1`.
 */
const TOKEN = new RegExp(
  [
    String.raw`(?<text>${STRING}(?:\+${STRING})*)`,
    String.raw`(?<![\w$.])func\d+\.call\((?<keysOf>${SCHEMA_VALUE}),`,
    String.raw`(?<![\w$.])(?<schema>${SCHEMA_VALUE})`,
    String.raw`(?<![\w$.])(?<name>(?:validate|root|formats|func|pattern)\d+)(?<member>\.(?:validate|call)\b)?`,
  ].join("|"),
  "g",
);

type TokenGroups = Partial<Record<"text" | "keysOf" | "schema" | "name" | "member", string>>;

const SCHEMA_STEP = new RegExp(String.raw`^schema\d+|\.[\w$]+|\[(?:\d+|${STRING})\]`, "g");

/** Names outside strings that are called, or whose `test` is called. */
const USED_NAME = new RegExp(
  String.raw`${STRING}|(?<![\w$.])(?<name>[A-Za-z]\w*)(?=\(|\.test\()`,
  "g",
);

const INSTANCE_PATH = new RegExp(
  String.raw`(?<text>${STRING})|(?<![\w$.])instancePath(?<sum> ?\+ ?)?`,
  "g",
);

/**
 * Writes a compiled validator as module-level code: an exported function, and the functions and constants
 * that it needs. Their names start with the exported name and end with a number, so that the names of two
 * validators never clash.
 */
export function writeCode(
  exportName: string,
  compiled: CompiledSchema,
  options: FindingOptions,
): ValidatorCode {
  return new CodeWriter(exportName, compiled, options).write();
}

/** A function with the names of the generated module. */
interface RenamedFunction {
  readonly name: string;
  readonly code: string;
  /** The statement after the function that says what it evaluates, or an empty text. */
  readonly evaluated: string;
}

class CodeWriter {
  readonly #exportName: string;
  readonly #rootName: string;
  /** Name of the variable with remembered results; undefined if calls are not limited. */
  readonly #run: string | undefined;
  /** True if a reference leads to the root function. */
  #isRootCalled = false;
  /** Names of constants by the text of their value. */
  readonly #constants = new Map<string, string>();
  /** New names of the functions, in the order of their first use. */
  readonly #functions = new Map<ValidateFunction, string>();

  constructor(
    exportName: string,
    { root, isBounded }: CompiledSchema,
    private readonly options: FindingOptions,
  ) {
    this.#exportName = exportName;
    this.#rootName = isBounded ? `${exportName}Whole` : exportName;
    this.#run = isBounded ? `${exportName}Run` : undefined;
    this.#functions.set(root, this.#rootName);
  }

  write(): ValidatorCode {
    const renamed: RenamedFunction[] = [];
    // A function can call further ones: the map grows while this loop reads it.
    for (const [validate, name] of this.#functions) renamed.push(this.#renamed(validate, name));
    const functions = renamed.map((one) => this.#function(one)).join("\n\n");
    const constants = [...this.#constants].map(([text, name]) => `const ${name} = ${text};\n`);
    const exported = this.#exported(functions);
    const text = [...(constants.length > 0 ? [constants.join("")] : []), exported].join("\n");
    return { text, imports: importsOf(text) };
  }

  /** Adds the export to the functions, the first of which is the root function. */
  #exported(functions: string): string {
    if (this.#run === undefined) return `export ${functions}`;
    return `${boundedExport(this.#run, this.#exportName, this.#rootName)}\n\n${functions}`;
  }

  #renamed({ source }: ValidateFunction, name: string): RenamedFunction {
    if (source === undefined) throw new Error("AJV was not asked for source code");
    const { validateCode, evaluated } = source;
    const values = valuesOf(source);
    return {
      name,
      code: this.#rename(rewriteCode(validateCode, this.options), values),
      evaluated:
        evaluated === undefined
          ? ""
          : `\n${name}.evaluated = ${this.#rename(String(evaluated), values)};`,
    };
  }

  #function({ name, code, evaluated }: RenamedFunction): string {
    // Arguments of callers are parsed JSON. Values whose findings go to the log come from handlers.
    const isParsed = !this.options.namesKeywordsOnly;
    const short = shortenChecks(code, isParsed);
    const text = layOut(name === this.#rootName ? this.#atRoot(short) : short);
    return (this.#run === undefined ? text : memoizedFunction(this.#run, text)) + evaluated;
  }

  /** The root function gets the whole value, whose path is empty. Only a reference passes it a path. */
  #atRoot(code: string): string {
    const signature = "(data, instancePath){";
    if (this.#isRootCalled) return code.replace(signature, '(data, instancePath = ""){');
    return code
      .replace(signature, "(data){")
      .replace(
        INSTANCE_PATH,
        (_, text?: string, sum?: string) => text ?? (sum === undefined ? '""' : ""),
      );
  }

  /** Replaces AJV's names by names of the generated module, and writes every string in its safe form. */
  #rename(code: string, values: ReadonlyMap<string, ValueScopeName>): string {
    return code.replace(TOKEN, (token: string, ...rest: unknown[]) => {
      const { text, keysOf, schema, name, member = "" } = rest.at(-1) as TokenGroups;
      if (text !== undefined) return joinStrings(text);
      if (keysOf !== undefined) {
        return `Object.hasOwn(${this.#keySet(schemaValue(keysOf, values))},`;
      }
      if (schema !== undefined) {
        return this.#constant("Value", writeLiteral(schemaValue(schema, values)));
      }
      return this.#nameOf(valueOf(name ?? token, values), member);
    });
  }

  /** The name of a value in the generated module; `member` is the member that AJV reads of it. */
  #nameOf(value: ValueScopeName, member: string): string {
    switch (value.prefix) {
      case "validate":
        return this.#functionName(value.value?.ref as ValidateFunction) + member;
      case "root":
        return this.#referredName((value.value?.ref as CalledSchema).validate as ValidateFunction);
      case "pattern":
        return this.#constant("Pattern", this.#rename(codeOf(value), new Map())) + member;
      case "formats":
        return this.#formatName(String(value.value?.key));
      case "func":
        return this.#calledFunction(value, member);
      default:
        throw new Error(`AJV made a value of an unknown kind: ${value.prefix}`);
    }
  }

  #referredName(validate: ValidateFunction): string {
    const name = this.#functionName(validate);
    if (name === this.#rootName) this.#isRootCalled = true;
    return name;
  }

  #functionName(validate: ValidateFunction): string {
    const name =
      this.#functions.get(validate) ?? `${this.#exportName}Part${this.#functions.size - 1}`;
    this.#functions.set(validate, name);
    return name;
  }

  #formatName(format: string): string {
    const check = FORMAT_CHECKS.get(format);
    if (check === undefined) throw new Error(`AJV checks an unknown format: ${format}`);
    return check.exportName;
  }

  #calledFunction(value: ValueScopeName, member: string): string {
    if (value.value?.ref === Object.prototype.hasOwnProperty) return "Object.hasOwn";
    const name = codeOf(value);
    if (!SHARED_MODULES.has(name)) throw new Error(`AJV calls an unknown function: ${name}`);
    return name + member;
  }

  /** A constant object with the keys of a schema's `properties`. Nothing reads its values. */
  #keySet(properties: JsonValue): string {
    const keys = isJsonObject(properties) ? Object.keys(properties) : [];
    const members = keys.map((key) => `${writeKey(key)}: 0`);
    return this.#constant("Keys", `{ ${members.join(", ")} }`);
  }

  #constant(kind: string, text: string): string {
    const name = this.#constants.get(text) ?? `${this.#exportName}${kind}${this.#constants.size}`;
    this.#constants.set(text, name);
    return name;
  }
}

/** The names of shared functions and expressions that the code uses. */
function importsOf(code: string): ReadonlySet<string> {
  const names = [...code.matchAll(USED_NAME)].map(({ groups }) => groups?.["name"] ?? "");
  return new Set(names.filter((name) => SHARED_MODULES.has(name)));
}

/** The values outside a function that its code can refer to, by their names. */
function valuesOf(source: SourceCode): ReadonlyMap<string, ValueScopeName> {
  const sets = Object.values(source.scopeValues);
  const names = [source.validateName, ...sets.flatMap((set) => [...(set ?? [])])];
  return new Map(names.map((name) => [name.str, name]));
}

function valueOf(name: string, values: ReadonlyMap<string, ValueScopeName>): ValueScopeName {
  const value = values.get(name);
  if (value === undefined) throw new Error(`AJV names a value that it did not make: ${name}`);
  return value;
}

const codeOf = (value: ValueScopeName): string => String(value.value?.code);

/** The value of an expression such as `schema0.properties["a b"].enum[1]`. */
function schemaValue(path: string, values: ReadonlyMap<string, ValueScopeName>): JsonValue {
  const [name = "", ...steps] = path.match(SCHEMA_STEP) ?? [];
  let value = valueOf(name, values).value?.ref as JsonValue;
  for (const step of steps) {
    const key = step.startsWith("[")
      ? (JSON.parse(step.slice(1, -1)) as string | number)
      : step.slice(1);
    value = (value as JsonObject)[key] as JsonValue;
  }
  return value;
}

/** A sum of string literals as one literal. */
function joinStrings(sum: string): string {
  const parts = sum.match(new RegExp(STRING, "g")) ?? [];
  return writeString(parts.map((part) => JSON.parse(part) as string).join(""));
}
