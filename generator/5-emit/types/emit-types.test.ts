import { ts } from "ts-morph";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonSchema } from "../../model/json.js";
import type { SharedSchemaModel } from "../../model/server-model.js";
import { printDeclarations } from "../../testing/type-oracle.js";
import { layOut } from "../../text/code.js";
import { createTypeScriptPrinter } from "../typescript-printer.js";
import type { TypeRequest } from "./emit-types.js";
import { emitTypes } from "../../testing/types-in-one-module.js";
import { declarationOf } from "./type-declaration.js";

const printer = createTypeScriptPrinter();

const requestFor = (schema: JsonSchema, mode: TypeRequest["mode"] = "arguments"): TypeRequest => ({
  typeName: "Input",
  schema,
  mode,
});

/** The emitted file without the types of JSON itself, as it stands in a generated project. */
async function printed(
  requests: readonly TypeRequest[],
  shared: readonly SharedSchemaModel[] = [],
): Promise<string> {
  const declarations = emitTypes(requests, shared).filter(({ name }) => !/^Json[VOP]/.test(name));
  return printer.print(declarations.map(declarationOf));
}

async function expectPrinted(
  expected: string,
  schema: JsonSchema,
  options: { mode?: TypeRequest["mode"]; shared?: readonly SharedSchemaModel[] } = {},
): Promise<void> {
  const text = await printed([requestFor(schema, options.mode)], options.shared);
  assert.fixture(text.trim(), expected.trim());
}

const city: SharedSchemaModel = {
  name: "City",
  typeName: "City",
  schema: { type: "string", minLength: 1, maxLength: 80, description: "City name" },
};

test("a tool's input reads like a hand-written interface", () =>
  expectPrinted(
    `
/** City name */
export type City = string;

export interface Input {
  city: City;
  /**
   * How far to look
   *
   * Integer, 1 to 14
   * @default 3
   */
  days: number;
  units?: "metric" | "imperial" | null;
}
`,
    {
      type: "object",
      properties: {
        city: { $ref: "#/schemas/City" },
        days: {
          type: "integer",
          minimum: 1,
          maximum: 14,
          default: 3,
          description: "How far to look",
        },
        units: { enum: ["metric", "imperial", null] },
      },
      required: ["city"],
      additionalProperties: false,
    },
    { shared: [{ ...city, schema: { type: "string", description: "City name" } }] },
  ));

test("an open object keeps room for other properties, a bare one is any object", () =>
  expectPrinted(
    `
export interface Input {
  filter?: JsonObject;
  labels?: {
    [key: string]: string;
  };
  sizes?: {
    total: number;
    unit?: string;
    [key: string]: number | string | undefined;
  };
  [key: string]: unknown;
}
`,
    {
      type: "object",
      properties: {
        filter: { type: "object" },
        labels: { type: "object", additionalProperties: { type: "string" } },
        sizes: {
          type: "object",
          properties: { total: { type: "number" }, unit: { type: "string" } },
          required: ["total"],
          additionalProperties: { type: "number" },
        },
      },
    },
  ));

test("without a type the keywords constrain one kind and let the others pass", () =>
  expectPrinted(
    `
export type Input =
  | JsonPrimitive
  | JsonValue[]
  | {
      name?: string;
      [key: string]: unknown;
    };
`,
    { properties: { name: { type: "string" } } },
  ));

test("alternatives with a property in common are a discriminated union", () =>
  expectPrinted(
    `
export type Input =
  | {
      kind: "circle";
      radius: number;
    }
  | {
      kind: "square";
      side: number;
    };
`,
    {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "circle" }, radius: { type: "number" } },
          required: ["kind", "radius"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { kind: { const: "square" }, side: { type: "number" } },
          required: ["kind", "side"],
          additionalProperties: false,
        },
      ],
    },
  ));

test("what alternatives share is written once", () =>
  expectPrinted(
    `
export type Input = {
  amount: number;
  card?: string;
  iban?: string;
} & (
  | {
      card: string;
    }
  | {
      iban: string;
    }
);
`,
    {
      type: "object",
      properties: {
        amount: { type: "number" },
        card: { type: "string" },
        iban: { type: "string" },
      },
      required: ["amount"],
      additionalProperties: false,
      anyOf: [{ required: ["card"] }, { required: ["iban"] }],
    },
  ));

test("a condition on a property becomes a choice", () =>
  expectPrinted(
    `
export type Input = {
  method: "get" | "put";
  body?: string;
} & (
  | {
      method: "put";
      body: string;
    }
  | {
      method: "get";
    }
);
`,
    {
      type: "object",
      properties: { method: { enum: ["get", "put"] }, body: { type: "string" } },
      required: ["method"],
      additionalProperties: false,
      if: { properties: { method: { const: "put" } } },
      then: { required: ["body"] },
    },
  ));

test("allOf merges objects, also those it refers to", () =>
  expectPrinted(
    `
export interface Input {
  id: string;
  name: string;
  tags?: string[];
  [key: string]: unknown;
}
`,
    {
      allOf: [
        { $ref: "#/$defs/Named" },
        { type: "object", properties: { tags: { type: "array", items: { type: "string" } } } },
      ],
      required: ["id"],
      $defs: {
        Named: {
          type: "object",
          properties: { id: { type: "string" }, name: { type: "string" } },
          required: ["name"],
        },
      },
    },
  ));

test("arrays say their length where it is small", () =>
  expectPrinted(
    `
export interface Input {
  /** At least 1 item */
  some?: string[];
  /** 2 items */
  pair?: number[];
  /** At most 2 items */
  few?: string[];
  /** At most 50 items */
  many?: string[];
  mixed?: (string | number)[];
  tuple?: [] | [string] | [string, boolean];
}
`,
    {
      type: "object",
      properties: {
        some: { type: "array", items: { type: "string" }, minItems: 1 },
        pair: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
        few: { type: "array", items: { type: "string" }, maxItems: 2 },
        many: { type: "array", items: { type: "string" }, maxItems: 50 },
        mixed: { type: "array", items: { type: ["string", "number"] } },
        tuple: {
          type: "array",
          prefixItems: [{ type: "string" }, { type: "boolean" }],
          items: false,
        },
      },
      additionalProperties: false,
    },
  ));

test("recursion goes through names", () =>
  expectPrinted(
    `
export interface Input {
  root: InputNode;
  again?: Input;
}

export interface InputNode {
  value: number;
  children?: InputNode[];
}
`,
    {
      type: "object",
      properties: { root: { $ref: "#/$defs/node" }, again: { $ref: "#" } },
      required: ["root"],
      additionalProperties: false,
      $defs: {
        node: {
          type: "object",
          properties: {
            value: { type: "number" },
            children: { type: "array", items: { $ref: "#/$defs/node" } },
          },
          required: ["value"],
          additionalProperties: false,
        },
      },
    },
  ));

test("a named type has a second form where defaults are applied, which ends at recursion", () =>
  expectPrinted(
    `
export interface Page {
  /** @default 10 */
  size?: number;
  next?: Page;
}

export interface Input {
  page?: PageWithDefaults;
}

export interface PageWithDefaults {
  /** @default 10 */
  size: number;
  next?: Page;
}
`,
    {
      type: "object",
      properties: { page: { $ref: "#/schemas/Page" } },
      additionalProperties: false,
    },
    {
      shared: [
        {
          name: "Page",
          typeName: "Page",
          schema: {
            type: "object",
            properties: {
              size: { type: "number", default: 10 },
              next: { $ref: "#/schemas/Page" },
            },
            additionalProperties: false,
          },
        },
      ],
    },
  ));

test("a default that breaks its own schema is part of the type that a handler sees", () =>
  expectPrinted(
    `
export interface Input {
  /** @default null */
  limit: number | null;
}
`,
    {
      type: "object",
      properties: { limit: { type: "number", default: null } },
      additionalProperties: false,
    },
  ));

test("a value keeps its defaults optional", () =>
  expectPrinted(
    `
export interface Input {
  /** @default 3 */
  days?: number;
}
`,
    {
      type: "object",
      properties: { days: { type: "number", default: 3 } },
      additionalProperties: false,
    },
    { mode: "value" },
  ));

test("docs carry what types cannot say", () =>
  expectPrinted(
    `
export interface Input {
  /**
   * Title
   *
   * First line.
   * Second line.
   *
   * 1 to 80 characters, format email, pattern \`^a\`
   * @default "a@b.c"
   * @example "x@y.z"
   * @deprecated
   */
  mail: string;
}
`,
    {
      type: "object",
      properties: {
        mail: {
          title: "Title",
          description: "First line.\nSecond line.",
          type: "string",
          minLength: 1,
          maxLength: 80,
          format: "email",
          pattern: "^a",
          default: "a@b.c",
          examples: ["x@y.z"],
          deprecated: true,
        },
      },
      additionalProperties: false,
    },
  ));

test("inner types avoid the names of others", () => {
  const schema = {
    type: "object",
    properties: { a: { $ref: "#/$defs/a-b" }, b: { $ref: "#/$defs/a_b" } },
    additionalProperties: false,
    $defs: { "a-b": { type: "string" }, a_b: { type: "number" } },
  };
  const names = emitTypes([requestFor(schema)], [], ["InputAB"]).map(({ name }) => name);
  assert.equal(names.slice(0, 3), ["Input", "InputAB2", "InputAB3"]);
});

test("a request's types do not depend on the other requests", () => {
  const first = requestFor({ type: "object", properties: { city: { $ref: "#/schemas/City" } } });
  const second: TypeRequest = { ...first, typeName: "Other", schema: { allOf: [true, {}] } };
  const alone = emitTypes([first], [city]).filter(({ name }) => name === "Input");
  const together = emitTypes([second, first], [city]).filter(({ name }) => name === "Input");
  assert.equal(together, alone);
});

test("references that lead nowhere but to themselves say nothing", () => {
  const names = ["#/$defs/a", "#/$defs/b", "#"];
  for (const $ref of names) {
    const schema = {
      $ref,
      $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } },
    };
    const [declaration] = emitTypes([requestFor(schema)], []);
    assert.equal(declaration, { kind: "alias", name: "Input", docs: [], body: "JsonValue" });
  }
});

test("nets of references stay in bounds", () => {
  const $defs: Record<string, JsonSchema> = { d0: { type: "string" } };
  for (let index = 1; index < 60; index++) {
    const below = { allOf: [{ $ref: `#/$defs/d${index - 1}` }, { properties: { z: {} } }] };
    $defs[`d${index}`] = {
      type: "object",
      properties: { a: below, b: below, c: { type: "string", default: "x" } },
    };
  }
  const declarations = emitTypes([requestFor({ $ref: "#/$defs/d59", $defs })], []);
  const texts = declarations.map(({ body }) => layOut(body));
  assert.ok(texts.join("").length < 1_000_000);
});

const hostile = [
  "*/ export const evil = 1; /*",
  '"; export const evil = 1; //',
  "${evil} ` \\ \\u002a/",
  "a\n// @ts-ignore\n/// <reference path='x' />\n@ts-nocheck\n#region",
  "\u2028export {}\u2029\u202e\ufeff",
  "__proto__",
  "constructor",
  "1",
  "",
  "{@link x} <script>",
];

/** Every place of a schema where a text can stand. */
function schemaWith(text: string): JsonObject {
  const described = { title: text, description: text, pattern: text, format: text };
  const $defs: Record<string, JsonSchema> = Object.fromEntries([
    [text, { type: "null", ...described }],
  ]);
  const pointer = encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"));
  const properties: Record<string, JsonSchema> = Object.fromEntries([
    [text, { type: "string", ...described, default: text, examples: [text] }],
  ]);
  return {
    type: "object",
    properties: {
      holder: { type: "object", properties, required: [text], additionalProperties: false },
      choice: { enum: [text, { key: text }, [text]] },
      named: { $ref: `#/$defs/${pointer}` },
    },
    patternProperties: { [`${text}.`]: { const: text } },
    ...described,
    $defs,
  };
}

/** The kinds of all nodes and doc tags; how a property's name is written does not count. */
function shapeOf(text: string): string {
  const source = ts.createSourceFile("types.ts", text, ts.ScriptTarget.ES2022, true);
  const describe = (node: ts.Node): string => {
    if (ts.isPropertyName(node) && ts.isPropertySignature(node.parent)) return "name";
    const children: string[] = [];
    ts.forEachChild(node, (child) => void children.push(describe(child)));
    const tags = ts.getJSDocTags(node).map((tag) => tag.tagName.text);
    return `${ts.SyntaxKind[node.kind]}[${tags.join()}](${children.join()})`;
  };
  return describe(source) + source.referencedFiles.length + source.typeReferenceDirectives.length;
}

test("no text of a schema becomes code", () => {
  const plain = shapeOf(printDeclarations(emitTypes([requestFor(schemaWith("x"))], [])));
  for (const text of hostile) {
    const file = printDeclarations(emitTypes([requestFor(schemaWith(text))], []));
    assert.is(shapeOf(file), plain, JSON.stringify(text));
    assert.not.match(file, /^[\s/*]*@ts-/m);
    assert.not.match(file, /[\u2028\u2029\u202e\ufeff]/);
  }
});

test.run();
