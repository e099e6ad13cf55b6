import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseUriTemplate } from "./uri-template.js";

function partsOf(template: string): unknown {
  const parsed = parseUriTemplate(template);
  return parsed.ok ? parsed.parts : parsed.problem;
}

function problemOf(template: string): string {
  const parsed = parseUriTemplate(template);
  if (parsed.ok) return "none";
  const { kind, offset, length } = parsed.problem;
  return `${kind}: ${template.slice(offset, offset + length)}`;
}

test("a template is literals and expressions", () => {
  assert.equal(partsOf("demo://notes/{id}{?from,to}"), [
    { kind: "literal", text: "demo://notes/" },
    { kind: "expression", operator: "", names: ["id"], explode: false },
    { kind: "expression", operator: "?", names: ["from", "to"], explode: false },
  ]);
  assert.equal(partsOf("a:{+x}"), [
    { kind: "literal", text: "a:" },
    { kind: "expression", operator: "+", names: ["x"], explode: false },
  ]);
  assert.equal(partsOf("a:b{.ext}{/path*}"), [
    { kind: "literal", text: "a:b" },
    { kind: "expression", operator: ".", names: ["ext"], explode: false },
    { kind: "expression", operator: "/", names: ["path"], explode: true },
  ]);
  assert.equal(partsOf("demo://plain"), [{ kind: "literal", text: "demo://plain" }]);
  assert.equal(partsOf(""), []);
});

test("braces without a partner, and empty ones", () => {
  assert.is(problemOf("a://x{"), "lone brace: {");
  assert.is(problemOf("a://x}y"), "lone brace: }");
  assert.is(problemOf("a://{}"), "lone brace: {}");
  assert.is(problemOf("a://{b{c}}"), "lone brace: {");
  assert.is(problemOf("a://{?}"), "bad variable: {?}");
});

test("what RFC 6570 has beyond the subset", () => {
  const left = ["{;x}", "{#x}", "{&x}", "{=x}", "{!x}", "{x:3}", "{a,b}", "{x*}", "{+x*}", "{?a*}"];
  for (const expression of [...left, "{/a,b}", "{/a*,b}", "{.a,b}", "{+a:2}"]) {
    assert.is(problemOf(`a://h/${expression}`), `unsupported: ${expression}`);
  }
});

test("query and path tail stand at the end", () => {
  assert.is(problemOf("a://h{?q}/x"), "unsupported: /x");
  assert.is(problemOf("a://h{?q}{?r}"), "unsupported: {?r}");
  assert.is(problemOf("a://h{/p*}/x"), "unsupported: /x");
  assert.is(problemOf("a://h{/p*}{/q}"), "unsupported: {/q}");
  assert.is(problemOf("a://h{/p*}{?q}"), "none");
});

test("names of variables", () => {
  assert.is(problemOf("a://{user-id}"), "bad variable: {user-id}");
  assert.is(problemOf("a://{x'];evil()//}"), "bad variable: {x'];evil()//}");
  assert.is(problemOf("a://{ x }"), "bad variable: { x }");
  assert.is(problemOf("a://{é}"), "bad variable: {é}");
  assert.is(problemOf("a://{__proto__}"), "reserved variable: {__proto__}");
  assert.is(problemOf("a://{?toString}"), "reserved variable: {?toString}");
  assert.is(problemOf("a://{0}"), "reserved variable: {0}");
  assert.is(problemOf("a://{a}/{a}"), "repeated variable: {a}");
  assert.is(problemOf("a://{?a,a}"), "repeated variable: {?a,a}");
});

test("templates that can be taken apart in one way only", () => {
  const clear = [
    "a://{x}/{y}",
    "a://{x}{/y}",
    "a://{x}{?q}",
    "a://{+x}{?q}",
    "a://{x}/{+y}",
    "a://{+x}/{y}",
    "a://{x}{/rest*}",
    "a://{x}/f{.ext}",
    "a://v{x}.json{?q}",
    "a://{+x}/{y}/z",
  ];
  for (const template of clear) assert.is(problemOf(template), "none", template);
});

test("templates that can be taken apart in several ways", () => {
  const unclear = {
    "a://{x}{y}": "{y}",
    "a://{x}-{y}": "{y}",
    "a://{x}:{y}": "{y}",
    "a://{x},{y}": "{y}",
    "a://{x}abc{y}": "{y}",
    "a://{x}{.ext}": "{.ext}",
    "a://{+x}{y}": "{y}",
    "a://{+x}.{y}": "{y}",
    "a://{+x}/{+y}": "{+y}",
    "a://{+x}{/y*}": "{/y*}",
  };
  for (const [template, found] of Object.entries(unclear)) {
    assert.is(problemOf(template), `ambiguous: ${found}`, template);
  }
});

test("long templates of braces end", () => {
  for (const start of ["{", "}", "{a", "{a}", "a{", "{?"]) {
    assert.is(parseUriTemplate(start.repeat(20_000)).ok, false);
  }
});

test.run();
