import type { ServerDefinition } from "../engine/definition.js";
import type { Validator } from "../engine/item.js";
import type { JsonObject, ToolsContract } from "../suite/contract.js";
import type { PromptsContract } from "../suite/items/prompt-contract.js";
import type { ResourcesContract } from "../suite/items/resource-contract.js";
import type { ToolEntry } from "../tools/definition.js";
import { changingParts, parts } from "./parts.js";

/** A server that keeps its contract, for the tests of the suites of generated projects. */

const listedTool = { name: "add", inputSchema: { type: "object" } };

/** Makes a validator with one issue, in the form of compiled ones. */
export function validator(
  accepts: (value: unknown) => boolean,
  path: string,
  message: string,
): Validator {
  const validate: Validator = (value) => {
    const issue = { instancePath: path, keyword: "type", params: {}, message };
    validate.errors = accepts(value) ? null : [issue];
    return validate.errors === null;
  };
  return validate;
}

export const hasNumberAt = (value: unknown): boolean =>
  typeof (value as JsonObject)["a"] === "number";
export const hasNumber = validator(hasNumberAt, "/a", "must be number");
export const isNumber = validator((value) => typeof value === "number", "", "must be number");
export const probeMe = (): never => {
  throw new Error("the tests must not reach this handler");
};

export const addTool: ToolEntry = {
  definition: listedTool as ToolEntry["definition"],
  aliases: ["plus"],
  validators: () => ({ input: hasNumber, output: isNumber }),
  defaults: { properties: { b: { value: 2 } } },
  handler: () => probeMe,
  mock: { kind: "value", value: 3 },
  mocks: [
    { arguments: { a: 2, b: 2 }, answer: { kind: "value", value: 4 } },
    { arguments: { a: 5, b: 2 }, answer: { kind: "error", error: "too much" } },
  ],
};

export const resetTool: ToolEntry = {
  definition: { name: "reset", inputSchema: { type: "object" } },
  enabled: false,
  validators: () => ({ input: () => true }),
  answer: { content: [{ type: "text", text: ["done"] }] },
};

export const contractedServer: ServerDefinition = {
  ...parts,
  ...changingParts,
  info: { name: "suites", version: "1.0.0" },
  protocol: { legacy: "serve" },
  transports: [],
  env: [],
  pageSize: 1,
  cache: { ttlMs: 1_000 },
  tools: [addTool, resetTool],
  resources: [
    {
      definition: { uri: "x://help", name: "help", mimeType: "text/plain" },
      subscribe: true,
      cache: { cacheScope: "public" },
      text: "help",
    },
    {
      definition: { uri: "x://more", name: "more" },
      blob: "AQID",
    },
  ],
  resourceTemplates: [
    {
      definition: { uriTemplate: "x://notes/{id}", name: "note" },
      parts: [
        { kind: "literal", text: "x://notes/" },
        { kind: "expression", operator: "", names: ["id"], explode: false },
      ],
      complete: { id: ["1", "2"], rev: probeMe },
      list: probeMe,
      subscribe: true,
      enabled: true,
      handler: () => probeMe,
      mock: "A mock answer of note.",
    },
  ],
  prompts: [
    {
      definition: { name: "greet", arguments: [{ name: "who", required: true }] },
      enabled: true,
      messages: [
        { role: "user", content: { type: "text", text: ["Hello ", { argument: "who" }] } },
      ],
    },
  ],
};

const settings = { pageSize: 1, cache: { ttlMs: 1_000 } };

export const toolsContract: ToolsContract = {
  settings,
  list: [listedTool, { name: "reset", inputSchema: { type: "object" } }],
  tools: [
    {
      name: "add",
      aliases: ["plus"],
      stub: "not written",
      mock: { structuredContent: 3 },
      accepted: [
        { arguments: { a: 1 }, received: { a: 1, b: 2 } },
        { arguments: { a: 2 }, received: { a: 2, b: 2 }, mock: { structuredContent: 4 } },
      ],
      refused: [
        { value: { a: "x" }, says: "a: must be number" },
        { value: { a: ["x"] }, says: "a: must be number" },
      ],
      output: { accepted: [3], refused: [{ value: "x", says: "/: type" }] },
      examples: [
        {
          name: "too much",
          arguments: { a: 5 },
          answer: { content: [{ type: "text", text: "too much" }], isError: true },
          mocked: true,
        },
      ],
      untested: [],
    },
    {
      name: "reset",
      fixed: true,
      enabled: false,
      accepted: [{ arguments: {}, answer: { content: [{ type: "text", text: "done" }] } }],
      refused: [],
      examples: [],
      untested: [],
    },
  ],
};

export const resourcesContract: ResourcesContract = {
  settings,
  list: [
    { uri: "x://help", name: "help", mimeType: "text/plain" },
    { uri: "x://more", name: "more" },
  ],
  templateList: [{ uriTemplate: "x://notes/{id}", name: "note" }],
  resources: [
    {
      name: "help",
      uri: "x://help",
      mimeType: "text/plain",
      text: "help",
      subscribe: true,
      cache: { cacheScope: "public" },
    },
    { name: "more", uri: "x://more", blob: "AQID" },
  ],
  templates: [
    {
      name: "note",
      enabled: true,
      subscribe: true,
      uriTemplate: "x://notes/{id}",
      mockText: "A mock answer of note.",
      matching: [{ uri: "x://notes/a%20b", variables: { id: "a b" } }],
      refused: ["x://notes/.."],
      lists: true,
      completions: [
        { argument: "id", values: ["1", "2"], total: 2 },
        { argument: "rev", given: { id: "7" } },
      ],
    },
  ],
  unknown: ["y://nothing"],
};

export const promptsContract: PromptsContract = {
  settings,
  list: [{ name: "greet", arguments: [{ name: "who", required: true }] }],
  prompts: [
    {
      name: "greet",
      enabled: true,
      required: ["who"],
      cases: [
        {
          arguments: { who: "{{who}}" },
          messages: [{ role: "user", content: { type: "text", text: "Hello {{who}}" } }],
        },
      ],
      completions: [],
    },
  ],
};
