import { FORMAT_CHECKS } from "../../model/formats/format-checks.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { writeKey, writeLiteral, writeString } from "../../text/literal.js";
import {
  isReadOnce,
  joined,
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
import { SectionLines } from "./section-lines.js";
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
  /** Whether alternatives ask how many findings there are. */
  readonly #countsFindings: boolean;
  readonly #out: SectionLines;

  constructor(exportName: string, namesKeywordsOnly: boolean, countsFindings: boolean) {
    this.#exportName = exportName;
    this.#namesKeywordsOnly = namesKeywordsOnly;
    this.#countsFindings = countsFindings;
    this.#out = new SectionLines(exportName);
  }

  write(schema: JsonObject): Section {
    const name = this.#exportName;
    this.#check(schema, { code: "data", pointer: "instancePath", pointerEnd: "", uses: 0 });
    const text = [
      ...this.#out.constants,
      `export function ${name}(data, instancePath = "") {`,
      "  let vErrors = null;",
      ...(this.#countsFindings ? ["  let errors = 0;"] : []),
      ...this.#out.lines,
      `  ${name}.errors = vErrors;`,
      `  return ${this.#countsFindings ? "errors === 0" : "vErrors === null"};`,
      "}",
    ].join("\n");
    const { pieces, formats } = this.#out;
    return { text, pieces, formats };
  }

  #check(schema: JsonObject, place: Place): void {
    const types = typesIn(schema);
    const isLast = types.length === 1 && isCheckedLast(schema, types[0]);
    // AJV takes a number for each keyword that it might count the findings of.
    if (schema["type"] !== undefined) this.#out.variable("_errs");
    if (types.length > 0 && !isLast) {
      const { condition, uses } = wrongType(types, place.code);
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
      reportSeveral: (message) => this.#reportAs(place, keyword, `message:${message}`),
    });
  }

  #checkChoice(schema: JsonObject, place: Place): void {
    const { const: constant, enum: choices } = schema;
    if (constant !== undefined) {
      place.uses += 1;
      this.#out.block(`if (${scalar(constant)} !== ${place.code})`, () =>
        this.#report(place, "const", constant, `allowedValue: ${scalar(constant)}`),
      );
    }
    if (!Array.isArray(choices)) return;
    place.uses += choices.length;
    const isOne = joined(
      choices.map((choice) => `${place.code} === ${scalar(choice)}`),
      "||",
    );
    this.#out.block(`if (!(${isOne}))`, () => {
      const allowed = this.#namesKeywordsOnly
        ? ""
        : this.#out.constant("value", writeLiteral(choices));
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
    const isChecked = this.#out.block(`if (${condition})`, () => {
      for (const keyword of stated) this.#checkKeyword(keyword, type, schema, place);
    });
    if (isChecked || reportsType) place.uses += USES_OF_TYPE[type];
    if (!reportsType) return;
    const isElse = isChecked || hasIdleCode(type, schema);
    if (isElse && !isChecked) {
      this.#out.add(`if (${condition}) {`);
      this.#out.add("}");
    }
    const isWrong = type === "number" ? `!${condition}` : `!(${condition})`;
    this.#out.block(isElse ? "else" : `if (${isWrong})`, () =>
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
        this.#out.variable("_errs");
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
    const [measure, operator] = COMPARISONS[keyword] ?? [];
    if (measure !== undefined) {
      if (measure === "characters") this.#out.pieces.add("countCharacters");
      return `${MEASURES[measure](code)} ${operator} ${scalar(value)}`;
    }
    if (keyword === "multipleOf") {
      this.#out.pieces.add("isMultipleOf");
      return `!isMultipleOf(${code}, ${scalar(value)})`;
    }
    const expression = `new RegExp(${writeString(String(value))}, "u")`;
    const breaks = `!${this.#out.constant("pattern", expression)}.test(${code})`;
    const { maxLength } = schema;
    if (typeof maxLength !== "number") return breaks;
    place.uses += 1;
    return `${code}.length <= ${2 * maxLength} && ${breaks}`;
  }

  #format(format: string, type: TypeName, place: Place): void {
    const check = FORMAT_CHECKS.get(format);
    if (check === undefined || (check.kind === "number") !== (type === "number")) return;
    place.uses += 1;
    if (check.kind === "expression") this.#out.formats.add(format);
    else this.#out.pieces.add(check.check.name);
    const called =
      check.kind === "expression" ? `${formatConstant(format)}.test` : check.check.name;
    this.#out.block(`if (!(${called}(${place.code})))`, () =>
      this.#report(place, "format", format),
    );
  }

  #require(name: string, place: Place): void {
    place.uses += 2;
    const isOwn = `Object.hasOwn(${place.code}, ${writeString(name)})`;
    const isMissing = this.#namesKeywordsOnly
      ? `(${memberOf(place.code, name)} === undefined) || (!(${isOwn}))`
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
    if (!this.#countsFindings && isReadOnce(schema)) {
      this.#check(schema, { ...place, code: member });
      return;
    }
    const start = this.#out.lines.length;
    this.#out.variable("_errs");
    const returnToNames = this.#countsFindings ? this.#out.markNames() : undefined;
    this.#out.add(`let ${place.code} = ${member};`);
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
    const [length, index, item] = ["len", "i", "data"].map((kind) => this.#out.variable(kind));
    const start = this.#out.lines.length;
    // AJV has one for an item and one for all.
    for (let count = 0; count < 2; count += 1) this.#out.variable("valid");
    this.#out.add(`const ${length} = ${place.code}.length;`);
    const isChecked = this.#out.block(`for (let ${index}=0; ${index}<${length}; ${index}++)`, () =>
      this.#member(schema, `${place.code}[${index}]`, place, {
        ...pointerTo(place, String(index)),
        code: String(item),
        uses: 0,
      }),
    );
    if (isChecked) place.uses += 1;
    else this.#out.takeBack(start);
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
      else this.#out.block(`if (!(${this.#isNamed(names, key)}))`, check);
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
    return `Object.hasOwn(${this.#out.constant("keys", `{ ${members.join(", ")} }`)}, ${key})`;
  }

  #uniqueItems(place: Place): void {
    const duplicate = this.#out.variable("duplicate");
    place.uses += 1;
    this.#out.pieces.add("findDuplicate");
    this.#out.add(`const ${duplicate} = findDuplicate(${place.code});`);
    const message = `"must NOT have duplicate items (items ## "+${duplicate}.first+" and "+${duplicate}.repeated+" are identical)"`;
    this.#out.block(`if (${duplicate} !== undefined)`, () =>
      this.#reportAs(place, "uniqueItems", `message:${message}`),
    );
  }

  #report(place: Place, keyword: string, value: JsonValue = null, parameters?: string): void {
    const message = `message:${writeString(messageFor(keyword, value))}`;
    // Alternatives weigh which type a value should have had.
    const isWeighed = this.#countsFindings && keyword === "type";
    const said =
      parameters === undefined
        ? `${isWeighed ? 'keyword:"type",' : ""}${message}`
        : `keyword:${writeString(keyword)},params:{${parameters}},${message}`;
    this.#reportAs(place, keyword, said);
  }

  #reportAs(place: Place, keyword: string, said: string): void {
    this.#out.pieces.add("addIssue");
    const whole = wholePointer(place);
    const instancePath = whole === "instancePath" ? whole : `instancePath:${whole}`;
    const rest = this.#namesKeywordsOnly ? `keyword:${writeString(keyword)}` : said;
    this.#out.add(`vErrors = addIssue(vErrors, {${instancePath},${rest}});`);
    if (this.#countsFindings) this.#out.add("errors++;");
  }
}

function wholePointer({ pointer, pointerEnd }: Place): string {
  return pointerEnd === "" ? pointer : `${pointer}+${writeString(pointerEnd)}`;
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
