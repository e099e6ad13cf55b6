import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean } from "./message-parts.js";

/** Rules about the form of the JSON Schemas in a manifest: keywords, their values, dialects and references. */

export const notASchema = defineDiagnostic<{ found: string; name?: string; advice?: string }>({
  code: "MW3001",
  severity: "error",
  title: "not a schema",
  explanation: {
    cause:
      "Where a JSON Schema belongs stands something else. A schema is a mapping of keywords, or true (anything) or false (nothing).",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        city: string",
    fix: "Write the schema out: `city: {type: string}`.",
  },
  message: ({ found, name }) =>
    name === undefined
      ? `a schema must be a mapping, true or false, not ${found}`
      : `${name} has no schema`,
  hint: ({ advice }) => advice,
});

export const inputRootNotObject = defineDiagnostic<{ found: string; advice?: string }>({
  code: "MW3002",
  severity: "error",
  title: "input schema is not an object schema",
  explanation: {
    cause:
      "The arguments of a tool are always one object, and the protocol requires the root of an inputSchema to say so.",
    example: "tools:\n  - name: a\n    description: x\n    inputSchema: {type: string}",
    fix: "Put the value into a property: `inputSchema: {type: object, properties: {text: {type: string}}}`. A root `$ref` to such a schema will do.",
  },
  message: ({ found }) => `an inputSchema must have type: object at its root, not ${found}`,
  hint: ({ advice }) => advice ?? "a tool without arguments needs no inputSchema",
});

export const unknownKeyword = defineDiagnostic<{
  keyword: string;
  nearest?: string;
  advice?: string;
}>({
  code: "MW3003",
  severity: "error",
  title: "unknown schema keyword",
  explanation: {
    cause:
      "A key in a schema is no keyword of JSON Schema. Validators ignore such keys, so that a misspelt rule would silently not hold.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema: {type: object, propertys: {city: {type: string}}}",
    fix: "Use the keyword that the message suggests. Notes of your own start with `x-`.",
  },
  message: ({ keyword, nearest }) =>
    `${keyword} is not a keyword of JSON Schema${didYouMean(nearest)}`,
  hint: ({ advice }) => advice,
});

export const refusedKeyword = defineDiagnostic<{ keyword: string; reason: string }>({
  code: "MW3004",
  severity: "error",
  title: "schema keyword not supported",
  explanation: {
    cause:
      "`$id` and `$vocabulary` change what a schema's references and keywords mean; keywords of older drafts and of single validators mean nothing to others.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema: {$id: https://example.com/city, type: object}",
    fix: "Remove the keyword. Schemas that are used in several places go under `schemas`, and are referred to as `#/schemas/Name`.",
  },
  message: ({ keyword, reason }) => `"${keyword}" is not supported: ${reason}`,
});

export const keywordOfOtherDialect = defineDiagnostic<{
  keyword: string;
  dialect: string;
  other: string;
  instead: string;
}>({
  code: "MW3005",
  severity: "error",
  title: "keyword of another dialect",
  explanation: {
    cause:
      "Schemas are JSON Schema 2020-12 unless `$schema` at their root names draft-07. A keyword of the other dialect is ignored by validators of this one.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema: {type: object, dependencies: {city: [country]}}",
    fix: "Use the keyword that the hint names, or set `$schema` at the root of the schema.",
  },
  message: ({ keyword, dialect, other }) =>
    `${keyword} means nothing in JSON Schema ${dialect}; it is ${other}`,
  hint: ({ instead }) => instead,
});

export const wrongKeywordValue = defineDiagnostic<{
  keyword: string;
  expected: string;
  found: string;
  advice?: string;
}>({
  code: "MW3006",
  severity: "error",
  title: "wrong value of a schema keyword",
  explanation: {
    cause: "A keyword's value is of a kind that it does not take.",
    example:
      'tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        days: {type: integer, minimum: "1"}',
    fix: "Write a value of the kind that the message names: `minimum: 1`.",
  },
  message: ({ keyword, expected, found }) => `"${keyword}" must be ${expected}, not ${found}`,
  hint: ({ advice }) => advice,
});

export const unknownTypeName = defineDiagnostic<{
  found: string;
  nearest?: string;
  advice?: string;
}>({
  code: "MW3007",
  severity: "error",
  title: "unknown type",
  explanation: {
    cause: "JSON Schema knows seven types: null, boolean, object, array, number, integer, string.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        city: {type: strng}",
    fix: "Use one of the seven.",
  },
  message: ({ found, nearest }) =>
    nearest === undefined
      ? `${found} is not a type; JSON Schema has null, boolean, object, array, number, integer and string`
      : `${found} is not a type${didYouMean(nearest)}`,
  hint: ({ advice }) => advice,
});

export const unknownDialect = defineDiagnostic<{ found: string; nearest: string }>({
  code: "MW3008",
  severity: "error",
  title: "unknown schema dialect",
  explanation: {
    cause:
      "`$schema` names a dialect of JSON Schema that mcpwright does not compile. Nothing is ever fetched from the address.",
    example:
      'tools:\n  - name: a\n    description: x\n    inputSchema: {$schema: "http://json-schema.org/draft-04/schema#", type: object}',
    fix: "Remove `$schema` for JSON Schema 2020-12, or use `http://json-schema.org/draft-07/schema#`.",
  },
  message: ({ found }) =>
    `${found} is not a supported dialect; supported are JSON Schema 2020-12 and draft-07`,
  hint: ({ nearest }) => `write $schema: ${nearest}, or leave it out for 2020-12`,
});

export const dialectBelowRoot = defineDiagnostic({
  code: "MW3009",
  severity: "error",
  title: "$schema below the root",
  explanation: {
    cause:
      "A schema has one dialect, said at its root; validators disagree about a `$schema` inside.",
    example:
      'tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        city: {$schema: "http://json-schema.org/draft-07/schema#", type: string}',
    fix: "Move `$schema` to the root of the schema, or remove it.",
  },
  message: () => `"$schema" may stand at the root of a schema only`,
});

export const externalReference = defineDiagnostic<{ reference: string; nearest?: string }>({
  code: "MW3010",
  severity: "error",
  title: "reference out of the manifest",
  explanation: {
    cause:
      "A `$ref` names another document. mcpwright opens no other file and no connection, and neither may clients.",
    example:
      'tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        city: {$ref: "https://example.com/city.json"}',
    fix: "Copy the schema under `schemas` and refer to it as `#/schemas/City`.",
  },
  message: ({ reference, nearest }) =>
    `the reference ${reference} leads out of the manifest${didYouMean(nearest)}`,
  hint: ({ nearest }) =>
    nearest === undefined ? 'put the schema under "schemas" and write "#/schemas/Name"' : undefined,
});

export const danglingReference = defineDiagnostic<{ reference: string; nearest?: string }>({
  code: "MW3011",
  severity: "error",
  title: "reference leads nowhere",
  explanation: {
    cause:
      "There is no schema where a `$ref` points. `#/schemas/…` is the manifest's map of shared schemas; every other `#` is the schema that holds the reference, from its root.",
    example:
      'tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties: {city: {$ref: "#/$defs/Citty"}}\n      $defs: {City: {type: string}}',
    fix: "Correct the name, or add the schema.",
  },
  message: ({ reference, nearest }) =>
    `the reference ${reference} leads to no schema${didYouMean(nearest)}`,
  hint: ({ nearest }) =>
    nearest === undefined ? 'shared schemas stand under "schemas": "#/schemas/Name"' : undefined,
});

export const malformedReference = defineDiagnostic<{ reference: string }>({
  code: "MW3012",
  severity: "error",
  title: "malformed reference",
  explanation: {
    cause: "A `$ref` is a URI: `%` begins an escape of two hexadecimal digits.",
    example:
      'tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties: {rate: {$ref: "#/$defs/100%"}}\n      $defs: {100%: {type: number}}',
    fix: "Write `%25` for a percent sign: `#/$defs/100%25`.",
  },
  message: ({ reference }) => `the reference ${reference} has a broken percent-escape`,
  hint: () => "a percent sign in a name is written %25",
});

export const circularReference = defineDiagnostic<{ steps: readonly string[] }>({
  code: "MW3013",
  severity: "error",
  title: "schema refers to itself without end",
  explanation: {
    cause:
      "A schema applies itself to the same value again, directly or through others: validation would never end. Recursion through properties or items is fine.",
    example:
      'tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      $defs: {A: {$ref: "#/$defs/B"}, B: {$ref: "#/$defs/A"}}',
    fix: "Break the circle: give one of the schemas a meaning of its own.",
  },
  message: ({ steps }) => `these references never end: ${steps.join(" → ")}`,
});

export const referenceAcrossDialects = defineDiagnostic<{
  reference: string;
  own: string;
  other: string;
}>({
  code: "MW3014",
  severity: "error",
  title: "reference to another dialect",
  explanation: {
    cause:
      "A shared schema becomes part of the schemas that refer to it, and one schema has one dialect.",
    example:
      'schemas:\n  City: {$schema: "http://json-schema.org/draft-07/schema#", type: string}\ntools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        city: {$ref: "#/schemas/City"}',
    fix: "Give both the same `$schema`, or none.",
  },
  message: ({ reference, own, other }) =>
    `this schema is JSON Schema ${own}, and ${reference} is ${other}`,
});

export const anchorInSharedSchema = defineDiagnostic<{ keyword: string }>({
  code: "MW3015",
  severity: "error",
  title: "anchor in a shared schema",
  explanation: {
    cause:
      "Shared schemas become part of the schemas that refer to them, where equal anchors would meet.",
    example:
      'schemas: {Node: {$anchor: node, type: object}}\ntools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        node: {$ref: "#/schemas/Node"}',
    fix: 'Refer by path: "#" is the root of the shared schema itself, "#/$defs/Name" a definition in it.',
  },
  message: ({ keyword }) => `"${keyword}" cannot be used in a shared schema; refer by path`,
  hint: () => '"#" is the root of this schema, "#/schemas/Name" any shared one',
});

export const repeatedAnchor = defineDiagnostic<{ name: string }>({
  code: "MW3016",
  severity: "error",
  title: "anchor used twice",
  explanation: {
    cause:
      "Two places of one schema have the same anchor, so that a reference to it has two meanings.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      $defs: {a: {$anchor: x}, b: {$anchor: x}}",
    fix: "Give each place its own name.",
  },
  message: ({ name }) => `the anchor "${name}" stands twice in this schema`,
});

export const recursionInline = defineDiagnostic<{ steps: readonly string[] }>({
  code: "MW3017",
  severity: "error",
  title: "recursive schema cannot be written out",
  explanation: {
    cause:
      "Under `schemaRefs: inline` shared schemas are written out where they are used. A schema that uses itself, directly or through others, would never end.",
    example:
      'schemaRefs: inline\nschemas: {Node: {type: object, properties: {next: {$ref: "#"}}}}\ntools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        node: {$ref: "#/schemas/Node"}',
    fix: "Remove `schemaRefs: inline`, or describe the data without recursion. A recursive schema under a tool's own `$defs` is fine: those are sent as they are.",
  },
  message: ({ steps }) =>
    `this shared schema uses itself, and cannot be inline: ${steps.join(" → ")}`,
  hint: () => "`schemaRefs: defs` sends shared schemas as `$defs`, which may be recursive",
});

export const widerInput = defineDiagnostic<{ what: string; clients: string }>({
  code: "MW3018",
  severity: "warning",
  title: "clients are shown a wider input",
  explanation: {
    cause:
      "Model APIs refuse a tool whose inputSchema has `anyOf`, `oneOf`, `allOf`, `not` or `enum` at its root, some with all other tools of the request, and some clients drop the tool without a word. What `allOf` and references say is joined, and nothing is lost. Of a choice clients are shown one object with the properties of all alternatives, each with the types that alternatives state for it, and its description lists the alternatives. Arguments are checked against what the manifest says: a model may send some that fit what it is shown, and is told what is wrong.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties: {city: {type: string}, zip: {type: string}}\n      additionalProperties: false\n      anyOf: [{required: [city]}, {required: [zip]}]",
    fix: "Put the choice into a property (`properties: {place: {oneOf: [...]}}`), where clients take it, or make a tool of each alternative. `schemaRefs: verbatim` shows clients the schema as it is written.",
  },
  message: ({ what, clients }) =>
    `clients are shown a wider schema than arguments are checked against: ${clients} refuse ${what} at the root of an inputSchema`,
  hint: () => "put the choice into a property, or make a tool of each alternative",
});

export const refusedInput = defineDiagnostic<{ what: string; clients: string }>({
  code: "MW3019",
  severity: "warning",
  title: "input that clients refuse",
  explanation: {
    cause:
      "Model APIs refuse a tool whose inputSchema has a combination of schemas at its root, some with all other tools of the request, and some clients drop the tool without a word. It is sent as it is written under `schemaRefs: verbatim`, and where references lead into the combination.",
    example:
      "schemaRefs: verbatim\ntools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties: {city: {type: string}}\n      additionalProperties: false\n      allOf: [{required: [city]}]",
    fix: "Write `properties` and `required` at the root, or leave out `schemaRefs: verbatim`. What references lead to stands under `$defs`.",
  },
  message: ({ what, clients }) => `${clients} refuse ${what} at the root of an inputSchema`,
});
