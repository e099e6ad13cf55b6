import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  diagnose,
  property,
  toolWithInput,
} from "../../testing/harness/projects/schema-findings.js";

/** The findings in an inputSchema with these lines: the first word of the line, the code and the hint of each. */
function findings(schema: string): string[] {
  const lines = schema.replace(/^/gm, "      ").split("\n");
  const before = ["tools:", "  - name: a", "    description: x", "    inputSchema:"];
  return diagnose([...before, ...lines, ""].join("\n")).map(({ line, code, hint }) => {
    const [word] = lines[line - 1 - before.length]?.trim().split(":") ?? [];
    return `${word}: ${code} ${hint}`;
  });
}

const CLOSED = "type: object\nadditionalProperties: false\n";
const CITY = "city:\n  type: string\n  description: x\n";
const DAYS = "days: {type: integer, description: x}\n";
const indented = (lines: string): string => lines.replace(/^(?=.)/gm, "  ");

test("properties beside an empty `properties` are one finding", () => {
  assert.equal(findings(`${CLOSED}properties:\n${CITY}required: [city]`), [
    'properties: MW3006 indent "city" below it',
  ]);
  assert.equal(findings(`${CLOSED}properties:\n${CITY}${DAYS}required: [city, days]`), [
    'properties: MW3006 indent "city" and "days" below it',
  ]);
  assert.equal(findings(`${CLOSED}properties:\n${CITY}more: {}\n${DAYS}`), [
    'properties: MW3006 indent "city" to "days" below it',
  ]);
  assert.equal(findings(`${CLOSED}properties:\nrequired: [city]`), [
    "properties: MW3006 undefined",
  ]);
});

test("a property that is indented too little or too far gets a hint", () => {
  assert.equal(findings(`${CLOSED}properties:\n${indented(CITY)}${DAYS}`), [
    'days: MW3003 a property stands under "properties": indent it below that',
  ]);
  assert.equal(findings(`${CLOSED}properties:\n${indented(CITY)}${indented(indented(DAYS))}`), [
    'days: MW3003 outdent it to stand beside "city", if it is a property as well',
  ]);
  assert.equal(findings(`${CLOSED}properties: {}\nrule: {days: 3}`), ["rule: MW3003 undefined"]);
});

test("a keyword that is indented too far is reported, and its absence is not reported too", () => {
  const outdent = (name: string): string =>
    `"${name}" is a keyword: outdent it to stand beside "properties"`;
  const found = (keyword: string, around = CLOSED): string[] =>
    findings(`${around}properties:\n  ${keyword}\n${indented(CITY)}`);
  assert.equal(found("required: [city]"), [`required: MW3001 ${outdent("required")}`]);
  assert.equal(found("description: All of them"), [
    `description: MW3001 ${outdent("description")}`,
  ]);
  assert.equal(found("type: object", "additionalProperties: false\n"), [
    `type: MW3001 ${outdent("type")}`,
  ]);
  for (const value of [true, false]) {
    assert.equal(found(`additionalProperties: ${value}`, "type: object\n"), [
      'additionalProperties: MW3314 outdent it to stand beside "properties", if it is the keyword',
    ]);
  }
});

test("a property with the name of a keyword is no keyword that is indented too far", () => {
  const properties = (entry: string): string[] =>
    diagnose(toolWithInput(`additionalProperties: false, properties: {${entry}}`)).map(
      ({ code, hint }) => `${code} ${hint}`,
    );
  for (const name of ["required", "type", "additionalProperties", "properties"]) {
    assert.equal(properties(`${name}: {type: string, description: x}`), [], name);
  }
  assert.equal(properties("deprecated: true, readOnly: true"), []);
  assert.equal(properties("type: string"), ["MW3001 write {type: string}"]);
  assert.equal(properties("type: object"), ["MW3001 write {type: object}"]);
  assert.equal(properties("title: string"), ["MW3001 write {type: string}"]);
});

test("a keyword that needs another one has no effect alone", () => {
  const lone = (schema: string): string[] =>
    diagnose(property(schema)).flatMap(({ code, message }) => (code === "MW3315" ? [message] : []));
  for (const [keyword, needed] of [
    ["then", "if"],
    ["else", "if"],
    ["minContains", "contains"],
    ["maxContains", "contains"],
  ] as const) {
    const value = needed === "if" ? "{maxLength: 5}" : "2";
    const beside = needed === "if" ? "{minLength: 1}" : "{type: string}";
    assert.equal(lone(`{${keyword}: ${value}}`), [
      `"${keyword}" has no effect without "${needed}" beside it`,
    ]);
    assert.equal(lone(`{${keyword}: ${value}, ${needed}: ${beside}}`), []);
  }
});

test("hints for values of keywords name the property, and what to write", () => {
  const hint = (yaml: string): string => diagnose(yaml)[0]?.hint ?? "";
  assert.match(hint(property("{required: true}")), /required: \[p\]$/);
  assert.match(hint(property("{items: {required: true}}")), /required: \[name\]$/);
  assert.is(hint(property("{enum: a}")), "write [a]");
  assert.is(hint(toolWithInput("required: city")), "write [city]");
  const [nullable] = diagnose(
    `${property('{$ref: "#/schemas/Pet", nullable: true}')}\nschemas: {Pet: {}}`,
  );
  assert.match(nullable?.message ?? "", 'anyOf: [{$ref: "#/schemas/Pet"}, {type: "null"}]');
});

test.run();
