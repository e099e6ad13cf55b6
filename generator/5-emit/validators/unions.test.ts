import { test } from "uvu";
import * as assert from "uvu/assert";
import { validationMessage } from "../../../templates/runtime/engine/validation-message.js";
import type { JsonObject, JsonValue } from "../../model/json.js";
import { interpret } from "../../schema/interpret.js";
import { reportedFindings } from "../../schema/reported-findings.js";
import { importValidator } from "../../testing/harness/projects/emitted-validators.js";

/** What a caller reads who gives a value for the property `it`; the interpreter says the same. */
async function messageFor(schema: JsonObject, value: JsonValue, definitions = {}): Promise<string> {
  const whole = { type: "object", properties: { it: schema }, $defs: definitions };
  const emitted = await importValidator(whole);
  const given = { it: value };
  const reported = reportedFindings(interpret(given, whole));
  assert.is(emitted(given), reported.length === 0);
  const message = validationMessage(emitted.errors);
  // Only the emitted one stops counting.
  const uncounted = (text: string): string => text.replace(/\d+ more$/, "more");
  assert.is(uncounted(validationMessage(reported)), uncounted(message));
  return message;
}

function tagged(kind: string, property: string): JsonObject {
  return {
    type: "object",
    properties: { kind: { const: kind }, [property]: { type: "number" } },
    required: ["kind", property],
    additionalProperties: false,
  };
}

const SHAPE = [tagged("circle", "radius"), tagged("square", "side"), tagged("hexagon", "edge")];

for (const keyword of ["oneOf", "anyOf"] as const) {
  const union = (...alternatives: JsonValue[]): JsonObject => ({ [keyword]: alternatives });

  test(`${keyword}: the message about a tagged union is about the alternative with the value's tag`, async () => {
    const shape = union(...SHAPE);
    assert.is(
      await messageFor(shape, { kind: "square" }),
      "it: must have required property 'side'",
    );
    assert.is(await messageFor(shape, { kind: "hexagon", edge: "x" }), "it.edge: must be number");
    assert.is(
      await messageFor(shape, { kind: "oval" }),
      'it.kind: must be equal to one of the allowed values ["circle","square","hexagon"]',
    );
    assert.is(await messageFor(shape, 5), "it: must be object");
  });

  test(`${keyword}: the same holds for alternatives behind references that lead back to the union`, async () => {
    const group = {
      properties: { kind: { const: "group" }, of: { items: { $ref: "#/$defs/node" } } },
      required: ["kind"],
    };
    const node = union({ $ref: "#/$defs/circle" }, { $ref: "#/$defs/group" });
    const definitions = { circle: tagged("circle", "radius"), group, node };
    const value = { kind: "group", of: [{ kind: "circle", radius: 1 }, { kind: "circle" }] };
    assert.is(
      await messageFor({ $ref: "#/$defs/node" }, value, definitions),
      "it.of.1: must have required property 'radius'",
    );
  });

  test(`${keyword}: the message about a value of another type names the accepted types`, async () => {
    const when = union({ type: "string", format: "date" }, { type: "integer" }, { type: "null" });
    assert.is(await messageFor(when, true), "it: must be string or integer or null");
    assert.is(await messageFor(when, "soon"), 'it: must match format "date"');
    const size = union({ type: "integer" }, { enum: ["small", "large"] });
    assert.is(await messageFor(size, "huge"), 'it: must be integer or "small" or "large"');
    const letters = union({ const: "a", title: "A" }, { const: "b", title: "B" });
    assert.is(
      await messageFor(letters, "c"),
      'it: must be equal to one of the allowed values ["a","b"]',
    );
  });

  test(`${keyword}: the message about objects without a tag is about the nearest alternative`, async () => {
    const place = union({ required: ["street", "city"] }, { required: ["zone"] });
    assert.is(
      await messageFor(place, {}),
      `it: must match one of 2 schemas in ${keyword}, of which number 2 comes closest; it: must have required property 'zone'`,
    );
  });

  test(`${keyword}: the message about hundreds of alternatives and findings is short`, async () => {
    const many = Array.from({ length: 300 }, (_, index) => tagged(`kind-${index}`, `p${index}`));
    const last = await messageFor(union(...many), { kind: "kind-299", p299: "x" });
    assert.is(last, "it.p299: must be number");
    assert.ok((await messageFor(union(...many), { kind: "none" })).length < 500);
    const noise = Object.fromEntries(many.map((_, index) => [`noise-${index}`, index]));
    assert.ok((await messageFor(union(...many), noise)).length < 1_000);
    const list = { type: "array", items: union(...SHAPE) };
    assert.ok(
      (
        await messageFor(
          list,
          Array.from({ length: 100 }, () => 5),
        )
      ).length < 1_000,
    );
  });
}

test("oneOf: the message about a value that fits several alternatives names them", async () => {
  const number = { oneOf: [{ type: "string" }, { type: "integer" }, { type: "number" }] };
  assert.is(
    await messageFor(number, 1),
    "it: must match exactly one schema in oneOf, but matches numbers 2 and 3",
  );
  assert.is(await messageFor(number, 1.5), "");
});

test("unions within not and if are evaluated as JSON Schema says", async () => {
  const inside = { not: { anyOf: [{ type: "string" }, { oneOf: [{ type: "integer" }, {}] }] } };
  assert.is(await messageFor(inside, 1.5), "it: must NOT be valid");
  assert.is(await messageFor(inside, 1), "");
  const condition = { if: { oneOf: [{ type: "string" }, { const: 1 }] }, then: false };
  assert.is(await messageFor(condition, 2), "");
  assert.match(await messageFor(condition, 1), "boolean schema is false");
});

test.run();
