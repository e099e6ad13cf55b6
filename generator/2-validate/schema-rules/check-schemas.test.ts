import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import * as headers from "../../model/catalogue/headers.js";
import * as meaning from "../../model/catalogue/schema-meaning.js";
import * as form from "../../model/catalogue/schema.js";
import * as examples from "../../model/catalogue/tool-examples.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { checkSchemas } from "./check-schemas.js";

function diagnose(yaml: string): readonly Diagnostic[] {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(yaml));
  if (manifest === undefined) throw new Error(diagnostics[0]?.message);
  return checkSchemas(manifest);
}

/** The code of each finding, and the source text at its place. */
function summarize(yaml: string): string[] {
  const lines = yaml.split("\n");
  return diagnose(yaml).map(({ code, line, column, endColumn }) => {
    const source = lines[line - 1]?.slice(column - 1, endColumn - 1);
    return `${code} ${source}`;
  });
}

/** A property of a tool's inputSchema. It has a description, so that nothing else is reported. */
const property = (schema: string): string =>
  `tools: [{name: a, description: x, inputSchema: {type: object, properties: {p: ${schema}}}}]`;

const refusing = (fields: string): string => tool(`inputSchema: {type: object, ${fields}}`);

const tool = (fields: string): string => `tools: [{name: a, description: x, ${fields}}]`;

const doubling = (count: number): string =>
  numbered(
    count,
    (i) => `d${i}: {anyOf: [{$ref: "#/schemas/d${i - 1}"}, {$ref: "#/schemas/d${i - 1}"}]}`,
  );

const chain = (count: number): string =>
  numbered(count, (i) => `c${i}: {$ref: "#/schemas/c${i - 1}"}`);

const names = (count: number): string => numbered(count, (i) => `p${i}: {}`);

function numbered(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index + 1)).join(", ");
}

/** A manifest, and the code and source text of each finding. */
const FIXTURES: readonly [title: string, yaml: string, ...found: string[]][] = [
  ["a property that is no schema", property("text"), "MW3001 text"],
  ["a list as shared schema", "schemas: {A: [1]}", "MW3001 [1]"],
  ["items that are no schema", property("{items: 5}"), "MW3001 5"],
  ["a text root", tool("inputSchema: {type: string}"), "MW3002 string"],
  ["a root of two types", tool('inputSchema: {type: [object, "null"]}'), 'MW3002 [object, "null"]'],
  ["true as root", tool("inputSchema: true"), "MW3002 true"],
  ["an empty root", tool("inputSchema: {}"), "MW3002 inputSchema"],
  [
    "a root reference to a text",
    "schemas: {A: {type: string}}\n" + tool('inputSchema: {$ref: "#/schemas/A"}'),
    "MW3002 inputSchema",
  ],
  ["a misspelt keyword", property("{typ: string}"), "MW3003 typ"],
  ["$id", tool("inputSchema: {$id: a, type: object}"), "MW3004 $id"],
  ["OpenAPI's nullable", property("{nullable: true}"), "MW3004 nullable"],
  ["$data", property('{minimum: {$data: "1/b"}}'), "MW3004 $data"],
  ["dependencies in 2020-12", property("{dependencies: {a: [b]}}"), "MW3005 dependencies"],
  ["a list of items in 2020-12", property("{items: [{type: string}]}"), "MW3005 items"],
  [
    "prefixItems in draft-07",
    tool('outputSchema: {$schema: "http://json-schema.org/draft-07/schema#", prefixItems: [{}]}'),
    "MW3005 prefixItems",
  ],
  ["a bound in quotes", property('{minimum: "2"}'), 'MW3006 "2"'],
  ["required as text", property("{required: name}"), "MW3006 name"],
  ["properties as list", property("{properties: []}"), "MW3006 []"],
  ["an empty anyOf", property("{anyOf: []}"), "MW3006 []"],
  ["a fraction as count", property("{maxLength: 1.5}"), "MW3006 1.5"],
  ["dependentRequired without a list", property("{dependentRequired: {a: b}}"), "MW3006 b"],
  ["null as type", property("{type: [string, null]}"), "MW3006 null"],
  ["a format for a type", property("{type: date}"), "MW3007 date"],
  ["a union for a type", property("{type: string | null}"), "MW3007 string | null"],
  ["a misspelt type", property("{type: strng}"), "MW3007 strng"],
  [
    "another dialect",
    tool('inputSchema: {$schema: "http://json-schema.org/draft-04/schema#", type: object}'),
    'MW3008 "http://json-schema.org/draft-04/schema#"',
  ],
  [
    "$schema below the root",
    property('{$schema: "https://json-schema.org/draft/2020-12/schema"}'),
    "MW3009 $schema",
  ],
  ["an external reference", property('{$ref: "city.json#/a"}'), 'MW3010 "city.json#/a"'],
  ["a dangling reference", property('{$ref: "#/$defs/A"}'), 'MW3011 "#/$defs/A"'],
  [
    "a reference to no schema",
    property('{$ref: "#/properties/p/enum/0", enum: [1]}'),
    'MW3011 "#/properties/p/enum/0"',
  ],
  [
    "a reference to the prototype",
    property('{$ref: "#/$defs/toString"}'),
    'MW3011 "#/$defs/toString"',
  ],
  ["a broken escape", property('{$ref: "#/$defs/%"}'), 'MW3012 "#/$defs/%"'],
  [
    "a circle",
    'schemas: {A: {anyOf: [{$ref: "#/schemas/B"}]}, B: {$ref: "#/schemas/A"}}',
    'MW3013 "#/schemas/B"',
  ],
  ["a reference to itself", tool('outputSchema: {$ref: "#"}'), 'MW3013 "#"'],
  [
    "a reference to another dialect",
    'schemas: {A: {$schema: "http://json-schema.org/draft-07/schema#"}}\n' +
      property('{$ref: "#/schemas/A"}'),
    'MW3014 "#/schemas/A"',
  ],
  ["an anchor in a shared schema", "schemas: {A: {$anchor: a}}", "MW3015 $anchor"],
  [
    "an anchor twice",
    tool("outputSchema: {$defs: {a: {$anchor: x}, b: {$anchor: x}}}"),
    "MW3016 $anchor",
  ],
  [
    "a choice at the root of an input",
    refusing("anyOf: [{required: [a]}, {required: [b]}], properties: {a: {}, b: {}}"),
    "MW3018 anyOf",
  ],
  [
    "a choice to which the root of an input refers",
    'schemas: {A: {type: object, properties: {a: {}, b: {}}, oneOf: [{required: [a]}, {required: [b]}]}}\ntools: [{name: a, description: x, inputSchema: {$ref: "#/schemas/A"}}]',
    "MW3018 $ref",
  ],
  [
    "a combination at the root of an input that is sent as it is written",
    `schemaRefs: verbatim\n${refusing("allOf: [{properties: {a: {}}}]")}`,
    "MW3019 allOf",
  ],
  [
    "a combination at the root of an input to which a reference leads",
    refusing('allOf: [{properties: {a: {}}}], properties: {b: {$ref: "#/allOf/0/properties/a"}}'),
    "MW3019 allOf",
  ],
  [
    "recursion that is written out",
    'schemaRefs: inline\nschemas: {A: {properties: {b: {$ref: "#/schemas/B"}}}, B: {items: {$ref: "#/schemas/A"}}}',
    'MW3017 "#/schemas/B"',
  ],
  ["a circle that is written out", 'schemaRefs: inline\nschemas: {A: {$ref: "#"}}', 'MW3013 "#"'],
  [
    "recursion of a tool's own, and references that share without it",
    'schemaRefs: inline\nschemas: {A: {properties: {b: {$ref: "#/$defs/B"}}, $defs: {B: {type: string}}}}\n' +
      tool(
        'outputSchema: {$defs: {N: {properties: {n: {$ref: "#/$defs/N"}, a: {$ref: "#/schemas/A"}}}}}',
      ),
  ],
  ["minimum above maximum", property("{minimum: 2, maximum: 1}"), "MW3020 1"],
  [
    "no whole number between bounds",
    property("{type: integer, minimum: 0.2, maximum: 0.8}"),
    "MW3020 0.8",
  ],
  [
    "no whole number between strict bounds",
    property("{type: integer, exclusiveMinimum: 1, exclusiveMaximum: 2}"),
    "MW3020 2",
  ],
  [
    "more required properties than allowed",
    property("{required: [a, b], maxProperties: 1}"),
    "MW3020 1",
  ],
  [
    "more properties asked for than described",
    property("{properties: {a: {}}, minProperties: 2, additionalProperties: false}"),
    "MW3020 2",
  ],
  [
    "more items asked for than a tuple has",
    property("{prefixItems: [{}], items: false, minItems: 2}"),
    "MW3020 2",
  ],
  ["an enum out of bounds", property("{type: string, enum: [ab], minLength: 3}"), "MW3024 [ab]"],
  ["a value of enum out of bounds", property("{enum: [1, 9], maximum: 5}"), "MW3305 9"],
  ["a multiple of nothing", property("{multipleOf: 0, enum: [1]}"), "MW3006 0"],
  [
    "no multiple within the bounds",
    property("{type: integer, multipleOf: 5, minimum: 1, maximum: 4}"),
    "MW3020 4",
  ],
  [
    "no multiple between exclusive bounds",
    property("{type: number, multipleOf: 0.5, exclusiveMinimum: 1, exclusiveMaximum: 1.5}"),
    "MW3020 1.5",
  ],
  ["a constant that has not the format", property("{const: 1.1, format: int32}"), "MW3023 1.1"],
  ["a constant out of bounds", property("{const: 9, maximum: 5}"), "MW3023 9"],
  [
    "exclusive bounds that meet",
    property("{exclusiveMinimum: 2, exclusiveMaximum: 2}"),
    "MW3020 2",
  ],
  ["an empty enum", property("{enum: []}"), "MW3021 []"],
  ["an enum value twice", property("{enum: [{a: 1, b: 2}, {b: 2, a: 1}]}"), "MW3022 {b: 2, a: 1}"],
  ["a required name twice", property("{required: [a, a]}"), "MW3022 a"],
  ["a constant outside of enum", property("{const: 1, enum: [2]}"), "MW3023 1"],
  ["a constant of another type", property("{const: 1, type: string}"), "MW3023 1"],
  ["an enum of another type", property("{type: string, enum: [1, 2]}"), "MW3024 [1, 2]"],
  [
    "a required name that is refused",
    property("{properties: {}, required: [a], additionalProperties: false}"),
    "MW3025 a",
  ],
  [
    "a misspelt required property of an open object",
    property("{properties: {query: {}}, required: [querry]}"),
    "MW3306 querry",
  ],
  [
    "a required property at the root that nothing describes",
    "tools: [{name: a, description: x, outputSchema: {type: object, properties: {b: {}}, required: [town]}}]",
    "MW3306 town",
  ],
  ["a name that servers refuse at the root", refusing("required: [__proto__]"), "MW3027 __proto__"],
  [
    "a name that servers refuse, which nothing could describe",
    refusing(
      "properties: {b: {description: x}}, required: [b, __proto__], additionalProperties: false",
    ),
    "MW3027 __proto__",
  ],
  [
    "a name that servers refuse in an argument",
    refusing("properties: {not: {items: {anyOf: [{type: string}, {required: [__proto__]}]}}}"),
    "MW3027 __proto__",
  ],
  [
    "a name that servers refuse behind references",
    'schemas: {A: {allOf: [{$ref: "#/schemas/B"}]}, B: {required: [__proto__]}}\n' +
      refusing('properties: {a: {$ref: "#/schemas/A"}, b: {$ref: "#/schemas/B"}}'),
    "MW3027 __proto__",
  ],
  ["a wrong default", property("{type: integer, default: x}"), "MW3026 x"],
  [
    "a wrong default beside another error",
    property("{type: object, properties: {a: {enum: []}, b: {type: integer, default: x}}}"),
    "MW3021 []",
    "MW3026 x",
  ],
  [
    "a wrong default behind a reference",
    "schemas: {A: {type: object, properties: {b: {type: integer}}}}\n" +
      property('{$ref: "#/schemas/A", default: {b: x}}'),
    "MW3026 x",
  ],
  ["an invalid pattern", property('{pattern: "("}'), 'MW3030 "("'],
  ["an exponential pattern", property('{pattern: "^(a+)+$"}'), 'MW3031 "^(a+)+$"'],
  [
    "an exponential property name",
    property('{patternProperties: {"^(x|x)*$": {}}}'),
    'MW3031 "^(x|x)*$"',
  ],
  [
    "a quadratic pattern",
    property('{pattern: "^[^@]+@[^@]+[.][^@]+$"}'),
    'MW3032 "^[^@]+@[^@]+[.][^@]+$"',
  ],
  [
    "a cubic pattern of bounded texts",
    property('{pattern: "^a*a*a*$", maxLength: 320}'),
    'MW3032 "^a*a*a*$"',
  ],
  [
    "a pattern that is too long",
    property(`{pattern: "${"ab".repeat(3000)}"}`),
    `MW3033 "${"ab".repeat(3000)}"`,
  ],
  ["references that multiply", `schemas: {d0: {}, ${doubling(15)}}`, "MW3040 d15"],
  [
    "references that nest",
    `schemas: {c0: {}, ${chain(310)}}`,
    ...Array.from({ length: 11 }, (_, index) => `MW3041 c${300 + index}`),
  ],
  ["too many properties", property(`{properties: {${names(1001)}}}`), "MW3042 properties"],
  ["a header with a space", property("{type: string, x-mcp-header: a b}"), "MW3050 a b"],
  [
    "a header twice",
    tool(
      "inputSchema: {type: object, properties: {a: {type: string, x-mcp-header: R}, b: {type: string, x-mcp-header: r}}}",
    ),
    "MW3051 r",
  ],
  ["a header of a number", property("{type: number, x-mcp-header: R}"), "MW3052 number"],
  ["a header of no type", property("{x-mcp-header: R}"), "MW3052 {x-mcp-header: R}"],
  [
    "a header in items",
    property("{items: {type: string, x-mcp-header: R}}"),
    "MW3053 x-mcp-header",
  ],
  [
    "a header in a shared schema",
    "schemas: {A: {type: string, x-mcp-header: R}}",
    "MW3053 x-mcp-header",
  ],
  [
    "wrong example arguments",
    tool(
      "inputSchema: {type: object, properties: {n: {type: integer}}}, examples: [{arguments: {n: x}}]",
    ),
    "MW3060 x",
  ],
  [
    "a missing example argument",
    tool("inputSchema: {type: object, required: [n]}, examples: [{arguments: {m: 1}}]"),
    "MW3060 {m: 1}",
  ],
  [
    "an unknown example argument",
    tool(
      "inputSchema: {type: object, additionalProperties: false}, examples: [{arguments: {m: 1}}]",
    ),
    "MW3060 m",
  ],
  [
    "a wrong example result",
    tool("outputSchema: {items: {type: integer}}, examples: [{result: [1, x]}]"),
    "MW3061 x",
  ],
  [
    "a result that fits no alternative",
    tool(
      'outputSchema: {anyOf: [{type: integer}, {required: [a]}, {$ref: "#/$defs/b"}], $defs: {b: {const: 1}}}, examples: [{result: {b: 1}}]',
    ),
    "MW3061 {b: 1}",
  ],
  ["a result without schema", tool("examples: [{result: 1}]"), "MW3062 result"],
  [
    "a text with schema",
    tool("outputSchema: {type: object}, examples: [{text: x}]"),
    "MW3063 text",
  ],
  ["a wrong fixed answer", tool("outputSchema: {type: object}, structuredContent: 1"), "MW3064 1"],
  [
    "a required property without description",
    tool("inputSchema: {type: object, properties: {a: {}, b: {const: x}}, required: [a, b]}"),
    "MW3301 a",
  ],
  ["an unknown format", property("{format: timestamp}"), "MW3302 timestamp"],
  [
    "uniqueItems on objects",
    property("{uniqueItems: true, items: {type: object}}"),
    "MW3303 uniqueItems",
  ],
  ["a wrong example value", property("{type: integer, examples: [1, x]}"), "MW3304 x"],
  ["an enum value of another type", property("{type: string, enum: [a, 2]}"), "MW3305 2"],
  [
    "a default in an alternative",
    property("{anyOf: [{properties: {q: {default: 1}}}, {type: string}]}"),
    "MW3307 default",
  ],
  [
    "a default in a schema that leads back to itself",
    tool("inputSchema: {type: object, properties: {w: {default: 1}, child: {$ref: '#'}}}"),
    "MW3310 default",
  ],
  ["a bound of another type", property("{type: string, minimum: 2}"), "MW3309 minimum"],
  [
    "rules of objects and lists elsewhere",
    property("{type: array, properties: {a: {}}, items: {type: boolean, items: {}}}"),
    "MW3309 properties",
    "MW3309 items",
  ],
  [
    "alternatives that overlap",
    property("{oneOf: [{type: integer}, {const: 1}]}"),
    "MW3308 {const: 1}",
  ],
];

for (const [title, yaml, ...found] of FIXTURES) {
  test(title, () => assert.equal(summarize(yaml), found));
}

test("every code has a fixture", () => {
  const fixtures = new Set(
    FIXTURES.flatMap(([, , ...found]) => found.map((text) => text.slice(0, 6))),
  );
  const entries = [form, meaning, headers, examples].flatMap((catalogue) =>
    Object.values(catalogue),
  );
  const codes = entries.map(({ entry }) => entry.code);
  assert.equal(
    codes.filter((code) => !fixtures.has(code)),
    [],
  );
  assert.is(new Set(codes).size, codes.length);
});

const SOUND: readonly [title: string, yaml: string][] = [
  [
    "recursion through properties",
    tool('outputSchema: {type: object, properties: {next: {$ref: "#"}}}'),
  ],
  [
    "recursion among shared schemas",
    'schemas: {A: {items: {$ref: "#/schemas/B"}}, B: {items: {$ref: "#/schemas/A"}}}',
  ],
  [
    "a root reference to an object",
    "schemas: {A: {type: object}}\n" + tool('inputSchema: {$ref: "#/schemas/A"}'),
  ],
  [
    "an escaped reference",
    tool('outputSchema: {$ref: "#/$defs/a~1b%25%7Ec", $defs: {a/b%~c: {type: string}}}').replace(
      "%7Ec",
      "~0c",
    ),
  ],
  ["an anchor", tool('outputSchema: {items: {$ref: "#a"}, $defs: {b: {$anchor: a}}}')],
  [
    "names of Object.prototype",
    property(
      "{type: object, properties: {toString: {type: string}, constructor: {}}, default: {toString: y}}",
    ),
  ],
  [
    "draft-07",
    tool(
      'outputSchema: {$schema: "http://json-schema.org/draft-07/schema#", definitions: {a: {type: string}}, items: [{$ref: "#/definitions/a"}], additionalItems: false, dependencies: {a: [b]}}',
    ),
  ],
  [
    "definitions in 2020-12",
    tool('outputSchema: {definitions: {a: {}}, items: {$ref: "#/definitions/a"}}'),
  ],
  ["notes of one's own", property("{x-note: {anything: [goes]}}")],
  ["a legal header", property("{type: string, x-mcp-header: Region}")],
  [
    "a quadratic pattern of short texts",
    property('{pattern: "^[^@]+@[^@]+[.][^@]+$", maxLength: 320}'),
  ],
  [
    "bounds that are multiples themselves",
    property("{type: number, multipleOf: 0.01, minimum: 0.07, maximum: 0.075}"),
  ],
  [
    "one multiple between exclusive bounds",
    property("{type: integer, multipleOf: 3, exclusiveMinimum: 0, exclusiveMaximum: 6}"),
  ],
  ["a default of a fraction", property("{type: number, multipleOf: 0.01, default: 0.07}")],
  [
    "a described reference",
    "schemas: {A: {description: x}}\n" +
      tool('inputSchema: {type: object, properties: {a: {$ref: "#/schemas/A"}}, required: [a]}'),
  ],
  [
    "uniqueItems on texts",
    "schemas: {A: {type: string}}\n" +
      property('{uniqueItems: true, items: {$ref: "#/schemas/A"}}'),
  ],
  [
    "bounds that just leave a value",
    property("{type: integer, minimum: 0.2, exclusiveMaximum: 1.1, enum: [1], multipleOf: 1}"),
  ],
  [
    "tuples and objects that are just full",
    property(
      "{prefixItems: [{}], items: false, minItems: 1, properties: {a: {description: x}}, minProperties: 1, maxProperties: 1, required: [a], additionalProperties: false}",
    ),
  ],
  [
    "a name that servers refuse where no argument must have it",
    "schemas: {A: {required: [__proto__]}}\n" +
      tool(
        'inputSchema: {type: object, if: {required: [__proto__], not: {required: [__proto__]}}, then: false, $defs: {a: {required: [__proto__]}}}, outputSchema: {$ref: "#/schemas/A", required: [__proto__]}',
      ),
  ],
  [
    "a name that servers refuse, asked of a result which could not be described otherwise",
    tool("outputSchema: {type: object, properties: {b: {}}, required: [__proto__]}"),
  ],
  ["boolean schemas", tool("outputSchema: true") + "\nschemas: {A: false}"],
  [
    "a required property that a pattern allows",
    property('{patternProperties: {"^a": {}}, required: [ab], additionalProperties: false}'),
  ],
  [
    "examples that fit",
    tool(
      "inputSchema: {type: object, properties: {n: {type: integer}}}, outputSchema: {type: array, items: {const: {toString: 1}}}, examples: [{arguments: {n: 1}, result: [{toString: 1}]}, {error: no}]",
    ),
  ],
  [
    "what is around schemas",
    "schemas: [1]\ntools: [1, {inputSchema: {type: object}, examples: 5}, {examples: [1]}]",
  ],
  ["tools that are no list", "tools: {a: 1}"],
  [
    "what is joined at the root of an input",
    'schemas: {A: {type: object, properties: {a: {}}}}\ntools: [{name: a, description: x, inputSchema: {$ref: "#/schemas/A", allOf: [{properties: {b: {}}}], required: [a]}}]',
  ],
  [
    "a choice in a property of an input, or at the root of an output",
    tool(
      "inputSchema: {type: object, properties: {p: {oneOf: [{const: 1}, {const: 2}]}}}, outputSchema: {oneOf: [{const: 1}, {const: 2}]}",
    ),
  ],
  [
    "required in a branch, whose property another branch describes",
    property("{properties: {city: {}}, anyOf: [{properties: {a: {}}, required: [city]}]}"),
  ],
  [
    "a required property that other keywords describe",
    tool("outputSchema: {type: object, properties: {b: {}}, required: [town], oneOf: [{}]}"),
  ],
  [
    "a required property of a map",
    tool(
      "outputSchema: {type: object, properties: {b: {}}, required: [town], additionalProperties: {type: string}}",
    ),
  ],
];

for (const [title, yaml] of SOUND) {
  test(`${title}: nothing is reported`, () => assert.equal(summarize(yaml), []));
}

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
    [property("{format: datetime}"), '"date-time"'],
  ] as const;
  for (const [yaml, name] of meant) assert.match(hintsOf(yaml).join(), `did you mean ${name}?`);
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
  const told = (schemas: string, root: string): string => {
    const [first] = diagnose(`schemas: ${schemas}\n${tool(`inputSchema: ${root}`)}`).filter(
      ({ code }) => code === "MW3002",
    );
    return [first?.message, first?.hint, ...(first?.related ?? []).map(({ line }) => line)].join(
      "; ",
    );
  };
  const shared = '{$ref: "#/schemas/Args"}';
  assert.is(
    told("{Args: {properties: {city: {type: string}}}}", shared),
    "an inputSchema must have type: object at its root, not a reference to schemas.Args, which has no type; " +
      "add `type: object` to schemas.Args beside `properties`; 1",
  );
  assert.match(
    told("{Args: {description: All of it}}", shared),
    "add `type: object` to schemas.Args; 1",
  );
  const chain = '{Args: {$ref: "#/schemas/More"}, More: {required: [a]}}';
  assert.match(told(chain, shared), "add `type: object` to schemas.More beside `required`; 1");
  const inside = '{Args: {$ref: "#/$defs/Own", $defs: {Own: {properties: {}}}}}';
  assert.match(
    told(inside, shared),
    "add `type: object` to schemas.Args.$defs.Own beside `properties`; 1",
  );
  const own = '{$ref: "#/$defs/Own", $defs: {Own: {properties: {}}}}';
  assert.match(told("{}", own), "add `type: object` to $defs.Own beside `properties`; 2");
  assert.match(
    told("{Args: {type: string}}", shared),
    /a reference to schemas\.Args, which has type: string; put the value into a property/,
  );
  assert.match(told("{Args: true}", shared), "a reference to schemas.Args, which is true");
});

test.run();
