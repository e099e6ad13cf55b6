import { test } from "uvu";
import { expectPrinted } from "../../testing/harness/oracles/printed-types.js";

test("the type of a tool's input looks like a hand-written interface", () =>
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
    {
      shared: [
        {
          name: "City",
          typeName: "City",
          fileName: "city",
          schema: { type: "string", description: "City name" },
        },
      ],
    },
  ));

test("the type of an open object allows other properties, and that of a bare object any object", () =>
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

test("without the keyword type, keywords constrain only values of their own type", () =>
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

test("properties that all alternatives share are written once", () =>
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

test("if and then on a property become a union", () =>
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

test("allOf with objects becomes one object, also through references", () =>
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

test("the type of a short array has its length", () =>
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

test("a recursive schema becomes a named type that refers to itself", () =>
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

test("comments contain the constraints that types cannot express", () =>
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

test.run();
