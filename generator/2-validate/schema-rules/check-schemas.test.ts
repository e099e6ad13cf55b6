import { test } from "uvu";
import * as assert from "uvu/assert";
import * as headers from "../../model/catalogue/headers.js";
import * as patterns from "../../model/catalogue/patterns.js";
import * as meaning from "../../model/catalogue/schema-meaning.js";
import * as form from "../../model/catalogue/schema.js";
import * as examples from "../../model/catalogue/tool-examples.js";
import {
  chainedSchemas,
  branchingSchemas,
  untypedProperties,
  property,
  toolWithInput,
  summarize,
  tool,
} from "../../testing/harness/projects/schema-findings.js";

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
    toolWithInput("anyOf: [{required: [a]}, {required: [b]}], properties: {a: {}, b: {}}"),
    "MW3018 anyOf",
  ],
  [
    "a choice to which the root of an input refers",
    'schemas: {A: {type: object, properties: {a: {}, b: {}}, oneOf: [{required: [a]}, {required: [b]}]}}\ntools: [{name: a, description: x, inputSchema: {$ref: "#/schemas/A"}}]',
    "MW3018 $ref",
  ],
  [
    "a combination at the root of an input that is sent as it is written",
    `schemaRefs: verbatim\n${toolWithInput("allOf: [{properties: {a: {}}}]")}`,
    "MW3019 allOf",
  ],
  [
    "a combination at the root of an input to which a reference leads",
    toolWithInput(
      'allOf: [{properties: {a: {}}}], properties: {b: {$ref: "#/allOf/0/properties/a"}}',
    ),
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
  ["a pattern between slashes", property('{pattern: "/^a$/"}'), 'MW3313 "/^a$/"'],
  ["minimum above maximum", property("{minimum: 2, maximum: 1}"), "MW3020 1"],
  ["an enum out of bounds", property("{type: string, enum: [ab], minLength: 3}"), "MW3024 [ab]"],
  ["a value of enum out of bounds", property("{enum: [1, 9], maximum: 5}"), "MW3305 9"],
  ["a multiple of nothing", property("{multipleOf: 0, enum: [1]}"), "MW3006 0"],
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
  [
    "a name that servers refuse at the root",
    toolWithInput("required: [__proto__]"),
    "MW3027 __proto__",
  ],
  [
    "a name that servers refuse, which nothing could describe",
    toolWithInput(
      "properties: {b: {description: x}}, required: [b, __proto__], additionalProperties: false",
    ),
    "MW3027 __proto__",
  ],
  [
    "a name that servers refuse in an argument",
    toolWithInput("properties: {not: {items: {anyOf: [{type: string}, {required: [__proto__]}]}}}"),
    "MW3027 __proto__",
  ],
  [
    "a name that servers refuse behind references",
    'schemas: {A: {allOf: [{$ref: "#/schemas/B"}]}, B: {required: [__proto__]}}\n' +
      toolWithInput('properties: {a: {$ref: "#/schemas/A"}, b: {$ref: "#/schemas/B"}}'),
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
    "bounded repetitions that multiply",
    property('{pattern: "^a{0,1000}a{0,1000}a{0,1000}b$", maxLength: 320}'),
    'MW3032 "^a{0,1000}a{0,1000}a{0,1000}b$"',
  ],
  [
    "a quadratic property name, however short names are",
    property('{patternProperties: {"^a*a*$": {}}, propertyNames: {maxLength: 9}}'),
    'MW3032 "^a*a*$"',
  ],
  [
    "a pattern that is too long",
    property(`{pattern: "${"ab".repeat(3000)}"}`),
    `MW3033 "${"ab".repeat(3000)}"`,
  ],
  ["references that multiply", `schemas: {d0: {}, ${branchingSchemas(15)}}`, "MW3040 d15"],
  [
    "references that nest",
    `schemas: {c0: {}, ${chainedSchemas(310)}}`,
    ...Array.from({ length: 11 }, (_, index) => `MW3041 c${300 + index}`),
  ],
  [
    "too many properties",
    property(`{properties: {${untypedProperties(1001)}}}`),
    "MW3042 properties",
  ],
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
  [
    "a matcher of a value that is not there",
    tool("examples: [{text: x, matches: {/id: {type: string}}}]"),
    "MW3066 /id",
  ],
  [
    "a matcher of the items of an empty list",
    tool("outputSchema: {type: array}, examples: [{result: [], matches: {/*: {any: true}}}]"),
    "MW3066 /*",
  ],
  [
    "matchers that the values of the example break",
    tool(
      "outputSchema: {type: array}, examples: [{result: [1, x], matches: {/0: {pattern: x}, /*: {type: string}}}]",
    ),
    "MW3067 x",
    "MW3067 string",
  ],
  [
    "a matcher that is no regular expression",
    tool("examples: [{text: x, matches: {'': {pattern: '('}}}]"),
    "MW3030 '('",
  ],
  [
    "matchers of the whole text, and of every item",
    tool(
      "outputSchema: {type: array}, examples: [{error: x, matches: {'': {pattern: '^x$'}}}, {result: [1, 2], matches: {/*: {type: integer}, /0: {any: true}}}]",
    ),
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
  [
    "a keyword among the properties",
    toolWithInput("properties: {p: {}, additionalProperties: false}"),
    "MW3314 additionalProperties",
  ],
  ["a keyword without the other", property("{then: {minLength: 1}}"), "MW3315 then"],
  [
    "a type that does not exist, beside keywords of any type",
    property("{type: strng, minLength: 2, maximum: 3, items: {}, properties: {}}"),
    "MW3007 strng",
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
  const entries = [form, meaning, patterns, headers, examples].flatMap((catalogue) =>
    Object.values(catalogue),
  );
  const codes = entries.map(({ entry }) => entry.code);
  assert.equal(
    codes.filter((code) => !fixtures.has(code)),
    [],
  );
  assert.is(new Set(codes).size, codes.length);
});

test.run();
