import { test } from "uvu";
import * as assert from "uvu/assert";
import { PatternCosts } from "./pattern-cost.js";

const LINEAR: Readonly<Record<string, string>> = {
  name: "^[A-Za-z0-9_.-]+$",
  uuid: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$",
  date: "^\\d{4}-\\d{2}-\\d{2}$",
  time: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$",
  semver:
    "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$",
  email: "^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$",
  "email of HTML":
    "^[a-zA-Z0-9.!#$%&'*+\\/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$",
  "email with lookaheads":
    "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
  "email whose parts end at dots": "^[^@]+@[^@.]+(\\.[^@.]+)+$",
  slug: "^[a-z0-9]+(?:-[a-z0-9]+)*$",
  "host name":
    "^(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])\\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9-]*[A-Za-z0-9])$",
  "IPv4 address": "^((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.|$)){4}$",
  url: "^https?://[^\\s/$.?#].[^\\s]*$",
  path: "^(/[^/]+)*/?$",
  base64: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
  list: "^[^,]+(,[^,]+)*$",
  "no blank text": "\\S",
  letters: "^\\p{L}+( \\p{L}+)*$",
  password: "^(?=.*[A-Z])(?=.*\\d).{8,}$",
  "a repetition that ends the pattern": "^(a+)+",
  "two bounded repetitions": "^\\w{1,50}\\s{0,5}\\w{1,50}$",
  empty: "",
};

const QUADRATIC = [
  "^a*a*$",
  "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$",
  "\\s+$",
  "a.*b",
  "^(a*)\\1$",
  "(?=.*[A-Z]).{8,}$",
  "^(?:x(?=a*b))*$",
];

const CUBIC = ["^a*a*a*$", "^.*foo.*bar.*$", "^(.*a){4}$", "\\d+\\d+x"];

const EXPONENTIAL = [
  "^(a+)+$",
  "^(x|x)*$",
  "^([a-zA-Z]+)*$",
  "^(a|aa)+$",
  "^(\\w+\\s?)*$",
  "^(a*)*$",
  "^((a?)*)*b",
  "^(a?){30}$",
  "^(a|a){30}$",
  "^([a-z]{1,1000}){1,1000}$",
  "^(?=(a+)+$)",
  "^(?!(a|b|ab)*c)",
  "^(\\p{L}|[\\u00e0-\\u00ff])*$",
  "(?<=(a+)+b)c",
];

const costOf = (pattern: string) => new PatternCosts().costOf(pattern);

test("common patterns take linear time", () => {
  for (const [name, pattern] of Object.entries(LINEAR)) {
    assert.equal(costOf(pattern), { kind: "polynomial", degree: 1 }, name);
  }
});

test("quadratic, cubic and exponential time are distinguished", () => {
  for (const pattern of QUADRATIC)
    assert.equal(costOf(pattern), { kind: "polynomial", degree: 2 }, pattern);
  for (const pattern of CUBIC)
    assert.equal(costOf(pattern), { kind: "polynomial", degree: 3 }, pattern);
  for (const pattern of EXPONENTIAL) assert.is(costOf(pattern).kind, "exponential", pattern);
});

test("a pattern that does not compile with the u flag is invalid", () => {
  for (const pattern of ["(", "[a-\\d]", "\\-", "a{2,1}", "(?<n>a)(?<n>b)"]) {
    assert.is(costOf(pattern).kind, "invalid", pattern);
  }
});

test("the cost of hostile patterns is unknown", () => {
  const hostile = [
    `${"(".repeat(2000)}a${")".repeat(2000)}`,
    `^(?:${Array(1000).fill("a").join("|")})*$`,
    `${"a*".repeat(1000)}$`,
    `(a)${Array.from({ length: 20 }, (_, index) => `(\\${index + 1}\\${index + 1})`).join("")}`,
    Array.from({ length: 4000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(""),
    `^[${"\\p{L}".repeat(990)}]$`,
    // Each letter is followed by many empty alternatives.
    `^(?:${Array(900).fill("a").join("|")})(?:${"|".repeat(1200)})b$`,
  ];
  for (const pattern of hostile) assert.is(costOf(pattern).kind, "unknown", pattern.slice(0, 40));
});

test("the work for all patterns together is bounded", () => {
  const costs = new PatternCosts(2000);
  assert.is(costs.costOf("^a+$").kind, "polynomial");
  assert.is(costs.costOf(`^(?:${"a|".repeat(300)}b)*$`).kind, "unknown");
  assert.is(costs.costOf("^b+$").kind, "unknown");
  assert.is(costs.costOf("^a+$").kind, "polynomial");
});

test("a cost found within a schema's allowance does not depend on other schemas, and work beyond it is charged once", () => {
  const tangled = `^(?:${"ab|".repeat(200)}b)$`;
  const costs = new PatternCosts(15_000);
  const kindsIn = (...patterns: readonly string[]): readonly unknown[] => {
    costs.work.begin(true);
    return patterns.map((pattern) => costs.costOf(pattern).kind);
  };
  assert.equal(kindsIn("^a+$"), ["polynomial"]);
  const several = ["a", "b", "c", "d"].map((letter) => `^${letter.repeat(100)}+$`);
  const kinds = several.map(() => "polynomial");
  assert.equal(kindsIn(...several), kinds);
  assert.equal(kindsIn(tangled), ["polynomial"]);
  const left = costs.work.left - costs.work.allowance;
  assert.equal(kindsIn(tangled), ["polynomial"]);
  assert.is(costs.work.left - costs.work.allowance, left);
  assert.equal(kindsIn(`^(?:${"ab|".repeat(400)}b)$`), ["unknown"]);
  assert.equal(kindsIn(`^(?:${"cd|".repeat(90)}b)$`), ["unknown"]);
  assert.equal(kindsIn("^d+$"), ["polynomial"]);
  assert.equal(kindsIn(tangled), ["polynomial"]);
});

test.run();
