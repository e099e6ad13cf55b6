import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { validateManifest } from "../2-validate/validate.js";
import { collectDefaults } from "../schema/defaults/collect-defaults.js";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { RandomSchemas } from "../testing/harness/random/random-schemas.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";
import { createSchemaNormalizer } from "./schemas.js";

/** Keywords beside a reference, which must keep their meaning. */
const BESIDE: readonly JsonObject[] = [
  {},
  { description: "near" },
  { default: { a: "near" } },
  { required: ["b"] },
  { properties: { a: { default: "x" } }, unevaluatedProperties: false },
  { allOf: [{ minProperties: 1 }], additionalProperties: true },
];

/** The definitions of a random schema as shared ones, with references that have something beside them. */
function withShared(value: JsonValue, random: RandomSchemas): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withShared(item, random));
  if (!isJsonObject(value)) return value;
  const { $ref: reference } = value;
  if (reference === "#") return true;
  if (typeof reference === "string") {
    const beside = BESIDE[JSON.stringify(random.value()).length % BESIDE.length];
    return { $ref: reference.replace("$defs", "schemas"), ...beside };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withShared(item, random)]),
  );
}

function isRecursive(schemas: JsonObject): boolean {
  const text = JSON.stringify({ name: "demo", version: "1.0.0", schemaRefs: "inline", schemas });
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  const found = manifest === undefined ? [] : validateManifest(manifest);
  return found.some(({ code }) => code === "MW3013" || code === "MW3017");
}

function compile(schema: JsonSchema): ValidateFunction {
  return new Ajv2020({ strict: false, logger: false }).compile(schema as object);
}

/** Random schemas. In both lengths, a quarter can be compared, and most of these have references. */
const SCHEMAS = shortOrLong(30, 60);

test("random schemas accept the same values and fill in the same defaults, inline or with $defs", () => {
  let [compared, replaced] = [0, 0];
  for (let seed = 1; seed <= SCHEMAS; seed++) {
    const random = new RandomSchemas(seed);
    const { $defs, ...rest } = withShared(random.schema(), random) as JsonObject;
    const schemas = $defs as Record<string, JsonSchema>;
    if (isRecursive(schemas)) continue;
    const [inDefs, inline] = (["defs", "inline"] as const).map((form) =>
      createSchemaNormalizer(schemas, [], form).output(rest),
    );
    const [before, after] = [inDefs?.wire ?? true, inline?.wire ?? true];
    assert.not.match(JSON.stringify(after), /"\$ref"|"\$defs"/);
    assert.equal(collectDefaults(after), collectDefaults(before), `seed ${seed}`);
    const [accepts, stillAccepts] = [compile(before), compile(after)];
    for (let count = 0; count < 20; count++) {
      const value = random.value();
      assert.is(stillAccepts(value), accepts(value), `seed ${seed}: ${JSON.stringify(value)}`);
    }
    compared += 1;
    if (JSON.stringify(before).includes('"$ref"')) replaced += 1;
  }
  const isEnough = compared > SCHEMAS / 4 && replaced > SCHEMAS / 5;
  assert.ok(isEnough, `${compared} compared, ${replaced} with references`);
});

test.run();
