import { test } from "uvu";
import { expectPrinted } from "../../testing/harness/oracles/printed-types.js";

test("a named type with defaults has a second form in inputs, except inside of a recursion", () =>
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
          fileName: "page",
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

test("in the type of a value, a property with a default stays optional", () =>
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

test.run();
