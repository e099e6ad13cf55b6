import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { handler, makeProject } from "../../../scenarios/attacks/hostile-requests/demo-project.js";

/**
 * The lengths of the answers, in bytes. `largest` is about the most that a manifest allows for files and upstreams; as
 * base64 it is longer than 20 MB. Handlers may return more.
 */
export const LENGTHS = { short: 15_000_000, largest: 16_700_000, long: 20_000_000 } as const;

const lengthInput =
  "{ type: object, properties: { length: { type: integer } }, required: [length], additionalProperties: false }";

/** What a project has besides the answers that all have. */
interface Features {
  /** Whether HTTP has sessions. */
  readonly sessions?: boolean;
  /** Its database: SQLite, for which Node.js 20 is too old, or the Postgres server at `POSTGRES_URL`. */
  readonly database?: "sqlite" | "postgres";
}

const databases = {
  sqlite: "{ type: sqlite, file: data/store.db, timeoutMs: 60000 }",
  postgres: "{ type: postgres, url: { env: POSTGRES_URL }, timeoutMs: 60000 }",
};

const queries = {
  sqlite: "select printf('%.*c', :length, 'x') as text",
  postgres: "select repeat('x', :length) as text",
};

const databaseTool = (query: string): string => `  - name: stored
    description: Has a text made by a database.
    inputSchema: ${lengthInput}
    sql: { database: store, query: "${query}", maxBytes: 33554432 }
`;

/** A server with long answers of every origin. */
const manifest = ({ sessions = false, database }: Features): string => `
name: unread
version: 1.0.0
transports:
  - { type: http${sessions ? ", sessions: memory" : ""} }
  - { type: sse, port: 3000 }
  - { type: websocket, port: 3000, path: /mcp/ws }
env:
  UPSTREAM_URL: { type: url, default: "http://127.0.0.1:9", description: The base URL of the upstream }
  POSTGRES_URL: { default: "postgres://127.0.0.1:9/none", secret: true, description: The URL of the database }
upstreams:
  far: { baseUrl: { env: UPSTREAM_URL }, private: true, timeoutMs: 30000 }
  other: { mcp: { command: [node, data/other-server.mjs] } }
${database === undefined ? "" : `databases: { store: ${databases[database]} }\n`}limits: { ratePerSecond: 5000 }
tools:
  - name: echo
    description: Says the text again.
    inputSchema: { type: object, properties: { text: { type: string } }, required: [text] }
  - name: burst
    description: Says a letter many times, without waiting.
    inputSchema: ${lengthInput}
  - name: later
    description: Says a letter many times, after a progress report and a tenth of a second.
    inputSchema: ${lengthInput}
  - name: fetched
    description: Fetches a text.
    inputSchema: ${lengthInput}
    http: { upstream: far, path: "/text/{{length}}", result: { maxBytes: 16777216 } }
  - name: printed
    description: Prints a file.
    exec: { command: [cat, data/long.txt], timeoutMs: 60000, maxBytes: 33554432 }
  - name: passed_on
    description: Passes on the text of another server.
    inputSchema: ${lengthInput}
    mcp: { upstream: other }
${database === undefined ? "" : databaseTool(queries[database])}resources:
  - { uri: "unread://short", name: short, mimeType: text/plain, file: data/short.txt }
  - { uri: "unread://largest", name: largest, mimeType: application/octet-stream, file: data/largest.bin }
  - { uri: "unread://fetched", name: fetched_text, mimeType: text/plain, http: { upstream: far, path: /text/15000000, result: { maxBytes: 16777216 } } }
resourceTemplates:
  - { uriTemplate: "files://{+path}", name: files, directory: { root: files, maxBytes: 16777216 } }
`;

const files: Readonly<Record<string, string>> = {
  "src/tools/echo.ts": handler("ToolHandler", "echo", "({ text }) => text"),
  "src/tools/burst.ts": handler("ToolHandler", "burst", '({ length }) => "x".repeat(length)'),
  "src/tools/later.ts": `import { setTimeout as delay } from "node:timers/promises";
import type { ToolHandler } from "../generated/index.js";

export const later: ToolHandler<"later"> = async ({ length }, ctx) => {
  await ctx.progress(1);
  await delay(100);
  return "x".repeat(length);
};
`,
};

/** A program that is another MCP server, with a tool whose result is as long as its argument says. */
const otherServer = `import { createInterface } from "node:readline";

const serverInfo = { name: "other", version: "1.0.0" };
const results = {
  initialize: () => ({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo }),
  "tools/call": ({ arguments: { length } }) => ({ content: [{ type: "text", text: "x".repeat(length) }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method]?.(params);
  const error = { code: -32601, message: "not found" };
  const answer = { jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) };
  process.stdout.write(JSON.stringify(answer) + "\\n");
});
`;

/** Makes and builds the project. @returns its folder */
export async function makeUnreadProject(features: Features = {}): Promise<string> {
  const folder = await makeProject("unread", { ...files, "mcp.yaml": manifest(features) });
  await mkdir(join(folder, "data"));
  await mkdir(join(folder, "files"));
  await writeFile(join(folder, "data/other-server.mjs"), otherServer);
  await writeFile(join(folder, "data/store.db"), "");
  await writeFile(join(folder, "data/long.txt"), Buffer.alloc(LENGTHS.long, "x"));
  await writeFile(join(folder, "data/short.txt"), Buffer.alloc(LENGTHS.short, "x"));
  await writeFile(join(folder, "data/largest.bin"), Buffer.alloc(LENGTHS.largest, 0xee));
  await writeFile(join(folder, "files/short.txt"), Buffer.alloc(LENGTHS.short, "x"));
  await writeFile(join(folder, "files/largest.bin"), Buffer.alloc(LENGTHS.largest, 0xee));
  return folder;
}
