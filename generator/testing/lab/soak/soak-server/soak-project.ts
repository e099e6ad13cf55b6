import {
  makeProject,
  handler,
  repeatLetter,
  watchingServices,
} from "../../../scenarios/attacks/hostile-requests/demo-project.js";

/** How long a session may be silent, in milliseconds. */
export const SESSION_IDLE_MS = 2_000;

/** How long an attacker waits for the end of a connection, in milliseconds. */
export const SLOW_MS = 30_000;

/** The server that is kept under load: clients of every kind, limits low enough to be reached. */
const manifest = `
name: soak
version: 1.0.0
transports:
  - { type: http, sessions: memory, metrics: /metrics }
  - { type: websocket }
env: { API_KEY: { description: A secret that no answer may hold, secret: true } }
limits: { ratePerSecond: 500, bodyBytes: 500000, sessions: 200, sessionIdleMs: ${SESSION_IDLE_MS}, connections: 300, subscriptions: 50 }
tools:
  - name: echo
    description: Says the text again.
    inputSchema: { type: object, properties: { text: { type: string } }, required: [text] }
  - name: repeat
    description: Says a letter many times.
    inputSchema: { type: object, properties: { length: { type: integer } }, required: [length], additionalProperties: false }
  - name: late
    description: Says the text again, after a while.
    inputSchema:
      type: object
      properties: { text: { type: string }, ms: { type: integer, minimum: 0, maximum: 5000 } }
      required: [text, ms]
  - name: hold
    description: Says the text again, once a file is there.
    timeoutMs: 600000
    inputSchema:
      type: object
      properties: { text: { type: string }, file: { type: string } }
      required: [text, file]
  - name: shape
    description: Says the text again, as a value.
    inputSchema: { type: object, properties: { text: { type: string } }, required: [text] }
    outputSchema: { type: object, properties: { text: { type: string } }, required: [text] }
  - name: fail
    description: Fails with the text, which is nobody's business.
    inputSchema: { type: object, properties: { text: { type: string } }, required: [text] }
  - name: watch
    description: Says what the process has been through, and starts anew.
    outputSchema:
      type: object
      properties: { blockedMs: { type: number }, referenceMs: { type: number }, heapBytes: { type: integer }, sockets: { type: integer } }
      required: [blockedMs, referenceMs, heapBytes, sockets]
resourceTemplates:
  - { uriTemplate: "soak://texts/{text}", name: texts }
prompts:
  - name: greet
    description: Greets someone.
    arguments: [{ name: who, required: true }]
    messages: [{ role: user, content: { type: text, text: "Hello, {{who}}!" } }]
`;

const files: Readonly<Record<string, string>> = {
  "mcp.yaml": manifest,
  "src/tools/echo.ts": handler("ToolHandler", "echo", "({ text }) => text"),
  "src/tools/repeat.ts": repeatLetter,
  "src/tools/shape.ts": handler("ToolHandler", "shape", "({ text }) => ({ text })"),
  "src/tools/late.ts": `import { setTimeout as delay } from "node:timers/promises";
import type { ToolHandler } from "../generated/index.js";

export const late: ToolHandler<"late"> = async ({ text, ms }, ctx) => {
  await delay(ms, undefined, { signal: ctx.signal });
  await ctx.progress(1, 1);
  ctx.log.info("finished");
  return text;
};
`,
  "src/tools/hold.ts": `import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { ToolHandler } from "../generated/index.js";

export const hold: ToolHandler<"hold"> = async ({ text, file }, ctx) => {
  while (!existsSync(file)) await delay(10);
  await ctx.progress(1, 1);
  ctx.log.info("finished");
  return text;
};
`,
  "src/tools/fail.ts": handler(
    "ToolHandler",
    "fail",
    "({ text }) => { throw new Error(`no ${text.length}`); }",
  ),
  "src/tools/watch.ts": handler(
    "ToolHandler",
    "watch",
    "(_input, ctx) => ctx.services.watch(true)",
  ),
  "src/resources/texts.ts": handler("ResourceTemplateHandler", "texts", "({ text }) => text"),
  "src/context.ts": watchingServices,
};

/** Generates, installs and builds the project in a new folder, and returns the folder. */
export function buildSoakProject(): Promise<string> {
  return makeProject("soak", files);
}
