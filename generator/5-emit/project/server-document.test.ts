import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonSchema } from "../../model/json.js";
import { normalize } from "../../3-normalize/normalize.js";
import { serverDocumentView } from "./server-document.js";
import { renderTemplate } from "./templates.js";

interface View {
  readonly tools: readonly {
    readonly input: {
      readonly words: string | null;
      readonly isClosed: boolean;
      readonly rules: object | null;
    };
  }[];
  readonly resourceTemplates: readonly { readonly variables: readonly object[] }[];
}

const server = { name: "demo", version: "1.0.0" };

/** What is said of a tool's arguments. */
function saidOf(inputSchema: JsonSchema) {
  const tool = { name: "a", description: "x", inputSchema };
  const view = serverDocumentView(normalize({ ...server, tools: [tool] })) as View;
  const { words, isClosed, rules } = view.tools[0]!.input;
  return { words, isClosed, rules };
}

test("an object of which the names of members follow a pattern is not empty, nor takes it nothing else", () => {
  const patternProperties = { "^depot-": { type: "integer" } };
  const open = { type: "object", patternProperties };
  assert.equal(saidOf(open), {
    words: "object of integer",
    isClosed: false,
    rules: { patternProperties },
  });
  const closed = { ...open, additionalProperties: false };
  const rules = { patternProperties, additionalProperties: false };
  assert.equal(saidOf(closed), { words: "object of integer", isClosed: false, rules });
  const properties = { city: { type: "string" } };
  assert.equal(saidOf({ ...closed, properties }), { words: null, isClosed: false, rules });
  assert.equal(saidOf({ type: "object", properties, additionalProperties: false }), {
    words: null,
    isClosed: true,
    rules: null,
  });
  assert.equal(saidOf({ type: "object", additionalProperties: false }), {
    words: null,
    isClosed: false,
    rules: null,
  });
});

test("a tool's document shows which arguments are repeated in headers", async () => {
  const region = { type: "string", description: "Where", "x-mcp-header": "Region" } as const;
  const schema = { type: "object", properties: { region, city: { type: "string" } } } as const;
  const ofTool = (parts: object) =>
    renderTemplate(
      "SERVER.md",
      serverDocumentView(
        normalize({ ...server, tools: [{ name: "a", description: "x", ...parts }] }),
      ),
    );
  const text = await ofTool({ inputSchema: schema });
  assert.match(
    text,
    "| `region` | string | `Mcp-Param-Region` | Where |\n| `city` | string |  |  |",
  );
  assert.match(text, "repeat an argument in the header");
  assert.not.match(await ofTool({ outputSchema: schema }), "Mcp-Param");
});

test("the segments at the end of a template may be none", () => {
  const template = { uriTemplate: "a://{x}{/path*}{?q}", name: "t", description: "x" };
  const model = normalize({ ...server, resourceTemplates: [template] });
  const [view] = (serverDocumentView(model) as View).resourceTemplates;
  const words = view?.variables.map((variable) => (variable as { words: string }).words);
  assert.equal(words, ["required", "any number of path segments", "optional"]);
});

test.run();
