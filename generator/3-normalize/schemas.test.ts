import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonSchema } from "../model/json.js";
import { isShared } from "../model/shared-objects.js";
import { createSchemaNormalizer } from "./schemas.js";

const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Pet: { type: "object", properties: { owner: { $ref: "#/schemas/Owner" } } },
  Owner: { type: "object", properties: { pets: { items: { $ref: "#/schemas/Pet" } } } },
};
const OF_PET: JsonObject = {
  type: "object",
  properties: { owner: { $ref: "#/$defs/Owner" } },
};
const OF_OWNER: JsonObject = {
  type: "object",
  properties: { pets: { items: { $ref: "#/$defs/Pet" } } },
};

function definitionsOf(authored: JsonObject, normalizer = createSchemaNormalizer(SCHEMAS, [])) {
  const { wire } = normalizer.output(authored);
  return ((wire as JsonObject)["$defs"] ?? {}) as Record<string, JsonObject>;
}

test("documents that use the same shared schemas have the same definitions, as one object each", () => {
  const normalizer = createSchemaNormalizer(SCHEMAS, []);
  const one = definitionsOf({ $ref: "#/schemas/Pet" }, normalizer);
  const other = definitionsOf({ items: { $ref: "#/schemas/Owner" } }, normalizer);
  assert.equal(one, { Pet: OF_PET, Owner: OF_OWNER });
  assert.equal(Object.keys(other), ["Owner", "Pet"]);
  assert.is(other["Pet"], one["Pet"]);
  assert.is(other["Owner"], one["Owner"]);
  assert.ok(isShared(one["Pet"] ?? {}));
});

test("beside definitions of its own, a document has its own copies of shared schemas", () => {
  const normalizer = createSchemaNormalizer(SCHEMAS, []);
  const alone = definitionsOf({ $ref: "#/schemas/Owner" }, normalizer);
  const $defs = { Pet: { type: "string" } };
  const beside = definitionsOf({ $ref: "#/schemas/Owner", $defs }, normalizer);
  const renamed = { type: "object", properties: { pets: { items: { $ref: "#/$defs/Pet_2" } } } };
  assert.equal(beside, { ...$defs, Owner: renamed, Pet_2: OF_PET });
  assert.equal(alone["Owner"], OF_OWNER);
});

test("manifests with equal names of schemas do not share them", () => {
  const other = createSchemaNormalizer({ Pet: { type: "integer" } }, []);
  definitionsOf({ $ref: "#/schemas/Pet" });
  assert.equal(definitionsOf({ $ref: "#/schemas/Pet" }, other), { Pet: { type: "integer" } });
});

test.run();
