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

const scoped = { name: "a", description: "x", scopes: ["plan:read"] };

test("a server on every address says that other machines reach it", async () => {
  const everywhere = /Other machines reach the server/;
  const open = { host: "0.0.0.0", allowPublicBind: true };
  assert.match(
    await readme({ transports: [{ type: "stdio" }, { ...http, ...open }] }),
    /\n\n`--http` listens on every address of the machine\. Other machines can reach the server too, .*`allowedHosts`/,
  );
  const webSocket = { type: "websocket", ...open, host: "::" } as const;
  assert.match(await readme({ transports: [http, webSocket] }), /\n\n`--websocket` listens on /);
  assert.match(
    await readme({ transports: [{ ...http, ...open, host: "[::]" }, webSocket] }),
    /\n\n`--http` and `--websocket` listen on /,
  );
  assert.not.match(await readme({ transports: [{ type: "stdio" }, http] }), everywhere);
});

test("the README's example of another port is never the port of the manifest", async () => {
  for (const [port, other] of [
    [3000, 4000],
    [4000, 4001],
  ] as const) {
    const text = await readme({ transports: [{ ...http, port }] });
    assert.match(text, `\`--port ${other}\` uses another port than ${port}.`);
  }
});

test("each fact of serving over HTTP is a line, and an owner's change of one meets no other", async () => {
  const text = await readme({ transports: [{ ...http, port: 4105, ready: "/up" }] });
  const lines = text.split("\n").filter((line) => /4105|healthz|`\/up`/.test(line));
  assert.is(lines.length, 3, lines.join("\n"));
});

test("the README says that readiness depends on what the server uses", async () => {
  const transports = [{ ...http, ready: "/up" }];
  assert.match(await readme({ transports }), "503 while the server stops and while `ready(");
  const databases = { log: { type: "sqlite", file: "log.db" } } as const;
  const scale = { redis: { env: "REDIS" } };
  const stored = await readme({ transports, databases });
  assert.match(stored, "while the server stops, while a database cannot be reached, and while");
  const env = { REDIS: {} };
  assert.match(await readme({ transports, databases, scale, env }), "Redis or a database cannot");
  assert.match(await readme({ transports, scale, env }), "while Redis cannot be reached");
});

test("the README says what lists hide if a template with scopes lists its instances", async () => {
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

test("the README shows a question with texts as values, for arguments of any type", async () => {
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

test("the README says that questions to older clients over HTTP need sessions if there are none", async () => {
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

test("the README says nothing that a variable, a transport or scopes added later would make untrue", async () => {
  const before = await readme({
    transports: [{ type: "stdio" }, { ...http, metrics: "/metrics" }],
  });
  assert.match(before, "(SERVER.md#connect-a-client)");
  assert.match(before, /the same `Host` rules apply, and it requires a token if calls do/);
  assert.not.match(before, "mcpServers");
  assert.match(before, "`*.saved`");
});

test("the README says how to use the files for deployment if there are any", async () => {
  const title = "\n## Deploy\n";
  assert.not.match(await readme({}), title);
  assert.not.match(await readme({ deploy: { docker: false } }), title);
  const docker = await readme({ deploy: {} });
  assert.match(docker, title);
  assert.match(
    docker,
    "\n\n```sh\ndocker build --tag day-planner:$(node -p 'require(\"./package.json\").version') .\n```\n\n## Change",
  );
  const all = await readme({ transports: [http], deploy: { compose: true, kubernetes: true } });
  assert.match(
    all,
    "\ndocker compose up --build\nkubectl apply --kustomize deploy/kubernetes\n```\n",
  );
  assert.match(all, "(SERVER.md#deployment)");
});

test("the README says what code that completes gets, if there is any", async () => {
  const prompt = (complete: "code" | string[]) => ({
    name: "a",
    arguments: [{ name: "day", complete }],
  });
  assert.match(await readme({ prompts: [prompt("code")] }), /\n- A completion gets `query`/);
  assert.not.match(await readme({ prompts: [prompt(["monday"])] }), /A completion gets/);
});

test.run();
