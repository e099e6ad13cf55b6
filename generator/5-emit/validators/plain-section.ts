import { FORMAT_CHECKS } from "../../model/formats/format-checks.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { writeKey, writeLiteral, writeString } from "../../text/literal.js";
import {
  joined,
  memberOf,
  rightType,
  scalar,
  USES_OF_TYPE,
  wrongType,
} from "./plain-conditions.js";
import {
  allowsAll,
  isCheckedLast,
  messageFor,
  pointerSegment,
  TYPE_GROUPS,
  typesIn,
  type TypeName,
} from "./plain-schema.js";
import { formatConstant, type Section } from "./write-section.js";

/** Writes the validator of a plain schema, as `writeSection` does of what AJV makes of it. */
export function writePlainSection(
  exportName: string,
  schema: JsonObject,
  namesKeywordsOnly: boolean,
): Section {
  return new PlainSectionWriter(exportName, namesKeywordsOnly).write(schema);
}

/** A value that is being checked. */
interface Place {
  /** The code for it: a variable, or where it is read. */
  readonly code: string;
  /** The code for its JSON pointer, up to the text that is known. */
  readonly pointer: string;
  /** The end of its JSON pointer. */
  readonly pointerEnd: string;
  /** How often AJV's code would name it: what it names once it does not keep in a variable. */
  uses: number;
}

/** AJV asks an object for more properties than these. */
const MOST_COMPARED = 8;

/** How a measure of a value is compared with a keyword's bound, where the value is wrong. */
const COMPARISONS: Readonly<Record<string, readonly [measure: Measure, operator: string]>> = {
  maximum: ["value", ">"],
  minimum: ["value", "<"],
  exclusiveMaximum: ["value", ">="],
  exclusiveMinimum: ["value", "<="],
  maxLength: ["characters", ">"],
  minLength: ["characters", "<"],
  maxItems: ["items", ">"],
  minItems: ["items", "<"],
  maxProperties: ["properties", ">"],
  minProperties: ["properties", "<"],
};

type Measure = keyof typeof MEASURES;

const MEASURES = {
  value: (code: string) => code,
  characters: (code: string) => `countCharacters(${code})`,
  items: (code: string) => `${code}.length`,
  properties: (code: string) => `Object.keys(${code}).length`,
} as const;

class PlainSectionWriter {
  readonly #exportName: string;
  readonly #namesKeywordsOnly: boolean;
  readonly #pieces = new Set<string>();
  readonly #formats = new Set<string>();
  /** Constants by their text, with their names. */
  readonly #constants = new Map<string, string>();
  /** How many variables of each kind there are. */
  readonly #variables = new Map<string, number>();
  readonly #lines: string[] = [];
  #indentation = "  ";

  constructor(exportName: string, namesKeywordsOnly: boolean) {
    this.#exportName = exportName;
    this.#namesKeywordsOnly = namesKeywordsOnly;
  }

  write(schema: JsonObject): Section {
    const name = this.#exportName;
    this.#check(schema, { code: "data", pointer: "instancePath", pointerEnd: "", uses: 0 });
    const constants = [...this.#constants].map(([text, known]) => `const ${known} = ${text};`);
    const text = [
      ...constants,
      `export function ${name}(data, instancePath = "") {`,
      "  let vErrors = null;",
      ...this.#lines,
      `  ${name}.errors = vErrors;`,
      "  return vErrors === null;",
      "}",
    ].join("\n");
    return { text, pieces: this.#pieces, formats: this.#formats };
  }

  #check(schema: JsonObject, place: Place): void {
    const types = typesIn(schema);
    const isLast = types.length === 1 && isCheckedLast(schema, types[0]);
    if (types.length > 0 && !isLast) {
      const { condition, uses } = wrongType(types, place.code);
      place.uses += uses;
      this.#block(`if (${condition})`, () => this.#report(place, "type", schema["type"]));
    }
    this.#checkChoice(schema, place);
    for (const group of TYPE_GROUPS) {
      this.#checkGroup(group, schema, place, isLast && group.type === types[0]);
    }
  }

  #checkChoice(schema: JsonObject, place: Place): void {
    const { const: constant, enum: choices } = schema;
    if (constant !== undefined) {
      place.uses += 1;
      this.#block(`if (${scalar(constant)} !== ${place.code})`, () =>
        this.#report(place, "const", constant, `allowedValue: ${scalar(constant)}`),
      );
    }
    if (!Array.isArray(choices)) return;
    place.uses += choices.length;
    const isOne = joined(
      choices.map((choice) => `${place.code} === ${scalar(choice)}`),
      "||",
    );
    this.#block(`if (!(${isOne}))`, () => {
      const allowed = this.#namesKeywordsOnly ? "" : this.#constant("value", writeLiteral(choices));
      this.#report(place, "enum", choices, `allowedValues: ${allowed}`);
    });
  }

  /** Checks the keywords of a type, where the value has it; `reportsType` where it must have it. */
  #checkGroup(
    { type, keywords }: (typeof TYPE_GROUPS)[number],
    schema: JsonObject,
    place: Place,
    reportsType: boolean,
  ): void {
    const stated = keywords.filter((keyword) => schema[keyword] !== undefined);
    if (stated.length === 0) return;
    const condition = rightType(type, place.code);
    const isChecked = this.#block(`if (${condition})`, () => {
      for (const keyword of stated) this.#checkKeyword(keyword, type, schema, place);
    });
    if (isChecked || reportsType) place.uses += USES_OF_TYPE[type];
    if (!reportsType) return;
    const isElse = isChecked || hasIdleCode(type, schema);
    if (isElse && !isChecked) {
      this.#line(`if (${condition}) {`);
      this.#line("}");
    }
    const isWrong = type === "number" ? `!${condition}` : `!(${condition})`;
    this.#block(isElse ? "else" : `if (${isWrong})`, () =>
      this.#report(place, "type", schema["type"]),
    );
  }

  #checkKeyword(keyword: string, type: TypeName, schema: JsonObject, place: Place): void {
    const value = schema[keyword] ?? null;
    switch (keyword) {
      case "required":
        for (const name of value as string[]) this.#require(name, place);
        return;
      case "properties":
        for (const [name, member] of Object.entries(value as JsonObject)) {
          if (isChecking(member)) this.#property(name, member, place);
        }
        return;
      case "additionalProperties":
        if (value === false || isChecking(value)) this.#others(schema, value, place);
        return;
      case "items":
        if (isChecking(value)) this.#items(value, place);
        return;
      case "uniqueItems":
        if (value === true) this.#uniqueItems(place);
        return;
      case "format":
        this.#format(String(value), type, place);
        return;
      default:
        place.uses += 1;
        this.#block(`if (${this.#isBroken(keyword, schema, place)})`, () =>
          this.#report(place, keyword, value),
        );
    }
  }

  /** The condition under which a value breaks a keyword. */
  #isBroken(keyword: string, schema: JsonObject, place: Place): string {
    const { code } = place;
    const value = schema[keyword] ?? null;
    const [measure, operator] = COMPARISONS[keyword] ?? [];
    if (measure !== undefined) {
      if (measure === "characters") this.#pieces.add("countCharacters");
      return `${MEASURES[measure](code)} ${operator} ${scalar(value)}`;
    }
    if (keyword === "multipleOf") {
      this.#pieces.add("isMultipleOf");
      return `!isMultipleOf(${code}, ${scalar(value)})`;
    }
    const expression = `new RegExp(${writeString(String(value))}, "u")`;
    const breaks = `!${this.#constant("pattern", expression)}.test(${code})`;
    const { maxLength } = schema;
    if (typeof maxLength !== "number") return breaks;
    place.uses += 1;
    return `${code}.length <= ${2 * maxLength} && ${breaks}`;
  }

  #format(format: string, type: TypeName, place: Place): void {
    const check = FORMAT_CHECKS.get(format);
    if (check === undefined || (check.kind === "number") !== (type === "number")) return;
    place.uses += 1;
    if (check.kind === "expression") this.#formats.add(format);
    else this.#pieces.add(check.check.name);
    const called =
      check.kind === "expression" ? `${formatConstant(format)}.test` : check.check.name;
    this.#block(`if (!(${called}(${place.code})))`, () => this.#report(place, "format", format));
  }

  #require(name: string, place: Place): void {
    place.uses += 2;
    const isOwn = `Object.hasOwn(${place.code}, ${writeString(name)})`;
    const isMissing = this.#namesKeywordsOnly
      ? `(${memberOf(place.code, name)} === undefined) || (!(${isOwn}))`
      : `!${isOwn}`;
    this.#block(`if (${isMissing})`, () => this.#report(place, "required", name));
  }

  #property(name: string, schema: JsonObject, place: Place): void {
    const variable = this.#variable("data");
    const isOwn = `Object.hasOwn(${place.code}, ${writeString(name)})`;
    const member = memberOf(place.code, name);
    // Of what handlers return, all is checked that can be read, but for what every object has.
    const isDefined =
      name in Object.prototype ? `${member} !== undefined && ${isOwn}` : `${member} !== undefined`;
    const pointerEnd = place.pointerEnd + pointerSegment(name);
    const isChecked = this.#block(`if (${this.#namesKeywordsOnly ? isDefined : isOwn})`, () =>
      this.#member(schema, member, place, { ...place, code: variable, pointerEnd, uses: 0 }),
    );
    if (isChecked) place.uses += 2;
  }

  /** Checks a member of a value: in a variable, unless that would be read once. */
  #member(schema: JsonObject, member: string, parent: Place, place: Place): void {
    const start = this.#lines.length;
    this.#line(`let ${place.code} = ${member};`);
    this.#check(schema, place);
    if (place.uses > 1) {
      parent.uses += 1;
      return;
    }
    this.#lines.length = start;
    if (place.uses === 1) this.#check(schema, { ...place, code: member });
  }

  #items(schema: JsonObject, place: Place): void {
    const [length, index, item] = ["len", "i", "data"].map((kind) => this.#variable(kind));
    const start = this.#lines.length;
    this.#line(`const ${length} = ${place.code}.length;`);
    const isChecked = this.#block(`for (let ${index}=0; ${index}<${length}; ${index}++)`, () =>
      this.#member(schema, `${place.code}[${index}]`, place, {
        ...pointerTo(place, String(index)),
        code: String(item),
        uses: 0,
      }),
    );
    if (isChecked) place.uses += 1;
    else this.#lines.length = start;
  }

  #others(parent: JsonObject, schema: JsonValue, place: Place): void {
    const key = this.#variable("key");
    const names = Object.keys((parent["properties"] ?? {}) as JsonObject);
    const check = (): void => {
      if (!isJsonObject(schema)) {
        this.#report(place, "additionalProperties", schema, `additionalProperty: ${key}`);
        return;
      }
      const segment = `${key}.replace(/~/g, "~0").replace(/\\//g, "~1")`;
      const code = this.#variable("data");
      const member = { ...pointerTo(place, segment), code, uses: 0 };
      this.#member(schema, `${place.code}[${key}]`, place, member);
    };
    const isChecked = this.#block(`for (const ${key} of Object.keys(${place.code}))`, () => {
      if (names.length === 0) check();
      else this.#block(`if (!(${this.#isNamed(names, key)}))`, check);
    });
    if (isChecked) place.uses += 1;
  }

  #isNamed(names: readonly string[], key: string): string {
    if (names.length <= MOST_COMPARED) {
      return joined(
        names.map((name) => `${key} === ${writeString(name)}`),
        "||",
      );
    }
    const members = names.map((name) => `${writeKey(name)}: 0`);
    return `Object.hasOwn(${this.#constant("keys", `{ ${members.join(", ")} }`)}, ${key})`;
  }

  #uniqueItems(place: Place): void {
    const duplicate = this.#variable("duplicate");
    place.uses += 1;
    this.#pieces.add("findDuplicate");
    this.#line(`const ${duplicate} = findDuplicate(${place.code});`);
    const message = `"must NOT have duplicate items (items ## "+${duplicate}.first+" and "+${duplicate}.repeated+" are identical)"`;
    this.#block(`if (${duplicate} !== undefined)`, () =>
      this.#reportAs(place, "uniqueItems", `message:${message}`),
    );
  }

  #report(place: Place, keyword: string, value: JsonValue = null, parameters?: string): void {
    const message = `message:${writeString(messageFor(keyword, value))}`;
    const said =
      parameters === undefined
        ? message
        : `keyword:${writeString(keyword)},params:{${parameters}},${message}`;
    this.#reportAs(place, keyword, said);
  }

  #reportAs({ pointer, pointerEnd }: Place, keyword: string, said: string): void {
    this.#pieces.add("addIssue");
    const whole = pointerEnd === "" ? pointer : `${pointer}+${writeString(pointerEnd)}`;
    const instancePath = whole === "instancePath" ? whole : `instancePath:${whole}`;
    const rest = this.#namesKeywordsOnly ? `keyword:${writeString(keyword)}` : said;
    this.#line(`vErrors = addIssue(vErrors, {${instancePath},${rest}});`);
  }

  /** Code between braces, unless there is none; whether there is. */
  #block(opening: string, write: () => void): boolean {
    const start = this.#lines.length;
    this.#line(`${opening} {`);
    const outside = this.#indentation;
    this.#indentation = `${outside}  `;
    write();
    this.#indentation = outside;
    const isEmpty = this.#lines.length === start + 1;
    if (isEmpty) this.#lines.length = start;
    else this.#line("}");
    return !isEmpty;
  }

  #line(text: string): void {
    this.#lines.push(this.#indentation + text);
  }

  #variable(kind: string): string {
    const index = this.#variables.get(kind) ?? 0;
    this.#variables.set(kind, index + 1);
    return kind + index;
  }

  #constant(kind: string, text: string): string {
    const name = this.#constants.get(text) ?? `${this.#exportName}$${kind}${this.#constants.size}`;
    this.#constants.set(text, name);
    return name;
  }
}

function pointerTo({ pointer, pointerEnd }: Place, segment: string): Omit<Place, "code" | "uses"> {
  return { pointer: `${pointer}+${writeString(`${pointerEnd}/`)} + ${segment}`, pointerEnd: "" };
}

function isChecking(schema: JsonValue | undefined): schema is JsonObject {
  return isJsonObject(schema) && !allowsAll(schema);
}

/** Whether AJV makes code for keywords of a type that it later finds to be of no use. */
function hasIdleCode(
  type: TypeName,
  { properties = {}, additionalProperties, items }: JsonObject,
): boolean {
  if (type === "array") return isChecking(items);
  if (type !== "object") return false;
  const members: readonly JsonValue[] = Object.values(properties as JsonObject);
  return additionalProperties !== undefined || members.some(isChecking);
}
