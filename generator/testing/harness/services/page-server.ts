import { setTimeout as delay } from "node:timers/promises";
import { askingParts } from "../../../../templates/runtime/samples/asking.js";
import type { Authenticate } from "../../../../templates/runtime/authentication/authenticate.js";
import type { HttpDefinition } from "../../../../templates/runtime/http/definition.js";
import { httpEndpoint } from "../../../../templates/runtime/http/endpoint.js";
import { listen } from "../../../../templates/runtime/http/listener.js";
import type { RunningHttp } from "../../../../templates/runtime/http/transport.js";
import { createLog } from "../../../../templates/runtime/observe/log.js";
import { createPage } from "../../../../templates/runtime/page/page.js";
import { parts } from "../../../../templates/runtime/samples/parts.js";
import { erased, tool } from "../../../../templates/runtime/samples/server.js";
import { createServer } from "../../../../templates/runtime/server/create-server.js";
import type { ServerDefinition } from "../../../../templates/runtime/engine/definition.js";
import { readBuiltPage } from "../../../model/built-page.js";

/** Servers of this process that have the page, on the runtime of generated projects. */

/**
 * Serves items with the page at a free port of loopback.
 *
 * @param authenticate who may call; everybody by default
 */
export async function servePage(
  items: Partial<ServerDefinition>,
  authenticate?: Authenticate<unknown, unknown>,
): Promise<RunningHttp> {
  const transport: HttpDefinition = {
    ...{
      type: "http" as const,
      host: "127.0.0.1",
      port: 0,
      path: "/mcp",
      sessions: "none" as const,
    },
    ...{ resumable: false, cors: true, trustProxy: 0, health: "/healthz" },
    ...{ allowedHosts: [], allowedOrigins: [], page: { public: false } },
  };
  const definition: ServerDefinition = {
    ...parts,
    ...askingParts,
    createPage,
    loadPage: () => Promise.resolve(readBuiltPage()),
    info: { name: "sample", version: "1.2.3", title: "Sample" },
    protocol: { legacy: "serve" },
    transports: [transport],
    env: [],
    ...{ tools: [], resources: [], resourceTemplates: [], prompts: [] },
    ...items,
  };
  const authentication = authenticate && {
    authenticate: (request: Parameters<typeof authenticate>[0]) =>
      authenticate(request, { env: {}, services: {} }),
  };
  const options = { root: process.cwd(), log: createLog({ write: () => undefined }) };
  const server = createServer(definition, { ...options, authentication } as typeof options);
  return listen(server, [httpEndpoint(server, transport)]);
}

/** Returns its arguments. */
const echo = erased((input: unknown) => JSON.stringify(input));

/** A tool with a field of every kind. */
export const everyField = tool("every_field", echo, {
  properties: {
    text: { type: "string", description: "A line.", minLength: 3, maxLength: 20 },
    prose: { type: "string", title: "Long text", maxLength: 5_000 },
    code: { type: "string", pattern: "^[A-Z]{3}$", examples: ["ABC"] },
    day: { type: "string", format: "date" },
    moment: { type: "string", format: "date-time" },
    mail: { type: "string", format: "email" },
    address: { type: "string", format: "uri" },
    count: { type: "integer", minimum: 1, maximum: 10, default: 3 },
    ratio: { type: "number", exclusiveMinimum: 0 },
    agreed: { type: "boolean" },
    maybe: { type: "boolean" },
    colour: { type: "string", enum: ["red", "green"] },
    size: {
      oneOf: [
        { const: 1, title: "Small" },
        { const: 2, title: "Large" },
      ],
    },
    fixed: { const: "always" },
    days: {
      type: "array",
      items: { type: "string", enum: ["Monday", "Tuesday"] },
      uniqueItems: true,
    },
    names: { type: "array", items: { type: "string" }, maxItems: 2 },
    point: {
      type: "object",
      properties: { x: { type: "number" }, y: { type: "number" } },
      required: ["x", "y"],
    },
    labels: { type: "object", additionalProperties: { type: "string" } },
    target: {
      oneOf: [
        { title: "By number", type: "integer" },
        {
          title: "By person",
          type: "object",
          properties: { person: { type: "string" } },
          required: ["person"],
        },
      ],
    },
    nothing: { type: "null" },
    optional: { type: ["string", "null"] },
    free: {},
  },
  required: ["text", "agreed", "fixed"],
});

const objectWith = (properties: object, required: readonly string[] = []): object => ({
  ...{ type: "object", properties, required },
});

/** A tool with fields that depend on others, and schemas that describe a value in several parts. */
export const dependingFields = ((): ReturnType<typeof tool> => {
  const made = tool("depending_fields", echo, { open: true });
  const kind = (name: string): object => ({ type: "string", const: name });
  const inputSchema = {
    type: "object",
    properties: {
      maybe: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
      country: { enum: ["US", "NL"] },
      card: { type: ["string", "null"], description: "May be left out." },
      count: { type: "integer", minimum: 1, maximum: 9, examples: [3, 5] },
      note: { type: "string" },
      shape: {
        oneOf: [
          objectWith({ kind: kind("circle"), radius: { type: "number" } }, ["kind", "radius"]),
          { $ref: "#/$defs/square" },
        ],
        discriminator: { propertyName: "kind" },
      },
      place: {
        type: "array",
        prefixItems: [
          { type: "number", title: "Latitude" },
          { type: "number", title: "Longitude" },
        ],
        ...{ items: false, minItems: 2 },
      },
      headers: {
        ...{ type: "object", patternProperties: { "^x-": { type: "string" } } },
        additionalProperties: false,
      },
    },
    required: ["country", "shape", "place"],
    if: { properties: { country: { const: "US" } }, required: ["country"] },
    then: { properties: { zip: { type: "string", pattern: "^[0-9]{5}$" } }, required: ["zip"] },
    else: { properties: { postcode: { type: "string" } } },
    dependentSchemas: { card: { properties: { billing: { type: "string" } } } },
    $defs: { square: objectWith({ kind: kind("square"), side: { type: "number" } }, ["side"]) },
  };
  return { ...made, definition: { ...made.definition, inputSchema } as never };
})();

/** Reports progress until it is cancelled. */
export const endless = tool(
  "endless",
  erased(async (_input, ctx) => {
    await ctx.progress(1, 4, "one of four");
    ctx.log.info("waiting");
    await delay(600_000, undefined, { signal: ctx.signal });
    return "never";
  }),
);

/** A tool that answers in content of every kind. */
export const everyContent = tool(
  "every_content",
  erased(() => [
    { type: "text", text: "plain" },
    { type: "text", text: "# Heading\n\n- **bold**\n\n[there](https://example.com)" },
    { type: "text", text: '{"rows":[{"a":1,"b":"x"},{"a":2,"b":"y"}]}' },
    { type: "image", mimeType: "image/png", data: PIXEL },
    { type: "audio", mimeType: "audio/wav", data: "UklGRiYAAABXQVZF" },
    { type: "resource_link", uri: "sample://note", name: "note" },
    { type: "resource", resource: { uri: "sample://inside", mimeType: "text/plain", text: "in" } },
    { type: "resource", resource: { uri: "sample://bytes", blob: "AAEC" } },
  ]),
);

/** A tool whose answer is a table. */
export const table = tool(
  "table",
  erased(() => ({ rows: [{ city: "Oslo", degrees: -3 }] })),
  { outputSchema: { type: "object", properties: { rows: { type: "array" } } } },
);

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
