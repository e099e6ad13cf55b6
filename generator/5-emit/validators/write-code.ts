import type { ValueScopeName } from "ajv/dist/compile/codegen/scope.js";
import type { SourceCode, ValidateFunction } from "ajv/dist/types/index.js";
import { FORMAT_CHECKS } from "../../schema/formats/format-checks.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { writeKey, writeLiteral, writeString } from "../../text/literal.js";
import { writeBounded, writeRemembering } from "./bounded-run.js";
import type { CalledSchema } from "./keywords.js";
import { layOut } from "./layout.js";
import { rewriteCode, type Reading } from "./rewrite-code.js";
import type { CompiledSchema } from "./schema-compiler.js";
import { shortenChecks } from "./short-checks.js";
import { SHARED_MODULES } from "./shared-modules.js";

/** The code of one exported validator. */
export interface ValidatorCode {
  readonly text: string;
  /** The names that it uses of `templates/validators/`. */
  readonly imports: ReadonlySet<string>;
}

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const SCHEMA_VALUE = String.raw`schema\d+(?:\.[A-Za-z_$][\w$]*|\[(?:\d+|${STRING})\])*`;

/**
 * In AJV's code: sums of strings, and the names of values that stand outside its functions. The
 * names follow no dot, since a schema's property can have any name: `data.schema1`.
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

/** Names that are called or tested, outside strings. */
const USED_NAME = new RegExp(
  String.raw`${STRING}|(?<![\w$.])(?<name>[A-Za-z]\w*)(?=\(|\.test\()`,
  "g",
);

const INSTANCE_PATH = new RegExp(
  String.raw`(?<text>${STRING})|(?<![\w$.])instancePath(?<sum> ?\+ ?)?`,
  "g",
);

/**
 * Writes a compiled validator as module-level code: a function of the exported name, and what it
 * needs under names that start with it and end with a number, so that two validators never meet.
 */
export function writeCode(
  exportName: string,
  compiled: CompiledSchema,
  reading: Reading,
): ValidatorCode {
  return new CodeWriter(exportName, compiled, reading).write();
}

class CodeWriter {
  readonly #exportName: string;
  readonly #rootName: string;
  /** The name of what its functions keep while they check a value, where that is bounded. */
  readonly #run: string | undefined;
  /** Whether a reference leads to the function that is called with the whole value. */
  #isRootCalled = false;
  /** Constants by their text, with their names. */
  readonly #constants = new Map<string, string>();
  /** The functions in the order in which they were met, with their new names. */
  readonly #functions = new Map<ValidateFunction, string>();

  constructor(
    exportName: string,
    { root, isBounded }: CompiledSchema,
    private readonly reading: Reading,
  ) {
    this.#exportName = exportName;
    this.#rootName = isBounded ? `${exportName}Whole` : exportName;
    this.#run = isBounded ? `${exportName}Run` : undefined;
    this.#functions.set(root, this.#rootName);
  }

  write(): ValidatorCode {
    const named: [name: string, code: string, evaluated: string][] = [];
    // A function can name further ones: the map grows while it is read.
    for (const [validate, name] of this.#functions)
      named.push([name, ...this.#named(validate, name)]);
    const functions = named.map((one) => this.#function(...one)).join("\n\n");
    const constants = [...this.#constants].map(([text, name]) => `const ${name} = ${text};\n`);
    const exported = this.#exported(functions);
    const text = [...(constants.length > 0 ? [constants.join("")] : []), exported].join("\n");
    return { text, imports: importsOf(text) };
  }

  /** The functions, of which the first is the whole validator, with what the module exports. */
  #exported(functions: string): string {
    if (this.#run === undefined) return `export ${functions}`;
    return `${writeBounded(this.#run, this.#exportName, this.#rootName)}\n\n${functions}`;
  }

  /** The code of a function with the names of the generated module, and what follows it there. */
  #named({ source }: ValidateFunction, name: string): [code: string, evaluated: string] {
    if (source === undefined) throw new Error("AJV was not asked for source code");
    const { validateCode, evaluated } = source;
    const values = valuesOf(source);
    return [
      this.#rename(rewriteCode(validateCode, this.reading), values),
      evaluated === undefined
        ? ""
        : `\n${name}.evaluated = ${this.#rename(String(evaluated), values)};`,
    ];
  }

  #function(name: string, named: string, evaluated: string): string {
    // What callers give was parsed; what is only ever named in a log comes from handlers.
    const short = shortenChecks(named, !this.reading.namesKeywordsOnly);
    const written = layOut(name === this.#rootName ? this.#atRoot(short) : short);
    const text = this.#run === undefined ? written : writeRemembering(this.#run, written);
    return text + evaluated;
  }

  /** The function that is given the whole value, and so not where it is, unless others call it too. */
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

  /** Gives every value its name in the generated module, and every string its safe form. */
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

  /** What a value is called; `member` is the member that AJV reads of it. */
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

  /** An object whose keys are those of a schema's `properties`; nothing reads its values. */
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

/** The names of shared functions and expressions in some code. */
function importsOf(code: string): ReadonlySet<string> {
  const names = [...code.matchAll(USED_NAME)].map(({ groups }) => groups?.["name"] ?? "");
  return new Set(names.filter((name) => SHARED_MODULES.has(name)));
}

/** The values outside a function that its code can name. */
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

/** What `schema0.properties["a b"].enum[1]` stands for. */
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

/** One literal for a sum of string literals. */
function joinStrings(sum: string): string {
  const parts = sum.match(new RegExp(STRING, "g")) ?? [];
  return writeString(parts.map((part) => JSON.parse(part) as string).join(""));
}
