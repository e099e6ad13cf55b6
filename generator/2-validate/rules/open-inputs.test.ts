import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { validateManifest } from "../validate.js";
import { checkOpenInputs } from "./open-inputs.js";

function found(lines: string): readonly Diagnostic[] {
  const yaml = `name: demo\nversion: 1.0.0\n${lines}\n`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(yaml));
  if (manifest === undefined) throw new Error(`not YAML: ${lines}`);
  return validateManifest(manifest).filter(({ code }) => code === "MW2314");
}

/** A manifest with a tool for each input schema, on lines 4, 5, … after its shared schemas. */
function tools(inputs: readonly string[], schemas = "{}"): string {
  const lines = inputs.map(
    (input, index) => `  - {name: t${index}, description: Does ${index}., inputSchema: ${input}}`,
  );
  return `schemas: ${schemas}\ntools:\n${lines.join("\n")}`;
}

/** The places that the warning names. Empty if there is no warning. */
const named = (lines: string): string | undefined =>
  found(lines)[0]?.message.replace(/^.* passes: /, "");

const CITY = "properties: {city: {type: string, description: x}}";
const CLOSED = "additionalProperties: false";

test("one warning names the count and the first places of all open inputs", () => {
  const open = `{type: object, ${CITY}}`;
  const closed = `{type: object, ${CITY}, ${CLOSED}}`;
  const [diagnostic, ...others] = found(tools([open, closed, open, open, open]));
  assert.equal(others, []);
  assert.is(diagnostic?.severity, "warning");
  assert.is(
    diagnostic?.message,
    '4 objects in inputs take properties that are not described, so that a misspelt argument passes: "t0" on line 5, "t2" on line 7, "t3" on line 8 and 1 more',
  );
  assert.equal([diagnostic?.line, diagnostic?.column], [5, 38]);
  assert.equal(
    diagnostic?.related?.map(({ line, message }) => `${line}: ${message}`),
    ['7: "t2" is open too', '8: "t3" is open too'],
  );
});

test("an object that says which properties are allowed is not reported", () => {
  const shared = `{Closed: {type: object, ${CITY}, ${CLOSED}}}`;
  const inputs = [
    `{type: object, ${CITY}, additionalProperties: true}`,
    `{type: object, additionalProperties: {type: string}}`,
    `{type: object, ${CITY}, unevaluatedProperties: false}`,
    `{type: object, propertyNames: {enum: [city]}}`,
    `{type: object, maxProperties: 0}`,
    `{$ref: "#/schemas/Closed"}`,
    `{type: object, allOf: [{${CITY}}], unevaluatedProperties: false}`,
    `{type: object, anyOf: [{$ref: "#/schemas/Closed"}, {${CITY}, ${CLOSED}}]}`,
    `{type: object, ${CITY}, ${CLOSED}, anyOf: [{required: [city]}], if: {${CITY}}, not: {${CITY}}}`,
  ];
  assert.equal(found(tools(inputs, shared)), []);
  assert.equal(found("tools: [{name: a, description: Has no arguments.}]"), []);
});

test("an object without described properties is reported at the root of arguments, but not within them", () => {
  assert.is(named(tools(["{type: object}"])), '"t0" on line 5');
  assert.is(
    named(tools([`{type: object, properties: {free: {type: object}}, ${CLOSED}}`])),
    undefined,
  );
});

test("open objects within arguments are reported, under any keyword", () => {
  const within = (schema: string): string | undefined =>
    named(tools([`{type: object, ${CLOSED}, properties: {a: ${schema}}}`]));
  const open = `{type: object, ${CITY}}`;
  assert.is(within(open), '"t0" at a on line 5');
  assert.is(
    within(`{type: object, ${CLOSED}, properties: {properties: ${open}}}`),
    '"t0" at a.properties on line 5',
  );
  for (const inside of [
    `{type: array, items: ${open}}`,
    `{type: array, prefixItems: [${open}]}`,
    `{type: object, additionalProperties: ${open}}`,
    `{type: [object, "null"], ${CITY}}`,
    `{anyOf: [${open}, {type: string}]}`,
    `{allOf: [${open}]}`,
  ]) {
    assert.is(within(inside), '"t0" at a on line 5', inside);
  }
  assert.is(within(`{type: array, contains: ${open}}`), undefined);
  assert.is(within(`{enum: [{city: Berlin}], ${CITY}}`), undefined);
});

test("a schema to which several tools refer is reported once, at its own place", () => {
  const shared = `{Open: {type: object, ${CITY}}, Tree: {type: object, ${CLOSED}, properties: {leaf: {$ref: "#/schemas/Open"}, tree: {$ref: "#/schemas/Tree"}}}}`;
  const both = tools(['{$ref: "#/schemas/Open"}', '{$ref: "#/schemas/Tree"}'], shared);
  assert.is(named(both), "schemas.Open on line 3");
  const own = `{type: object, ${CLOSED}, $defs: {Area: {type: object, ${CITY}}}, properties: {a: {$ref: "#/$defs/Area"}, b: {$ref: "#/$defs/Area"}}}`;
  assert.is(named(tools([own])), '"t0" at $defs.Area on line 5');
  const alias = `tools:
  - {name: a, description: A., inputSchema: &input {type: object, ${CLOSED}, properties: {area: {type: object, ${CITY}}}}}
  - {name: b, description: B., inputSchema: *input}`;
  assert.is(named(alias), '"a" at area on line 4');
  assert.is(named(tools(["{type: object, additionalProperties: false}"], shared)), undefined);
});

test("the warning can be switched off, and is not given while schemas have errors", () => {
  const open = tools([`{type: object, ${CITY}}`]);
  assert.equal(found(`diagnostics: {MW2314: off}\n${open}`), []);
  assert.is(found(`diagnostics: {MW2314: error}\n${open}`)[0]?.severity, "error");
  assert.equal(found(tools([`{type: object, ${CITY}}`, "{type: string}"])), []);
});

test("each schema is visited once, however many references lead to it", () => {
  const names = Array.from({ length: 60 }, (_, index) => `d${index}`);
  const bodies = names.map((name, index) => {
    const last = `{$ref: "#/schemas/d${index - 1}"}`;
    return `${name}: ${index === 0 ? `{type: object, ${CITY}}` : `{anyOf: [${last}, ${last}]}`}`;
  });
  const { manifest } = loadManifest(
    "mcp.yaml",
    Buffer.from(tools(['{$ref: "#/schemas/d59"}'], `{${bodies.join(", ")}}`)),
  );
  if (manifest === undefined) throw new Error("not YAML");
  assert.is(checkOpenInputs(manifest).length, 1);
});

test.run();
