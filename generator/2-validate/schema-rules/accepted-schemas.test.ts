import { test } from "uvu";
import * as assert from "uvu/assert";
import { property, summarize, tool } from "../../testing/harness/projects/schema-findings.js";

const ACCEPTED: readonly [title: string, yaml: string][] = [
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

for (const [title, yaml] of ACCEPTED) {
  test(`${title}: nothing is reported`, () => assert.equal(summarize(yaml), []));
}

test.run();
