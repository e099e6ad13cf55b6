import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Diagnostic } from "../../model/diagnostic.js";
import {
  diagnose,
  numbered,
  property,
  summarize,
  tool,
  toolWithInput,
} from "../../testing/harness/projects/schema-findings.js";

test("a deep default of a schema with a long chain of references is checked", () => {
  const steps = numbered(90, (i) => `d${i}: {$ref: "#/$defs/d${i + 1}"}`);
  const last = 'd91: {properties: {c: {$ref: "#/$defs/d1"}}}';
  const value = `${"{c: ".repeat(50)}1${"}".repeat(50)}`;
  const schema = `outputSchema: {$ref: "#/$defs/d1", default: ${value}, $defs: {${steps}, ${last}}}`;
  const [found, ...others] = diagnose(tool(schema));
  assert.match(found?.message ?? "", "nested more than 300 levels deep");
  assert.equal(others, []);
});

test("a deep default of a recursive schema with many alternatives is checked", () => {
  const operators = ["plus", "minus", "times", "by", "and", "or", "not", "equals"];
  const alternatives = operators.map(
    (name) => `{properties: {of: {$ref: "#/$defs/x"}, by: {const: ${name}}}, required: [by]}`,
  );
  const nested = (innermost: string): string =>
    `${"{by: not, of: ".repeat(40)}{by: ${innermost}}${"}".repeat(40)}`;
  const problems = (keyword: string, innermost: string): readonly Diagnostic[] => {
    const schemas = `$defs: {x: {type: object, ${keyword}: [${alternatives.join(", ")}]}}`;
    return diagnose(
      tool(`outputSchema: {$ref: "#/$defs/x", default: ${nested(innermost)}, ${schemas}}`),
    );
  };
  for (const keyword of ["anyOf", "oneOf"]) {
    assert.equal(problems(keyword, "equals"), []);
    assert.match(problems(keyword, "other")[0]?.message ?? "", "fits none of the alternatives");
  }
});

test("the check of a default whose schemas branch at every level comes to an end", () => {
  const branch = '{properties: {c: {$ref: "#/$defs/x"}}}';
  const value = `${"{c: ".repeat(50)}1${"}".repeat(50)}`;
  const schemas = `$defs: {x: {allOf: [${branch}, ${branch}]}}`;
  const [found, ...others] = diagnose(
    tool(`outputSchema: {$ref: "#/$defs/x", default: ${value}, ${schemas}}`),
  );
  assert.match(found?.message ?? "", "branch into more than 1500000 comparisons");
  assert.equal(others, []);
});

test("a bound of one has the singular in its message", () => {
  const words: [string, string][] = [
    ['{type: string, minLength: 1, default: ""}', "at least 1 character, not"],
    ["{type: array, minItems: 1, default: []}", "at least 1 item, not"],
    ["{type: object, minProperties: 1, default: {}}", "at least 1 property, not"],
    ["{type: array, minItems: 2, default: []}", "at least 2 items, not"],
  ];
  for (const [schema, wording] of words) {
    assert.match(diagnose(property(schema))[0]?.message ?? "", wording);
  }
});

test("an item of a default that is a list is named as an item of the value", () => {
  const [found] = diagnose(property("{type: array, items: {type: integer}, default: [1, a]}"));
  assert.match(found?.message ?? "", ": item 2 of the value must be of type integer, not the text");
});

test("suggestions name what the author most likely meant", () => {
  const hintsOf = (yaml: string): string[] => diagnose(yaml).map(({ message }) => message);
  const meant = [
    [property("{propertys: {}}"), '"properties"'],
    [property("{type: int}"), '"integer"'],
    [property('{$ref: "#/definitions/City"}') + "\nschemas: {City: {}}", '"#/schemas/City"'],
    [property('{$ref: "#/schemas/Cty"}') + "\nschemas: {City: {}}", '"#/schemas/City"'],
    [property("{$ref: City}") + "\nschemas: {City: {}}", '"#/schemas/City"'],
    [property("{$ref: ./schemas/Cty}") + "\nschemas: {City: {}}", '"#/schemas/City"'],
    [property("{format: datetime}"), '"date-time"'],
  ] as const;
  for (const [yaml, name] of meant) assert.match(hintsOf(yaml).join(), `did you mean ${name}?`);
});

test("a name whose keywords stand beside it, not below it, is reported once with their lines", () => {
  const messages = (yaml: string): string[] =>
    diagnose(yaml).map(
      ({ line, column, message, hint }) => `${line}:${column} ${message}; ${hint}`,
    );
  const input = (properties: string): string =>
    `tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      required: [city]\n      properties:\n${properties}`;
  assert.equal(messages(input("        city:\n        type: string\n        description: x\n")), [
    '8:9 "city" has no schema; lines 9 and 10 are keywords of it: indent them below "city"',
  ]);
  assert.equal(
    messages(input("        city:\n        type: string\n        zip: {type: string}\n")),
    ['8:9 "city" has no schema; line 9 is a keyword of it: indent it below "city"'],
  );
  const list =
    "        tags:\n        type: array\n        maxItems: 3\n        items: {type: string}\n";
  assert.equal(messages(input(list)).slice(0, 1), [
    '8:9 "tags" has no schema; lines 9 to 11 are keywords of it: indent them below "tags"',
  ]);
  assert.equal(
    messages("schemas:\n  City:\n  type: object\n  properties: {name: {type: string}}\n"),
    ['2:3 "City" has no schema; lines 3 and 4 are keywords of it: indent them below "City"'],
  );
});

test("a property that is named like a keyword does not count as a keyword of the property before it", () => {
  const found = (properties: string): string[] =>
    diagnose(toolWithInput(`properties: {${properties}}`)).map(({ message }) => message);
  assert.equal(found("city: , title: {type: string}, items: {type: array}"), [
    "a schema must be a mapping, true or false, not empty",
  ]);
  assert.equal(found("city: {}, type: string"), [
    'a schema must be a mapping, true or false, not the text "string"',
  ]);
});

/** What is said of a pattern: its code and hint. */
const toldOfPattern = (pattern: string): string[] =>
  diagnose(property(`{type: string, maxLength: 20, pattern: '${pattern}'}`)).map(
    ({ code, hint }) => `${code} ${hint}`,
  );

test("a pattern between slashes is reported, unless it may be a path", () => {
  for (const path of [
    "/a/",
    "^/a/$",
    "/users/id",
    "/a/b/i",
    "/api/v",
    "/^a",
    "a/i",
    "//i",
    "/a[/]i",
  ]) {
    assert.equal(toldOfPattern(path), [], path);
  }
  const flags = "; JSON Schema has no flags: for letters of either case, write [aA][bB][cC]";
  assert.equal(toldOfPattern("/^abc$/"), ["MW3313 write ^abc$"]);
  assert.equal(toldOfPattern("/^abc$/i"), [`MW3313 write ^abc$${flags}`]);
  assert.equal(toldOfPattern("/a\\/b[/]c/gi"), [`MW3313 write a\\/b[/]c${flags}`]);
  assert.equal(
    diagnose(property("{pattern: '/(a+)+b/i'}")).map(({ code }) => code),
    ["MW3313", "MW3031"],
  );
  const [name] = diagnose(toolWithInput('patternProperties: {"/^a$/": {}}'));
  assert.is(name?.code, "MW3313");
});

test("a pattern with flags of other languages gets a hint how to write both cases", () => {
  assert.equal(toldOfPattern("(?i)abc"), [
    "MW3030 JSON Schema has no flags: for letters of either case, write [aA][bB][cC]",
  ]);
  assert.equal(toldOfPattern("(abc"), ["MW3030 undefined"]);
});

test("messages say path, expected and found", () => {
  const yaml = tool(
    "inputSchema: {type: object, properties: {days: {type: array, items: {maximum: 14}}}}, examples: [{arguments: {days: [1, 30]}}]",
  );
  assert.equal(
    diagnose(yaml).map(({ message }) => message),
    [
      'the arguments do not fit the inputSchema: item 2 of "days" must be at most 14, not the number 30',
    ],
  );
});

test("a problem in equal schemas of several tools is reported for each", () => {
  const one = (name: string, schema: string): string =>
    `{name: ${name}, description: x, inputSchema: {type: object, properties: {p: ${schema}}}}`;
  const [good, bad] = [
    "{type: string, description: p}",
    "{type: string, minLength: -1, description: p}",
  ];
  const found = summarize(
    `tools: [${one("a", good)}, ${one("b", bad)}, ${one("c", good)}, ${one("d", bad)}]`,
  );
  const alone = summarize(`tools: [${one("b", bad)}]`);
  assert.ok(alone.length > 0);
  assert.equal(found, [...alone, ...alone]);
});

test("an input whose root refers to no object gets a hint what to change, and where", () => {
  const firstFinding = (schemas: string, root: string): string => {
    const [first] = diagnose(`schemas: ${schemas}\n${tool(`inputSchema: ${root}`)}`).filter(
      ({ code }) => code === "MW3002",
    );
    return [first?.message, first?.hint, ...(first?.related ?? []).map(({ line }) => line)].join(
      "; ",
    );
  };
  const shared = '{$ref: "#/schemas/Args"}';
  assert.is(
    firstFinding("{Args: {properties: {city: {type: string}}}}", shared),
    "an inputSchema must have type: object at its root, not a reference to schemas.Args, which has no type; " +
      "add `type: object` to schemas.Args beside `properties`; 1",
  );
  assert.match(
    firstFinding("{Args: {description: All of it}}", shared),
    "add `type: object` to schemas.Args; 1",
  );
  const chain = '{Args: {$ref: "#/schemas/More"}, More: {required: [a]}}';
  assert.match(
    firstFinding(chain, shared),
    "add `type: object` to schemas.More beside `required`; 1",
  );
  const inside = '{Args: {$ref: "#/$defs/Own", $defs: {Own: {properties: {}}}}}';
  assert.match(
    firstFinding(inside, shared),
    "add `type: object` to schemas.Args.$defs.Own beside `properties`; 1",
  );
  const own = '{$ref: "#/$defs/Own", $defs: {Own: {properties: {}}}}';
  assert.match(firstFinding("{}", own), "add `type: object` to $defs.Own beside `properties`; 2");
  assert.match(
    firstFinding("{Args: {type: string}}", shared),
    /a reference to schemas\.Args, which has type: string; put the value into a property/,
  );
  assert.match(firstFinding("{Args: true}", shared), "a reference to schemas.Args, which is true");
});

test.run();
