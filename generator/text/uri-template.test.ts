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

test("a template consists of literals and expressions", () => {
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

test("braces without a counterpart and empty braces are refused", () => {
  assert.is(problemOf("a://x{"), "lone brace: {");
  assert.is(problemOf("a://x}y"), "lone brace: }");
  assert.is(problemOf("a://{}"), "lone brace: {}");
  assert.is(problemOf("a://{b{c}}"), "lone brace: {");
  assert.is(problemOf("a://{?}"), "bad variable: {?}");
});

test("features of RFC 6570 beyond the subset are refused", () => {
  const left = ["{;x}", "{#x}", "{&x}", "{=x}", "{!x}", "{x:3}", "{a,b}", "{x*}", "{+x*}", "{?a*}"];
  for (const expression of [...left, "{/a,b}", "{/a*,b}", "{.a,b}", "{+a:2}"]) {
    assert.is(problemOf(`a://h/${expression}`), `unsupported: ${expression}`);
  }
});

test("expressions after a query or an exploded path are refused", () => {
  assert.is(problemOf("a://h{?q}/x"), "unsupported: /x");
  assert.is(problemOf("a://h{?q}{?r}"), "unsupported: {?r}");
  assert.is(problemOf("a://h{/p*}/x"), "unsupported: /x");
  assert.is(problemOf("a://h{/p*}{/q}"), "unsupported: {/q}");
  assert.is(problemOf("a://h{/p*}{?q}"), "none");
});

test("invalid, reserved and repeated names of variables are refused", () => {
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

test("templates that match URIs in one way are accepted", () => {
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

test("templates that match URIs in several ways are refused", () => {
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

test("long templates of braces are parsed in linear time", () => {
  for (const start of ["{", "}", "{a", "{a}", "a{", "{?"]) {
    assert.is(parseUriTemplate(start.repeat(20_000)).ok, false);
  }
});

test.run();
