import type { ToolEntry } from "../tools/definition.js";
import { setTimeout as delay } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { AskingContext } from "../asking/context.js";
import { image, text } from "../engine/content.js";
import type { HandlerContext } from "../context/context.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { AnyHandler, Validator } from "../engine/item.js";
import { NotImplementedError, ToolError } from "../engine/errors.js";
import { NotFoundError } from "../engine/errors.js";
import { parts } from "./parts.js";
import { result } from "../tools/result.js";

/** A hand-written server with items of every kind, for the tests of the runtime. */

type Context = HandlerContext<Record<string, unknown>, Record<string, unknown>> & AskingContext;

/** A handler without its types, as in the generated tables. */
export function erased<Input>(
  handler: (input: Input, context: Context) => unknown,
): AnyHandler<unknown> {
  return handler as AnyHandler<unknown>;
}

/** Without a check of the schemas themselves: to compile that of JSON Schema takes as long as to load the rest of AJV. */
const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });

/** The validator of a schema, which is compiled once. */
export function validator(schema: object): Validator {
  return ajv.compile(schema);
}

/** The parts of a tool that tests state. `open` accepts arguments that the schema does not declare. */
type ToolParts = Partial<Omit<ToolEntry, "definition">> & {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly open?: boolean;
  readonly outputSchema?: object;
};

/** A tool with a handler, or with the fixed answer of `parts`. */
export function tool(name: string, handler: AnyHandler<unknown>, parts: ToolParts = {}): ToolEntry {
  const { properties = {}, required = [], open = false, outputSchema, ...entryParts } = parts;
  const inputSchema = {
    type: "object" as const,
    properties: properties as Record<string, { type: string }>,
    required: [...required],
    ...(open ? {} : { additionalProperties: false }),
  };
  const validators = () => ({
    input: validator(inputSchema),
    ...(outputSchema === undefined ? {} : { output: validator(outputSchema) }),
  });
  return {
    definition: {
      name,
      description: `The tool ${name}.`,
      inputSchema,
      ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as { type: "object" } }),
    },
    validators,
    ...(entryParts.answer === undefined && {
      handler: () => handler,
      mock: { kind: "text", text: "mocked" },
    }),
    ...entryParts,
  };
}

const forecastSchema = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "array", items: { type: "integer" } } },
  required: ["city", "days"],
  additionalProperties: false,
};

const forecast = tool(
  "forecast",
  erased(({ city, days }: { city: string; days: number }) => {
    if (city === "Atlantis") throw new ToolError(`No forecast for ${city}`);
    return { city, days: Array.from({ length: days }, (_, day) => day) };
  }),
  {
    properties: {
      city: { type: "string", maxLength: 80 },
      days: { type: "integer", minimum: 1, maximum: 14, default: 3 },
    },
    required: ["city"],
    outputSchema: forecastSchema,
    aliases: ["weather_forecast"],
    defaults: { properties: { days: { value: 3 } } },
  },
);

const tools: readonly ToolEntry[] = [
  forecast,
  tool(
    "greet",
    erased(({ who }: { who: string }) => `Hello, ${who}!`),
    {
      properties: { who: { type: "string" } },
      required: ["who"],
    },
  ),
  tool(
    "picture",
    erased(() => [text("a dot"), image(new Uint8Array([1, 2, 3]), "image/png")]),
  ),
  tool(
    "echo",
    erased((input: unknown) => JSON.stringify(input)),
    { open: true },
  ),
  tool(
    "report",
    erased(async (_input, ctx) => {
      await ctx.progress(0, 2);
      ctx.log.info("half way", { step: 1 });
      await ctx.progress(1, 2, "half");
      await ctx.progress(1, 2, "not growing");
      return result({ content: `done in era ${ctx.era}`, meta: { "example.com/steps": 2 } });
    }),
  ),
  tool(
    "fail",
    erased(() => Promise.reject(new Error("password=hunter2 in /home/me/.ssh/id_rsa"))),
  ),
  tool(
    "sleep",
    erased(async ({ ms }: { ms: number }, ctx) => {
      ctx.log.info("sleeping", { ms });
      await delay(ms, undefined, { signal: ctx.signal });
      return `slept ${ms} ms`;
    }),
    { properties: { ms: { type: "number" } }, required: ["ms"] },
  ),
  tool(
    "derail",
    erased(({ how }: { how: string }) => {
      if (how === "print") process.stdout.write("printed by a handler\n");
      else if (how === "reject") void Promise.reject(new Error("nobody waits for this"));
      else
        setImmediate(() => {
          throw new Error("nobody catches this");
        });
      return "derailed";
    }),
    { properties: { how: { type: "string" } }, required: ["how"] },
  ),
  tool(
    "stub",
    erased(() => {
      throw new NotImplementedError("src/tools/stub.ts");
    }),
  ),
  tool(
    "list_numbers",
    erased(({ count }: { count: number }) => Array.from({ length: count }, () => 1)),
    {
      properties: { count: { type: "integer" } },
      required: ["count"],
      outputSchema: { type: "array", items: { type: "integer" } },
    },
  ),
  tool(
    "regional",
    erased(({ region }: { region: string }) => `in ${region}`),
    {
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
      required: ["region"],
      aliases: ["local"],
    },
  ),
  tool(
    "notice",
    erased(() => undefined),
    {
      properties: { who: { type: "string" } },
      answer: { content: [{ type: "text", text: ["Dear ", { argument: "who" }, ", closed."] }] },
    },
  ),
];

export const sampleServer: ServerDefinition = {
  ...parts,
  info: { name: "sample", version: "1.2.3", title: "Sample" },
  instructions: "Ask for a city first.",
  protocol: { legacy: "serve" },
  transports: [
    { type: "stdio" },
    {
      type: "http",
      host: "127.0.0.1",
      port: 0,
      path: "/mcp",
      sessions: "none",
      resumable: false,
      cors: true,
      trustProxy: 0,
      health: "/healthz",
      allowedHosts: ["mcp.example.com"],
      allowedOrigins: ["https://app.example.com"],
    },
    {
      type: "sse",
      host: "127.0.0.1",
      port: 0,
      path: "/sse",
      messagesPath: "/messages",
      allowedHosts: [],
      allowedOrigins: [],
      trustProxy: 0,
    },
    {
      type: "websocket",
      host: "127.0.0.1",
      port: 0,
      path: "/ws",
      allowedHosts: [],
      allowedOrigins: [],
      trustProxy: 0,
    },
  ],
  env: [],
  tools,
  resources: [
    {
      definition: { uri: "sample://help", name: "help", mimeType: "text/markdown" },
      text: "# Help",
    },
    {
      definition: { uri: "sample://dot", name: "dot", mimeType: "image/png" },
      blob: "AQID",
    },
    {
      definition: { uri: "sample://package", name: "package", mimeType: "application/json" },
      file: "package.json",
    },
    {
      definition: { uri: "sample://now", name: "now" },
      handler: () => erased((uri: string) => `read ${uri}`),
    },
  ],
  resourceTemplates: [
    {
      definition: { uriTemplate: "sample://cities/{city}", name: "city", mimeType: "text/plain" },
      parts: [
        { kind: "literal", text: "sample://cities/" },
        { kind: "expression", operator: "", names: ["city"], explode: false },
      ],
      complete: { city: ["Berlin", "Bern", "Paris"] },
      handler: () =>
        erased(({ city }: { city: string }) => {
          if (city === "Atlantis") throw new NotFoundError();
          return `About ${city}`;
        }),
    },
    {
      definition: { uriTemplate: "file:///docs/{+path}", name: "docs" },
      parts: [
        { kind: "literal", text: "file:///docs/" },
        { kind: "expression", operator: "+", names: ["path"], explode: false },
      ],
      handler: () => erased(({ path }: { path: string }) => path),
    },
  ],
  prompts: [
    {
      definition: {
        name: "plan_trip",
        description: "Plan a trip.",
        arguments: [{ name: "city", title: "City", required: true }, { name: "style" }],
      },
      complete: { city: ["Berlin", "Bern", "Paris"] },
      messages: [
        {
          role: "user",
          content: {
            type: "text",
            text: [
              "Plan a trip to ",
              { argument: "city" },
              { when: "style", then: [", travelling ", { argument: "style" }] },
              ".",
            ],
          },
        },
      ],
    },
    {
      definition: { name: "summary", description: "Sum up.", arguments: [{ name: "topic" }] },
      handler: () => erased(({ topic }: { topic?: string }) => `Sum up ${topic ?? "all"}.`),
    },
  ],
};
