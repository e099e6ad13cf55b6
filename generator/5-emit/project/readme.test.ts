import { test } from "uvu";
import * as assert from "uvu/assert";
import { normalize } from "../../3-normalize/normalize.js";
import type { Manifest } from "../../model/manifest.js";
import { emitProjectFiles } from "./project-files.js";

const server: Manifest = { name: "@acme/day-planner", version: "1.0.0" };
const http = { type: "http" } as const;

async function readme(manifest: Partial<Manifest>): Promise<string> {
  const files = await emitProjectFiles(normalize({ ...server, ...manifest }));
  return files.find(({ path }) => path === "README.md")?.content ?? "";
}

/** The entries for clients over HTTP, by client. */
function entriesOverHttp(text: string): Map<string, unknown> {
  const found = text.matchAll(/^\*\*([^*]+)\*\* over HTTP.*\n\n```json\n([^]*?)\n```$/gm);
  return new Map([...found].map(([, client, json]) => [client!, JSON.parse(json!)]));
}

const scoped = { name: "a", description: "x", scopes: ["plan:read"] };

test("where callers must say who they are, entries over HTTP send a token as each client has it", async () => {
  const text = await readme({ transports: [http], tools: [scoped] });
  const url = "http://127.0.0.1:3000/mcp";
  const entry = (token: string) => ({ url, headers: { Authorization: `Bearer ${token}` } });
  const name = "day-planner";
  const entries = entriesOverHttp(text);
  assert.equal(entries.get("Claude Code"), {
    mcpServers: { [name]: { type: "http", ...entry("${DAY_PLANNER_TOKEN}") } },
  });
  assert.equal(entries.get("VS Code"), {
    inputs: [
      {
        type: "promptString",
        id: "day-planner-token",
        description: "Token for day-planner",
        password: true,
      },
    ],
    servers: { [name]: { type: "http", ...entry("${input:day-planner-token}") } },
  });
  assert.equal(entries.get("Cursor"), {
    mcpServers: { [name]: entry("${env:DAY_PLANNER_TOKEN}") },
  });
  assert.match(text, "environment variable `DAY_PLANNER_TOKEN`");
  const numbered = await readme({ name: "3d.print", transports: [http], tools: [scoped] });
  assert.match(numbered, "Bearer ${MCP_3D_PRINT_TOKEN}");
});

test("where nobody must say who they are, entries send no token", async () => {
  const tools = [{ name: "a", description: "x" }];
  assert.not.match(await readme({ transports: [http], tools }), /"headers"|_TOKEN/);
});

test("a server on every address says that other machines reach it", async () => {
  const everywhere = /Other machines reach the server/;
  const open = { host: "0.0.0.0", allowPublicBind: true };
  assert.match(
    await readme({ transports: [{ type: "stdio" }, { ...http, ...open }] }),
    /\n\n`--http` listens on every address of the machine\. Other machines reach the server too, .*`allowedHosts`/,
  );
  const webSocket = { type: "websocket", ...open, host: "::" } as const;
  assert.match(await readme({ transports: [http, webSocket] }), /\n\n`--websocket` listens on /);
  assert.match(
    await readme({ transports: [{ ...http, ...open, host: "[::]" }, webSocket] }),
    /\n\n`--http` and `--websocket` listen on /,
  );
  assert.not.match(await readme({ transports: [{ type: "stdio" }, http] }), everywhere);
});

test("what lists hide is said where a template with scopes lists its instances", async () => {
  const hidden = /hide the instances/;
  const template = { uriTemplate: "plan://{day}", name: "day", scopes: ["plan:read"] };
  const shown = await readme({
    transports: [http],
    tools: [scoped],
    resourceTemplates: [{ uriTemplate: "open://{day}", name: "open", list: "code" }, template],
  });
  assert.match(shown, /Lists show all items/);
  assert.not.match(shown, hidden);
  const listed = { ...template, list: "code" as const };
  assert.match(await readme({ transports: [http], resourceTemplates: [listed] }), hidden);
});

test("a question is shown with texts as its values, whatever the tool's arguments are", async () => {
  const inputSchema = {
    type: "object" as const,
    properties: { items: { type: "array" as const, items: { type: "string" as const } } },
  };
  const confirm = {
    message: "Delete {{items}} of {{who}}?",
    requestedSchema: { type: "object" as const, properties: {} },
  };
  const tool = { name: "a", description: "x", inputSchema, elicitations: { confirm } };
  assert.match(
    await readme({ tools: [tool] }),
    '`await ctx.elicit.confirm({ items: "…", who: "…" })` asks the user',
  );
});

test("where the older eras have no sessions over HTTP, it says that they are what questions need", async () => {
  const confirm = {
    message: "Sure?",
    requestedSchema: { type: "object" as const, properties: {} },
  };
  const tools = [{ name: "a", description: "x", elicitations: { confirm } }];
  const note = /clients before 2026-07-28 are asked only within sessions/;
  assert.match(await readme({ transports: [http], tools }), note);
  for (const manifest of [
    { transports: [http], tools: [scoped] },
    { transports: [{ ...http, sessions: "memory" as const }], tools },
    { transports: [http], protocol: { legacy: "reject" as const }, tools },
    { tools },
  ]) {
    assert.not.match(await readme(manifest), note);
  }
});

test.run();
