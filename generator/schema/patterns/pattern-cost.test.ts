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

/** Quick for texts up to some length. */
const BOUNDED = [
  "^a*a*$",
  "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$",
  "\\s+$",
  "a.*b",
  "^(a*)\\1$",
  "(?=.*[A-Z]).{8,}$",
  "^(?:x(?=a*b))*$",
  // After each `a` an engine first tries what may follow, before it is content.
  "^a(b*b*c)?",
  "^(?:a(?:a*c)?)+",
  "^\\p{RI}*\\p{RI}*$",
  "(?<=a+)b",
  "^a{0,5000}a{0,5000}b$",
];

/** Slow for short texts already. */
const SLOW = [
  "^a*a*a*$",
  "^.*foo.*bar.*$",
  "^(.*a){4}$",
  "\\d+\\d+x",
  "^a{0,1000}a{0,1000}a{0,1000}b$",
  "^[a-z]{1,63}[a-z0-9]{0,63}[a-z]{0,63}[a-z0-9]{0,63}[a-z]{0,63}@$",
  `${"a?".repeat(28)}b`,
  `^${"a?b?".repeat(14)}c`,
  `^${"(?:a|a)".repeat(28)}b`,
  `^${"(?:a|aa)".repeat(28)}b`,
  `^${"(a{0,9})".repeat(12)}b`,
  `^(?=${"a?".repeat(28)}b)`,
  `^(?<!b${"a?".repeat(28)})c`,
  `${"(?:|)".repeat(40)}$`,
  "a(?:|){28}$",
  "^(a?a?a?){10}$",
  "^(a{0,60})\\1(a{0,60})\\2(a{0,60})\\3b",
  "^(?:a{0,300}){3}b$",
  "^\\w{0,300}[a-f]{0,300}\\d{0,300}\\w{0,300}x$",
  "^\\w{0,500}[^-]{0,500}\\d{0,500}!$",
  "^a*a*(?=a*$)b",
  "^\\p{RI}*\\p{RI}*\\p{RI}*$",
  "^(a?){30}$",
  "^(a|a){30}$",
];

const EXPONENTIAL = [
  "^(a+)+$",
  "^(x|x)*$",
  "^([a-zA-Z]+)*$",
  "^(a|aa)+$",
  "^(\\w+\\s?)*$",
  "^(a*)*$",
  "^((a?)*)*b",
  "^([a-z]{1,1000}){1,1000}$",
  "^(a{0,30}){0,30}$",
  "^(?:a?){400}$",
  "^(?:a|a){400}$",
  "^(?=(a+)+$)",
  "^(?!(a|b|ab)*c)",
  "^(\\p{L}|[\\u00e0-\\u00ff])*$",
  "(?<=b(a+)+)c",
  // Nothing is certain before an assertion, or while rounds are missing.
  "^(a+)+(?=b)",
  "^(-+)+\\b",
  "^(?:x|(?:a|a)(?:[ab]|a)){200}",
];

const costOf = (pattern: string) => new PatternCosts().costOf(pattern);

test("common patterns are quick for texts of any length", () => {
  for (const [name, pattern] of Object.entries(LINEAR)) {
    assert.equal(costOf(pattern), { kind: "polynomial", longestText: Infinity }, name);
  }
});

test("patterns that are quick for short texts only, for none, and of exponential time are distinguished", () => {
  for (const pattern of BOUNDED) {
    const cost = costOf(pattern);
    assert.is(cost.kind, "polynomial", pattern);
    const longestText = cost.kind === "polynomial" ? cost.longestText : 0;
    assert.ok(longestText >= 200 && longestText < 10_000, `${pattern}: ${longestText}`);
  }
  for (const pattern of SLOW) {
    assert.equal(costOf(pattern), { kind: "polynomial", longestText: 0 }, pattern);
  }
  for (const pattern of EXPONENTIAL) assert.is(costOf(pattern).kind, "exponential", pattern);
});

test("bounded repetitions that share no text, or little, are quick", () => {
  const patterns = [
    "^[a-z]{1,63}-[a-z]{1,63}-[a-z]{1,63}-[a-z]{1,63}$",
    "^\\w{1,63}\\d{0,63}$",
    "^[A-Z]{0,100}[a-z]{0,100}\\d{0,100}-{0,100}$",
    "^a?b?c?d?e?f?g?h?i?j?k?l?m?n?o?p?$",
    "^[a-z0-9]{32}[a-z0-9]{32}[a-z0-9]{1000}$",
    "^(?:[0-9a-f]{2}){1,500}$",
    "^(?:a|b|ab)(?:c|d|cd)(?:e|f|ef)$",
    "^[a-z]{1,10}[a-z0-9]{0,10}[a-z]{0,10}$",
  ];
  for (const pattern of patterns) {
    assert.equal(costOf(pattern), { kind: "polynomial", longestText: Infinity }, pattern);
  }
});

test("a back reference does not bring the lookarounds of its group along", () => {
  for (const pattern of ["(x(?=\\2))(y(?=\\1))", "^(a(?=b))\\1$"]) {
    assert.equal(costOf(pattern), { kind: "polynomial", longestText: Infinity }, pattern);
  }
});

test("a pattern that does not compile with the u flag is invalid", () => {
  for (const pattern of ["(", "[a-\\d]", "\\-", "a{2,1}", "(?<n>a)(?<n>b)", "(?i:a)"]) {
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
  const tangled = `^(?:${"ab|".repeat(40)}b)$`;
  const costs = new PatternCosts(15_000);
  const kindsIn = (...patterns: readonly string[]): readonly unknown[] => {
    costs.work.begin(true);
    return patterns.map((pattern) => costs.costOf(pattern).kind);
  };
  assert.equal(kindsIn("^a+$"), ["polynomial"]);
  const several = ["a", "b", "c", "d"].map((letter) => `^${letter.repeat(9)}+$`);
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
