import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonValue } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { randomNumbers } from "../../testing/random-numbers.js";
import { RandomSchemas } from "../../testing/random-schemas.js";
import { checkSchemas } from "./check-schemas.js";
import { isPlainlyFaultless } from "./plain-schemas.js";

const ROUNDS = 6_000;

/** A manifest without text; the file of a place says the path. */
function manifestOf(inputSchema: JsonObject, outputSchema: JsonObject): LoadedManifest {
  const place = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  const value = { schemas: {}, tools: [{ inputSchema, outputSchema }] };
  return { file: "", text: "", value, locate: (path) => ({ file: path.join("/"), ...place }) };
}

/** Checks two schemas with and without the quick look, and counts in how many it sees that nothing is wrong. */
function plainAmong(inputSchema: JsonObject, outputSchema: JsonObject): number {
  const manifest = manifestOf(inputSchema, outputSchema);
  let count = 0;
  const found = checkSchemas(manifest, (document) => {
    const isPlain = isPlainlyFaultless(document);
    if (isPlain) count += 1;
    return isPlain;
  });
  const whole = checkSchemas(manifest, () => false);
  assert.equal(found, whole, JSON.stringify(manifest.value));
  return count;
}

/** Makes schemas of the keywords that the quick look knows, mostly as they should be. */
class NearlyPlain {
  constructor(private readonly below: (limit: number) => number) {}

  schema(depth: number, type: JsonValue = this.type(depth)): JsonObject {
    const schema: JsonObject = { type };
    const kinds = [type].flat();
    if (this.chance(70)) schema["description"] = this.pick(["What it is", "Other", " "]);
    if (kinds.includes("object")) this.addProperties(schema, depth);
    if (kinds.includes("array") && this.chance(80)) schema["items"] = this.schema(depth - 1);
    if (kinds.includes("string") && this.chance(20)) schema["enum"] = this.names();
    if (kinds.some((kind) => kind === "integer" || kind === "number")) this.addRange(schema);
    if (kinds.includes("string")) this.addCounts(schema, "Length");
    if (kinds.includes("array")) this.addCounts(schema, "Items");
    if (this.chance(15)) schema["default"] = this.value();
    if (this.chance(5))
      schema["format"] = this.pick(["date", "uri", "int32", "password", "colour"]);
    if (this.chance(5)) schema["anyOf"] = [this.schema(depth - 1), this.schema(depth - 1)];
    if (this.chance(2)) delete schema["type"];
    if (this.chance(4)) schema[this.pick(KEYWORDS)] = this.value();
    return schema;
  }

  private type(depth: number): JsonValue {
    const flat = ["string", "integer", "number", "boolean", ["string", "null"]];
    return this.pick(
      depth <= 0 ? flat : [...flat, "object", "object", "array", ["array", "object"]],
    );
  }

  private addProperties(schema: JsonObject, depth: number): void {
    const names = NAMES.filter(() => this.chance(50));
    if (this.chance(90)) {
      schema["properties"] = Object.fromEntries(
        names.map((name) => [name, this.schema(depth - 1)]),
      );
    }
    if (this.chance(50)) schema["required"] = names.slice(0, this.below(3));
    if (this.chance(3)) schema["required"] = [this.pick(NAMES), this.pick(NAMES)];
    if (this.chance(20)) schema["additionalProperties"] = this.pick([true, false]);
    if (this.chance(5)) schema["additionalProperties"] = this.schema(depth - 1);
  }

  private addRange(schema: JsonObject): void {
    for (const keyword of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]) {
      const isUpper = keyword.endsWith("aximum");
      if (this.chance(25))
        schema[keyword] = (this.below(8) + (isUpper ? 4 : 0)) / this.pick([1, 1, 2]);
    }
  }

  private addCounts(schema: JsonObject, what: string): void {
    if (this.chance(20)) schema[`min${what}`] = this.below(4);
    if (this.chance(20)) schema[`max${what}`] = 2 + this.below(4);
  }

  private names(): string[] {
    return Array.from({ length: 1 + this.below(3) }, () => this.pick(NAMES));
  }

  private value(): JsonValue {
    return this.pick([1, 2.5, -1, "a", "abcdef", "😀😀", true, null, [], {}, ["a"], "2020-01-31"]);
  }

  private chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}

const NAMES = ["a", "b", "city", "cities", "constructor", "toString", "x-y"];

const KEYWORDS = [
  ..."title description type properties required items additionalProperties anyOf enum".split(" "),
  ..."format default minimum maxLength minItems readOnly x-note x-mcp-header const".split(" "),
  ..."pattern $ref $schema uniqueItems examples oneOf nullable definitions minProperties".split(
    " ",
  ),
];

test(`nothing else is found in ${ROUNDS} schemas of usual keywords`, () => {
  let plain = 0;
  for (let seed = 1; seed <= ROUNDS / 2; seed++) {
    const make = new NearlyPlain(randomNumbers(seed));
    plain += plainAmong(make.schema(3, "object"), make.schema(3));
  }
  assert.ok(plain > ROUNDS / 10 && plain < ROUNDS, `${plain} are plain`);
});

test("nothing else is found in schemas of all keywords", () => {
  for (let seed = 1; seed <= 500; seed++) {
    const make = new RandomSchemas(seed);
    plainAmong({ ...make.schema() }, make.evaluating());
  }
});

test("schemas as most tools have them are plain", () => {
  const city = { type: "string", description: "City", minLength: 1, maxLength: 80 };
  const days = { type: "integer", description: "Days", minimum: 1, maximum: 14, default: 3 };
  const kind = { anyOf: [{ type: "integer", minimum: 1 }, { type: ["string", "null"] }] };
  const sky = { type: "string", enum: ["clear", "rain"] };
  const input = { type: "object", properties: { city, days, kind, sky }, required: ["city"] };
  const items = { type: "object", properties: { sky }, required: ["sky"] };
  const output = { type: "object", properties: { all: { type: "array", items } } };
  assert.is(plainAmong(input, output), 2);
});

test.run();
