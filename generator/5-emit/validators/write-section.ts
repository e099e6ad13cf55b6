import type { ValueScopeName } from "ajv/dist/compile/codegen/scope.js";
import type { SourceCode, ValidateFunction } from "ajv/dist/types/index.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { writeKey, writeLiteral, writeString } from "../../text/literal.js";
import { writeBounded, writeRemembering } from "./bounded-run.js";
import type { CompiledSource } from "./compile-schema.js";
import { FORMAT_CHECKS } from "../../schema/formats/format-checks.js";
import type { Part } from "./keywords.js";
import { plainChecks } from "./plain-checks.js";
import { layOutCode, rewriteCode, type Reading } from "./rewrite-code.js";

/** The code of one exported validator. */
export interface Section {
  readonly text: string;
  /** Names of the runtime pieces and of the formats that it uses. */
  readonly pieces: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
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

/** AJV's own functions, by the code with which it would load them, and what stands in their place. */
const FUNCTIONS_OF_AJV: ReadonlyMap<string, string> = new Map([
  ['require("ajv/dist/runtime/ucs2length").default', "countCharacters"],
]);

/** Calls of the runtime pieces that AJV does not know of, outside strings. */
const WRITTEN_PIECE = new RegExp(
  String.raw`${STRING}|(?<![\w$.])((?:add|join|keep)Issues?|addKeyword|setAside|conclude|countCharacters|is(?:Record|Longer|Shorter))(?=\()`,
  "g",
);

const INSTANCE_PATH = new RegExp(
  String.raw`(?<text>${STRING})|(?<![\w$.])instancePath(?<sum> \+ )?`,
  "g",
);

/**
 * Writes a compiled validator as module-level code: a function of the exported name, and what it
 * needs under names that start with it, so that sections never meet and the change of one schema
 * changes one section.
 */
export function writeSection(
  exportName: string,
  compiled: CompiledSource,
  reading: Reading,
): Section {
  return new SectionWriter(exportName, compiled, reading).write();
}

/** The name of a format's regular expression in the generated module. */
export function formatConstant(format: string): string {
  return `format${format.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}

class SectionWriter {
  readonly #exportName: string;
  readonly #rootName: string;
  /** The name of what its functions keep while they check a value, where that is bounded. */
  readonly #run: string | undefined;
  /** Whether a reference leads to the function that is called with the whole value. */
  #isRootCalled = false;
  readonly #pieces = new Set<string>();
  readonly #formats = new Set<string>();
  /** Constants by their text, with their names. */
  readonly #constants = new Map<string, string>();
  /** The functions in the order in which they were met, with their new names. */
  readonly #functions = new Map<ValidateFunction, string>();

  constructor(
    exportName: string,
    { root, isBounded }: CompiledSource,
    private readonly reading: Reading,
  ) {
    this.#exportName = exportName;
    this.#rootName = isBounded ? `${exportName}$whole` : exportName;
    this.#run = isBounded ? `${exportName}$run` : undefined;
    this.#functions.set(root, this.#rootName);
  }

  write(): Section {
    const named: [name: string, code: string, evaluated: string][] = [];
    // A function can name further ones: the map grows while it is read.
    for (const [validate, name] of this.#functions)
      named.push([name, ...this.#named(validate, name)]);
    const functions = named.map((one) => this.#function(...one)).join("\n\n");
    const constants = [...this.#constants].map(([text, name]) => `const ${name} = ${text};`);
    const text = [...constants, this.#exported(functions)].join("\n");
    return { text, pieces: this.#pieces, formats: this.#formats };
  }

  /** The functions, of which the first is the whole validator, with what the module exports. */
  #exported(functions: string): string {
    if (this.#run === undefined) return `export ${functions}`;
    for (const piece of ["recall", "remember", "checkBounded"]) this.#pieces.add(piece);
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
    const plain = plainChecks(named, !this.reading.namesKeywordsOnly);
    const written = layOutCode(name === this.#rootName ? this.#atRoot(plain) : plain);
    for (const [, piece] of written.matchAll(WRITTEN_PIECE)) {
      if (piece !== undefined) this.#pieces.add(piece);
    }
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
        return this.#constant("value", writeLiteral(schemaValue(schema, values)));
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
        return this.#referredName((value.value?.ref as Part).validate as ValidateFunction);
      case "pattern":
        return this.#constant("pattern", this.#rename(codeOf(value), new Map())) + member;
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
      this.#functions.get(validate) ?? `${this.#exportName}$part${this.#functions.size - 1}`;
    this.#functions.set(validate, name);
    return name;
  }

  #formatName(format: string): string {
    const check = FORMAT_CHECKS.get(format);
    if (check === undefined) throw new Error(`AJV checks an unknown format: ${format}`);
    if (check.kind === "expression") {
      this.#formats.add(format);
      return formatConstant(format);
    }
    this.#pieces.add(check.check.name);
    return check.check.name;
  }

  #calledFunction(value: ValueScopeName, member: string): string {
    const ref = value.value?.ref as () => unknown;
    if (ref === Object.prototype.hasOwnProperty) return "Object.hasOwn";
    // What is neither AJV's nor a runtime piece is refused where the pieces are written.
    const piece = FUNCTIONS_OF_AJV.get(codeOf(value)) ?? ref.name;
    // Which characters are counted with, the bound of a length decides.
    if (piece !== "countCharacters") this.#pieces.add(piece);
    return piece + member;
  }

  /** An object whose keys are those of a schema's `properties`; nothing reads its values. */
  #keySet(properties: JsonValue): string {
    const keys = isJsonObject(properties) ? Object.keys(properties) : [];
    const members = keys.map((key) => `${writeKey(key)}: 0`);
    return this.#constant("keys", `{ ${members.join(", ")} }`);
  }

  #constant(kind: string, text: string): string {
    const name = this.#constants.get(text) ?? `${this.#exportName}$${kind}${this.#constants.size}`;
    this.#constants.set(text, name);
    return name;
  }
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
