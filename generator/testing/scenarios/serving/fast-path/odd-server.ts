import type { ToolEntry } from "../../../../../templates/runtime/tools/definition.js";
import { ProtocolError } from "@modelcontextprotocol/server";
import { askingParts } from "../../../../../templates/runtime/samples/asking.js";
import { changingParts } from "../../../../../templates/runtime/samples/parts.js";
import { image, resourceLink, text } from "../../../../../templates/runtime/engine/content.js";
import type { ServerDefinition } from "../../../../../templates/runtime/engine/definition.js";
import { ToolError } from "../../../../../templates/runtime/engine/errors.js";
import { result } from "../../../../../templates/runtime/tools/result.js";
import { sampleAsks, type AskingContext } from "../../../../../templates/runtime/samples/asking.js";
import { erased, sampleServer, tool } from "../../../../../templates/runtime/samples/server.js";

/** Tools by their results or errors: all that the SDK might treat in its own way. */
const oddities: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  empty_text: () => "",
  empty_list: () => [],
  line_separators: () => 'a\u2028b\u2029\u0000 \ud800 "\\ ✓ 👍',
  annotated: () => [{ ...text("note"), annotations: { priority: 0.5 } }],
  with_meta: () => result({ content: "x", meta: { "example.com/a": 1 } }),
  unknown_key: () => [{ ...text("x"), extra: 1 }],
  linked: () => [resourceLink("sample://help", "help")],
  bad_image: () => image("not base64!", "image/png"),
  no_content: () => 7,
  structured_only: () => result({ structuredContent: { a: [1, "é", null] } }),
  structured_text: () => result({ content: "said", structuredContent: { a: 1 } }),
  structured_null: () => result({ content: [], structuredContent: null }),
  structured_list: () => result({ content: [], structuredContent: [1, 2] }),
  structured_image: () => result({ content: image("AQID", "image/png"), structuredContent: [1] }),
  dated: () => result({ structuredContent: { at: new Date(0), not: undefined } }),
  big_number: () => result({ structuredContent: { n: 1n } }),
  circular: () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    return result({ structuredContent: loop });
  },
  said_error: () => {
    throw new ToolError("said");
  },
  protocol_error: () => {
    throw new ProtocolError(-32_042, "protocol", { a: 1 });
  },
  thrown_text: () => {
    throw "text";
  },
};

const harmless = sampleServer.tools.filter(
  ({ definition: { name } }) => !["sleep", "derail"].includes(name),
);

const fixed: ToolEntry = tool(
  "fixed",
  erased(() => undefined),
  {
    properties: { who: { type: "string" } },
    answer: {
      content: [
        { type: "text", text: ["For ", { argument: "who" }] },
        { type: "image", data: "AQID", mimeType: "image/png" },
      ],
      structuredContent: { closed: true },
      isError: true,
    },
  },
);

/** Switched on and off between requests. */
const switched: ToolEntry = {
  ...tool(
    "switched",
    erased(() => "on"),
  ),
  enabled: false,
  aliases: ["switched_alias"],
};

const asking: ToolEntry = tool(
  "asking",
  erased(async (_input: unknown, ctx) => {
    const { ok } = await (ctx as AskingContext).elicit.confirm({ env: "test" });
    return `confirmed: ${ok}`;
  }),
);

/** Lets the event loop go round a few times. */
async function rounds(): Promise<void> {
  for (let left = 5; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
}

const slow: ToolEntry = tool(
  "slow",
  erased(async () => {
    await rounds();
    return "slow";
  }),
);

/** Reports its progress and logs. */
const talkative: ToolEntry = tool(
  "talkative",
  erased(async (_input, ctx) => {
    ctx.log.debug("begins");
    ctx.log.warning("half", { done: 1 });
    await ctx.progress(1, 2, "half");
    await ctx.progress(1);
    await rounds();
    await ctx.progress(2, 2);
    ctx.log.error("ends");
    return `${ctx.era}, forms: ${ctx.can.elicit}`;
  }),
);

/** Logs before it returns a result that only the SDK can send. The log entry must not be sent twice. */
const grumbling: ToolEntry = tool(
  "grumbling",
  erased(async (_input, ctx) => {
    ctx.log.info("begins");
    await ctx.progress(1);
    return [image("AQID", "image/png")];
  }),
);

/** The same, without ever waiting. */
const hasty: ToolEntry = tool(
  "hasty",
  erased((_input, ctx) => {
    ctx.log.info("begins");
    void ctx.progress(1);
    return [image("AQID", "image/png")];
  }),
);

/** The sample server, with tools, resources and prompts whose names and answers are unusual. */
export const oddServer: ServerDefinition = {
  ...sampleServer,
  limits: { bodyBytes: 20_000, depth: 8, elements: 200, uriLength: 200, ratePerSecond: 1e9 },
  ...askingParts,
  ...changingParts,
  cache: { ttlMs: 5_000, cacheScope: "public" },
  pageSize: 9,
  tools: [
    switched,
    { ...asking, asks: sampleAsks },
    ...harmless,
    ...[slow, talkative, grumbling, hasty],
    ...Object.entries(oddities).map(([name, handler]) => tool(name, erased(handler))),
    fixed,
    tool(
      "by_schema",
      erased(({ how }: { how: string }) => (how === "bad" ? { wrong: 1 } : { how })),
      {
        properties: { how: { type: "string" } },
        outputSchema: {
          type: "object",
          properties: { how: { type: "string" } },
          required: ["how"],
        },
      },
    ),
  ],
  resources: [
    ...sampleServer.resources,
    {
      definition: { uri: "sample://é/ü", name: "accented" },
      cache: { ttlMs: 7 },
      text: "naïve ✓",
    },
    {
      definition: { uri: "sample://with-meta", name: "with-meta" },
      handler: () => erased(() => ({ text: "x", meta: { "example.com/a": 1 } })),
    },
    {
      definition: { uri: "sample://broken", name: "broken" },
      handler: () => erased(() => 7),
    },
  ],
  resourceTemplates: [
    ...sampleServer.resourceTemplates,
    {
      definition: { uriTemplate: "sample://counted/{number}", name: "counted" },
      parts: [
        { kind: "literal", text: "sample://counted/" },
        { kind: "expression", operator: "", names: ["number"], explode: false },
      ],
      list: () => () =>
        [1, 2, 3].map((one) => ({ name: `no. ${one}`, variables: { number: String(one) } })),
      complete: {
        number: () => erased(({ value }: { value: string }) => [`${value}0`, `${value}1`]),
      },
      handler: () => erased(({ number }: { number: string }) => number),
    },
  ],
  prompts: [
    ...sampleServer.prompts,
    {
      definition: { name: "said-error", description: "Fails." },
      handler: () =>
        erased(() => {
          throw new ToolError("said");
        }),
    },
    {
      definition: { name: "=?base64?cGxhbg==?=", description: "Looks encoded." },
      handler: () => erased(() => "encoded?"),
    },
  ],
};

/** The same without anything that changes or asks, so that clients of the older eras need no session. */
export const quietServer: ServerDefinition = (() => {
  const { createHandlerRunner: _runner, createControls: _controls, ...others } = oddServer;
  const { createChanges: _changes, ...rest } = others;
  return {
    ...rest,
    tools: [
      ...oddServer.tools.filter(({ enabled, asks }) => enabled === undefined && asks === undefined),
    ],
    resources: oddServer.resources.map(({ subscribe: _subscribe, ...resource }) => resource),
    resourceTemplates: oddServer.resourceTemplates.map(
      ({ list: _list, subscribe: _subscribe, ...template }) => template,
    ),
  };
})();

/** The same with tools whose output is no object. */
export const listingServer: ServerDefinition = {
  ...quietServer,
  pageSize: 100,
  tools: [
    ...quietServer.tools,
    tool(
      "list_output",
      erased(() => [1, 2]),
      { outputSchema: { type: "array", items: { type: "integer" } } },
    ),
    tool(
      "any_output",
      erased(() => ({ a: 1 })),
      { outputSchema: { anyOf: [{ type: "object" }, { type: "string" }] } },
    ),
  ],
};
