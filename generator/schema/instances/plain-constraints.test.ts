import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  plainBreaks,
  type BrokenValue,
} from "../../../templates/runtime/suite/values/constraints.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { TOOL_KINDS } from "../../testing/bench-compiler/bench-tools.js";
import { RandomPlainSchemas } from "../../testing/random-plain-schemas.js";
import { RandomSchemas } from "../../testing/random-schemas.js";
import { readOwnTools, readTools, REAL_TOOLS, testShared } from "../../testing/shared-data.js";
import { makeInstances, type Instances } from "./make-instances.js";
import { SchemaStudy } from "./schema-study.js";

/**
 * The values that the tests of projects make by themselves break what they say and nothing else, and together with
 * those that the compiler makes they break all that values were made for.
 */

/** @returns how many values the tests of a project would make */
function check(schema: JsonObject, label: string): number {
  const all = makeInstances(schema);
  const rest = makeInstances(schema, { leavesPlain: true });
  assert.is(JSON.stringify(rest.valid), JSON.stringify(all.valid));
  // What the tests read comes from JSON.
  const plain = [...plainBreaks(schema, throughJson(rest.valid))];
  const study = new SchemaStudy(schema);
  for (const broken of plain) expectBreak(broken, schema, study, label);
  const broken = new Set([...namesOf(rest), ...plain.map(({ breaks }) => breaks)]);
  const missing = namesOf(all).filter((constraint) => !broken.has(constraint));
  assert.equal(missing, [], `${label}: nobody breaks what could be broken`);
  return plain.length;
}

function expectBreak(
  { breaks, value, path, keyword, message, detail }: BrokenValue,
  schema: JsonObject,
  study: SchemaStudy,
  label: string,
): void {
  const about = `${label}: ${breaks} ${JSON.stringify(value)} ${JSON.stringify(schema)}`;
  const { holder, constraint } = constraintAt(schema, breaks);
  const finding = study.refusal(value, holder, constraint);
  assert.ok(finding !== undefined, `is not refused for this alone, ${about}`);
  const { instancePath, params = {} } = finding;
  assert.equal([path, keyword, message], [instancePath, finding.keyword, finding.message], about);
  const name = params["additionalProperty"];
  if (keyword === "additionalProperties") assert.is(detail, `: ${String(name)}`);
}

const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

function namesOf({ breaking, leftOut }: Pick<Instances, "breaking" | "leftOut">): string[] {
  return [...breaking, ...leftOut].map(({ constraint }) => constraint);
}

/** The subschema with the keyword that a pointer leads to, and the keyword. */
function constraintAt(
  schema: JsonObject,
  pointer: string,
): { readonly holder: JsonObject; readonly constraint: string } {
  const names = pointer.slice(1).split("/");
  const isEntry = names.at(-2) === "required" && Array.isArray(valueAt(schema, names.slice(0, -1)));
  const keyword = isEntry ? -2 : -1;
  const holder = valueAt(schema, names.slice(0, keyword)) as JsonObject;
  return { holder, constraint: names.at(keyword) ?? "" };
}

function valueAt(schema: JsonObject, names: readonly string[]): JsonValue {
  let found: JsonValue = schema;
  for (const name of names) {
    found = (found as JsonObject)[name.replaceAll("~1", "/").replaceAll("~0", "~")] ?? null;
  }
  return found;
}

/** How many values of tools' schemas are what they say; throws where one is not. */
const checkTools = (tools: readonly JsonObject[]): number =>
  tools.reduce((count, { name, inputSchema }) => {
    return count + check(inputSchema as JsonObject, String(name));
  }, 0);

test("usual tools", () => {
  const count = checkTools(readOwnTools());
  assert.ok(count > 50, `${count} values`);
});

testShared("real tools", REAL_TOOLS, (folder) => {
  const count = checkTools(readTools(folder));
  assert.ok(count > 1_500, `${count} values`);
});

test("the tools of the benchmark leave hardly anything to the compiler", () => {
  let count = 0;
  let rest = 0;
  for (const { inputSchema, outputSchema = {} } of TOOL_KINDS.different.tools(40)) {
    for (const schema of [inputSchema, outputSchema]) {
      count += check(schema, "bench");
      rest += makeInstances(schema, { leavesPlain: true }).breaking.length;
    }
  }
  assert.ok(count > 1_500 && rest < 30, `${count} values, and ${rest} of the compiler's`);
});

test("random schemas, most of them plain", () => {
  const random = new RandomPlainSchemas(11);
  let count = 0;
  for (let round = 0; round < 700; round += 1) {
    const properties = Object.fromEntries(
      random.several(5, () => [random.name(), random.schema(3)] as const),
    );
    const root = random.schema(3);
    const required = Object.keys(properties).filter(() => random.chance(40));
    const schema =
      random.chance(70) || !isJsonObject(root)
        ? { type: "object", properties, required, additionalProperties: random.chance(50) }
        : root;
    count += check(schema, `round ${round}`);
  }
  assert.ok(count > 2_000, `${count} values`);
});

const KEYWORDS_OF: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "pattern", "format"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  array: ["minItems", "maxItems", "items"],
  object: ["properties", "required", "additionalProperties"],
};

/** A schema of this type, mostly with keywords for it alone. */
function schemaOf(type: string, random: RandomPlainSchemas): JsonObject {
  const own = [...(KEYWORDS_OF[type] ?? []), "description", "title"];
  const isMixed = random.chance(10);
  let schema: JsonObject = {};
  for (let tries = 0; tries < 8 && Object.keys(schema).length === 0; tries += 1) {
    const entries = Object.entries(random.schema(2)).filter(
      ([name]) => isMixed || own.includes(name),
    );
    schema = Object.fromEntries(entries);
  }
  return { ...schema, type };
}

test("random unions, many of which have a type for each alternative", () => {
  const random = new RandomPlainSchemas(13);
  let plain = 0;
  for (let round = 0; round < 300; round += 1) {
    const types = ["string", "integer", "number", "boolean", "null", "object", "array"];
    const alternatives = [0, 1, 2].slice(random.chance(80) ? 1 : 0).map(() => {
      const [type = "string"] = types.splice(random.below(types.length), 1);
      return schemaOf(type, random);
    });
    const either = { [random.pick(["anyOf", "oneOf"])]: alternatives, description: "Either" };
    const schema = { type: "object", properties: { either }, required: ["either"] };
    const count = check(schema, `round ${round}`);
    const { breaking, valid } = makeInstances(schema, { leavesPlain: true });
    const isBroken = breaking.some(({ constraint }) => /(any|one)Of$/.test(constraint));
    if (!isBroken && valid.length > 0 && count > 4) plain += 1;
  }
  assert.ok(plain > 100, `${plain} plain unions`);
});

test("random schemas that combine others", () => {
  const random = new RandomSchemas(12);
  for (let round = 0; round < 10; round += 1) {
    for (const schema of [random.schema(), random.evaluating()]) {
      if (!isJsonObject(schema)) continue;
      const day = { type: "integer", minimum: 3 };
      check(
        { ...schema, properties: { ...(schema["properties"] as JsonObject), day } },
        `${round}`,
      );
    }
  }
});

test.run();
