import { test } from "uvu";
import * as assert from "uvu/assert";
import { entryText, itemText, manifestText } from "./manifest-text.js";

/** How values are laid out that a command writes into a manifest. */

const subscriber = {
  type: "object",
  properties: {
    subscription_lists: {
      type: "array",
      items: {
        type: "object",
        properties: {
          subscription_status: { type: "string" },
          order: { type: "string", enum: ["name", "status", "created_at", "updated_at"] },
          attributes: {
            type: "object",
            description: "All that is known of a subscriber and that has no place of its own",
          },
        },
      },
    },
  },
};

const LAID_OUT = `type: object
properties:
  subscription_lists:
    type: array
    items:
      type: object
      properties:
        subscription_status: {type: string}
        order: {type: string, enum: [name, status, created_at, updated_at]}
        attributes:
          type: object
          description: All that is known of a subscriber and that has no place of its own
`;

const indented = (text: string, column: number): string =>
  text.replace(/^(?=.)/gm, " ".repeat(column)).trimEnd();

test("what fits on one line is on one line, however deep it stands and whatever is above it", () => {
  assert.is(
    manifestText([["schemas", { Subscriber: subscriber }]])
      .split("\n")
      .slice(1)
      .join("\n"),
    `schemas:\n  Subscriber:\n${indented(LAID_OUT, 4)}\n`,
  );
  assert.is(entryText("Subscriber", subscriber, 2), `Subscriber:\n${indented(LAID_OUT, 4)}`);
});

test("a tool that is added to a manifest is laid out like the tools of a new one", () => {
  const tool = {
    name: "get_pet",
    inputSchema: { type: "object", properties: {} },
    http: { upstream: "pets", path: "/pets" },
  };
  const text = `- name: get_pet
    inputSchema: {type: object, properties: {}}
    http: {upstream: pets, path: /pets}`;
  assert.is(itemText(tool, 2, true), text);
  assert.match(manifestText([["tools", [tool]]]), `tools:\n  ${text}\n`);
});

test.run();
