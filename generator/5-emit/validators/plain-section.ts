import { FORMAT_CHECKS } from "../../schema/formats/format-checks.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { writeKey, writeLiteral, writeString } from "../../text/literal.js";
import {
  breaksBound,
  isNot,
  isReadOnce,
  memberOf,
  rightType,
  scalar,
  USES_OF_TYPE,
  wrongType,
} from "./plain-conditions.js";
import {
  allowsAll,
  hasAlternatives,
  isCheckedLast,
  messageFor,
  pointerSegment,
  GROUPED_KEYWORDS,
  TYPE_GROUPS,
  typesIn,
  type TypeName,
} from "./plain-schema.js";
import { NO_ISSUES, SectionLines } from "./section-lines.js";
import { writeUnion } from "./union-section.js";
import { formatConstant, type Section } from "./write-section.js";

/** Writes the validator of a writable schema, as `writeSection` does of what AJV makes of it. */
export function writePlainSection(
  exportName: string,
  schema: JsonObject,
  namesKeywordsOnly: boolean,
): Section {
  return new PlainSectionWriter(exportName, namesKeywordsOnly, hasAlternatives(schema)).write(
    schema,
  );
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

class PlainSectionWriter {
  readonly #exportName: string;
  readonly #namesKeywordsOnly: boolean;
  /** Whether alternatives ask what was found. */
  readonly #hasUnions: boolean;
  readonly #out: SectionLines;

  constructor(exportName: string, namesKeywordsOnly: boolean, hasUnions: boolean) {
    this.#exportName = exportName;
    this.#namesKeywordsOnly = namesKeywordsOnly;
    this.#hasUnions = hasUnions;
    this.#out = new SectionLines(exportName);
  }

  write(schema: JsonObject): Section {
    const name = this.#exportName;
    this.#check(schema, { code: "data", pointer: "", pointerEnd: "", uses: 0 });
    const text = [
      ...this.#out.constants,
      `export function ${name}(data) {`,
      `  ${NO_ISSUES}`,
      ...this.#out.lines,
      `  return ${this.#out.call("conclude", name, "issues")};`,
      "}",
    ].join("\n");
    const { pieces, formats } = this.#out;
    return { text, pieces, formats };
  }

  #check(schema: JsonObject, place: Place): void {
    const types = typesIn(schema);
    const isLast = types.length === 1 && isCheckedLast(schema, types[0]);
    // AJV takes a number for each keyword that it might count the findings of.
    if (schema["type"] !== undefined) this.#out.variable("before");
    if (types.length > 0 && !isLast) {
      const { condition, uses } = wrongType(types, place.code);
      if (condition.includes("isRecord(")) this.#out.pieces.add("isRecord");
      place.uses += uses;
      this.#out.block(`if (${condition})`, () => this.#report(place, "type", schema["type"]));
    }
    this.#checkChoice(schema, place);
    this.#checkUnion("anyOf", schema, place);
    this.#checkUnion("oneOf", schema, place);
    if (!Object.keys(schema).some((keyword) => GROUPED_KEYWORDS.has(keyword))) return;
    for (const group of TYPE_GROUPS) {
      this.#checkGroup(group, schema, place, isLast && group.type === types[0]);
    }
  }

  #checkUnion(keyword: "anyOf" | "oneOf", schema: JsonObject, place: Place): void {
    const alternatives = schema[keyword];
    if (alternatives === undefined) return;
    writeUnion(this.#out, {
      keyword,
      alternatives: alternatives as JsonObject[],
      pointer: wholePointer(place),
      check: (alternative) => this.#check(alternative, place),
      reportSeveral: (message) => this.#reportAs(place, keyword, message),
    });
  }

  #checkChoice(schema: JsonObject, place: Place): void {
    const { const: constant, enum: choices } = schema;
    if (constant !== undefined) {
      place.uses += 1;
      this.#out.block(`if (${place.code} !== ${scalar(constant)})`, () =>
        this.#report(place, "const", constant, `allowedValue: ${scalar(constant)}`),
      );
    }
    if (!Array.isArray(choices)) return;
    place.uses += 1;
    const allowed = this.#out.constant("value", writeLiteral(choices));
    this.#out.block(`if (!${allowed}.includes(${place.code}))`, () =>
      this.#report(place, "enum", choices, `allowedValues: ${allowed}`),
    );
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
    const checkStated = (): void => {
      for (const keyword of stated) this.#checkKeyword(keyword, type, schema, place);
    };
    const isChecked = this.#out.block(
      `if (${rightType(type, place.code)})`,
      checkStated,
      reportsType,
    );
    if (!isChecked && !reportsType) return;
    place.uses += USES_OF_TYPE[type];
    if (type === "object") this.#out.pieces.add("isRecord");
    if (!reportsType) return;
    this.#out.block(isChecked ? "else" : `if (${isNot(type, place.code)})`, () =>
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
        this.#properties(value as JsonObject, place);
        return;
      case "additionalProperties":
        this.#out.variable("before");
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
        this.#out.block(`if (${this.#isBroken(keyword, schema, place)})`, () =>
          this.#report(place, keyword, value),
        );
    }
  }

  /** The condition under which a value breaks a keyword. */
  #isBroken(keyword: string, schema: JsonObject, place: Place): string {
    const { code } = place;
    const value = schema[keyword] ?? null;
    const breaks = breaksBound(keyword, code, scalar(value));
    if (breaks !== undefined) {
      if (breaks.piece !== undefined) this.#out.pieces.add(breaks.piece);
      return breaks.condition;
    }
    const expression = `new RegExp(${writeString(String(value))}, "u")`;
    const fails = `!${this.#out.constant("pattern", expression)}.test(${code})`;
    const { maxLength } = schema;
    if (typeof maxLength !== "number") return fails;
    place.uses += 1;
    return `${code}.length <= ${2 * maxLength} && ${fails}`;
  }

  #format(format: string, type: TypeName, place: Place): void {
    const check = FORMAT_CHECKS.get(format);
    if (check === undefined || (check.kind === "number") !== (type === "number")) return;
    place.uses += 1;
    if (check.kind === "expression") this.#out.formats.add(format);
    else this.#out.pieces.add(check.check.name);
    const called =
      check.kind === "expression" ? `${formatConstant(format)}.test` : check.check.name;
    this.#out.block(`if (!${called}(${place.code}))`, () => this.#report(place, "format", format));
  }

  #require(name: string, place: Place): void {
    place.uses += 2;
    const isOwn = `Object.hasOwn(${place.code}, ${writeString(name)})`;
    const isMissing = this.#namesKeywordsOnly
      ? `${memberOf(place.code, name)} === undefined || !${isOwn}`
      : `!${isOwn}`;
    this.#out.block(`if (${isMissing})`, () => this.#report(place, "required", name));
  }

  #properties(properties: JsonObject, place: Place): void {
    let isFirst = true;
    for (const name of Object.keys(properties)) {
      const member = properties[name];
      if (!isChecking(member)) continue;
      if (isFirst) this.#out.variable("valid");
      isFirst = false;
      this.#property(name, member, place);
    }
  }

  #property(name: string, schema: JsonObject, place: Place): void {
    const variable = this.#out.variable("data");
    const isOwn = `Object.hasOwn(${place.code}, ${writeString(name)})`;
    const member = memberOf(place.code, name);
    // Of what handlers return, all is checked that can be read, but for what every object has.
    const isDefined =
      name in Object.prototype ? `${member} !== undefined && ${isOwn}` : `${member} !== undefined`;
    const pointerEnd = place.pointerEnd + pointerSegment(name);
    const isChecked = this.#out.block(`if (${this.#namesKeywordsOnly ? isDefined : isOwn})`, () =>
      this.#member(schema, member, place, { ...place, code: variable, pointerEnd, uses: 0 }),
    );
    if (isChecked) place.uses += 2;
  }

  /** Checks a member of a value: in a variable, unless that would be read once. */
  #member(schema: JsonObject, member: string, parent: Place, place: Place): void {
    if (!this.#hasUnions && isReadOnce(schema)) {
      this.#check(schema, { ...place, code: member });
      return;
    }
    const start = this.#out.lines.length;
    this.#out.variable("before");
    const returnToNames = this.#hasUnions ? this.#out.markNames() : undefined;
    this.#out.declare(`const ${place.code} = ${member};`);
    this.#check(schema, place);
    if (place.uses > 1) {
      parent.uses += 1;
      return;
    }
    this.#out.takeBack(start);
    if (place.uses === 0) return;
    returnToNames?.();
    this.#check(schema, { ...place, code: member });
  }

  #items(schema: JsonObject, place: Place): void {
    const [index, item] = ["i", "data"].map((kind) => this.#out.variable(kind));
    // AJV has one for an item and one for all.
    for (let count = 0; count < 2; count += 1) this.#out.variable("valid");
    const loop = `let ${index} = 0; ${index} < ${place.code}.length; ${index} += 1`;
    const isChecked = this.#out.block(`for (${loop})`, () =>
      this.#member(schema, `${place.code}[${index}]`, place, {
        ...pointerTo(place, String(index)),
        code: String(item),
        uses: 0,
      }),
    );
    if (isChecked) place.uses += 1;
  }

  #others(parent: JsonObject, schema: JsonValue, place: Place): void {
    const key = this.#out.variable("key");
    const names = Object.keys((parent["properties"] ?? {}) as JsonObject);
    const check = (): void => {
      if (!isJsonObject(schema)) {
        this.#report(place, "additionalProperties", schema, `additionalProperty: ${key}`);
        return;
      }
      this.#out.variable("valid");
      const segment = `${key}.replace(/~/g, "~0").replace(/\\//g, "~1")`;
      const code = this.#out.variable("data");
      const member = { ...pointerTo(place, segment), code, uses: 0 };
      this.#member(schema, `${place.code}[${key}]`, place, member);
    };
    const isChecked = this.#out.block(`for (const ${key} of Object.keys(${place.code}))`, () => {
      if (names.length === 0) check();
      else this.#out.block(`if (${this.#isOther(names, key)})`, check);
    });
    if (isChecked) place.uses += 1;
  }

  #isOther(names: readonly string[], key: string): string {
    if (names.length <= MOST_COMPARED) {
      return names.map((name) => `${key} !== ${writeString(name)}`).join(" && ");
    }
    const members = names.map((name) => `${writeKey(name)}: 0`);
    return `!Object.hasOwn(${this.#out.constant("keys", `{ ${members.join(", ")} }`)}, ${key})`;
  }

  #uniqueItems(place: Place): void {
    const duplicate = this.#out.variable("duplicate");
    place.uses += 1;
    this.#out.declare(`const ${duplicate} = ${this.#out.call("findDuplicate", place.code)};`);
    const message = `"must NOT have duplicate items (items ## " + ${duplicate}.first + " and " + ${duplicate}.repeated + " are identical)"`;
    this.#out.block(`if (${duplicate} !== undefined)`, () =>
      this.#reportAs(place, "uniqueItems", message),
    );
  }

  #report(place: Place, keyword: string, value: JsonValue = null, parameters?: string): void {
    const message = writeString(messageFor(keyword, value));
    const params = parameters === undefined ? "" : `, params: { ${parameters} }`;
    // Alternatives weigh which type a value should have had.
    const isRead = params !== "" || (this.#hasUnions && keyword === "type");
    const details = isRead ? `, { keyword: ${writeString(keyword)}${params} }` : "";
    this.#reportAs(place, keyword, message + details);
  }

  #reportAs(place: Place, keyword: string, said: string): void {
    const piece = this.#namesKeywordsOnly ? "addKeyword" : "addIssue";
    this.#out.pieces.add(piece);
    const rest = this.#namesKeywordsOnly ? writeString(keyword) : said;
    this.#out.add(`${piece}(issues, ${wholePointer(place)}, ${rest});`);
  }
}

/** The code for a JSON pointer. */
function wholePointer({ pointer, pointerEnd }: Place): string {
  if (pointer === "") return writeString(pointerEnd);
  return pointerEnd === "" ? pointer : `${pointer} + ${writeString(pointerEnd)}`;
}

function pointerTo(place: Place, segment: string): Omit<Place, "code" | "uses"> {
  const parent = wholePointer({ ...place, pointerEnd: `${place.pointerEnd}/` });
  return { pointer: `${parent} + ${segment}`, pointerEnd: "" };
}

function isChecking(schema: JsonValue | undefined): schema is JsonObject {
  return isJsonObject(schema) && !allowsAll(schema);
}
