import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { handler, makeProject, repeatLetter } from "./demo-project.js";
import { DemoServer } from "./demo-server.js";

/** A server that remembers clients: sessions, subscriptions, questions, streams on every transport. */
const manifest = `
name: stateful
version: 1.0.0
transports:
  - { type: http, sessions: memory, metrics: /metrics }
  - { type: sse, port: 3000 }
  - { type: websocket, port: 3000, path: /mcp/ws }
env: { API_KEY: { description: A secret, secret: true } }
limits: { subscriptions: 20, sessions: 50, sessionIdleMs: 600000, connections: 200, elements: 5000, ratePerSecond: 5000, headersTimeoutMs: 120000, bodyTimeoutMs: 120000 }
tools:
  - name: echo
    description: Says the text again.
    inputSchema: { type: object, properties: { text: { type: string } }, required: [text] }
  - name: repeat
    description: Says a letter many times.
    inputSchema: { type: object, properties: { length: { type: integer } }, required: [length], additionalProperties: false }
  - name: shout
    timeoutMs: 600000 # on a busy machine, it takes longer than 30 s
    description: Tells of a resource's change, many times over.
    inputSchema:
      type: object
      properties: { uri: { type: string }, times: { type: integer } }
      required: [uri, times]
  - name: confirm
    description: Asks first.
    inputSchema: { type: object, properties: { text: { type: string } }, required: [text] }
    elicitations:
      sure:
        message: "Sure?"
        requestedSchema: { type: object, properties: { yes: { type: boolean } }, required: [yes] }
resourceTemplates:
  - { uriTemplate: "state://{text}", name: texts, subscribe: true }
`;

const files: Readonly<Record<string, string>> = {
  "mcp.yaml": manifest,
  "src/tools/echo.ts": handler("ToolHandler", "echo", "({ text }) => text"),
  "src/tools/repeat.ts": repeatLetter,
  "src/tools/shout.ts": `import { setImmediate as turn } from "node:timers/promises";
import type { ToolHandler } from "../generated/index.js";

export const shout: ToolHandler<"shout"> = async ({ uri, times }, ctx) => {
  for (let count = 1; count <= times; count++) {
    ctx.notify.resourceUpdated(uri);
    if (count % 100 === 0) await turn();
  }
  return "told";
};
`,
  "src/tools/confirm.ts": `import type { ToolHandler } from "../generated/index.js";

export const confirm: ToolHandler<"confirm"> = async ({ text }, ctx) => {
  const { yes } = await ctx.elicit.sure();
  return \`\${text}: \${yes}\`;
};
`,
  "src/resources/texts.ts": handler("ResourceTemplateHandler", "texts", "({ text }) => text"),
};

let built: Promise<string> | undefined;
let shared: Promise<DemoServer> | undefined;

/** Ends the shared server and removes the project, if they were made. */
export async function removeStatefulProject(): Promise<void> {
  await (await shared)?.stop();
  if (built !== undefined) await rm(dirname(await built), { recursive: true, force: true });
}

async function startServer(): Promise<DemoServer> {
  built ??= makeProject("stateful", files);
  return DemoServer.start(await built, ["--sse", "--websocket"]);
}

/** Runs with a server of its own, whose memory is its own, too. */
export async function withServer(run: (server: DemoServer) => Promise<void>): Promise<void> {
  const server = await startServer();
  try {
    await run(server);
  } finally {
    await server.stop();
  }
}

/** Runs with a server that has met other clients before, whose sessions it may still hold, but none of their connections. */
export async function withSharedServer(run: (server: DemoServer) => Promise<void>): Promise<void> {
  const server = await (shared ??= startServer());
  try {
    await run(server);
  } finally {
    server.closeConnections();
  }
}

/** A figure of the server's metrics. */
export async function figure(server: DemoServer, name: string): Promise<number> {
  const { text } = await server.request({ method: "GET", path: "/metrics" });
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1]);
}

export const json = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

export const legacyBody = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

export const initialize = legacyBody("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "hostile", version: "1" },
});
