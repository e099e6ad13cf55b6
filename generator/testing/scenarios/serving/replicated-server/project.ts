import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildProject } from "../../../harness/projects/built-project.js";
import { mcpwright } from "../../../harness/projects/generated-project.js";
import { installShared } from "../../../harness/projects/installed-packages.js";

/** A server with something of everything that replicas share, whose callers say who they are. */
const manifest = `
name: replicated
version: 1.0.0
env:
  REDIS_URL: { secret: true }
transports:
  - { type: http, trustProxy: 0, sessions: memory, metrics: /metrics }
scale: { redis: { env: REDIS_URL } }
limits: { ratePerSecond: 1000000 }
diagnostics: { MW2182: off }
tools:
  - { name: extra, description: Is there or not., enabled: false }
  - name: turn
    description: Switches the tool extra.
    inputSchema:
      type: object
      properties: { on: { type: boolean, description: Whether it is on. } }
      required: [on]
      additionalProperties: false
  - { name: touch, description: Says that the state of the caller has changed. }
  - name: echo
    description: Answers with what it is given, and where it ran.
    inputSchema:
      type: object
      properties:
        text: { type: string, description: A text. }
        delayMs: { type: integer, minimum: 0, description: How long it takes. }
      required: [text]
      additionalProperties: false
  - name: ask
    description: Asks for a name.
    elicitations:
      name:
        message: Your name?
        requestedSchema: { type: object, properties: { name: { type: string } }, required: [name] }
resources:
  - { uri: "demo://state", name: state, description: State., text: state, subscribe: true }
prompts:
  - name: plan
    description: A plan.
    arguments: [{ name: city, description: A city., complete: [Paris, Pisa] }]
    messages: [{ role: user, content: { type: text, text: "Plan {{city}}" } }]
`;

const handler = (name: string, type: string, body: string): string =>
  `import { setTimeout as delay } from "node:timers/promises";
import type { ToolHandler } from "../generated/index.ts";

export const ${name}: ToolHandler<"${type}"> = async (input, ctx) => {
  void delay;
  void input;
  ${body}
};
`;

const files: Readonly<Record<string, string>> = {
  "mcp.yaml": manifest,
  "src/context.ts": `import type { Authenticate } from "./generated/index.ts";

export async function createServices() {
  return {};
}
export async function closeServices(): Promise<void> {}

export const authenticate: Authenticate = async ({ token = "" }) =>
  /^[a-z]+$/.test(token) ? { principal: token, scopes: [] } : undefined;
`,
  "src/tools/extra.ts": handler("extra", "extra", 'return ctx.auth?.principal ?? "";'),
  "src/tools/turn.ts": handler(
    "turn",
    "turn",
    'if (input.on) ctx.tools.enable("extra"); else ctx.tools.disable("extra");\n  return "switched";',
  ),
  "src/tools/touch.ts": handler(
    "touch",
    "touch",
    'ctx.notify.resourceUpdated("demo://state", { principal: ctx.auth?.principal ?? "" });\n  return "touched";',
  ),
  "src/tools/echo.ts": handler(
    "echo",
    "echo",
    "await delay(input.delayMs ?? 0);\n  return `${process.pid} ${ctx.auth?.principal} ${input.text}`;",
  ),
  "src/tools/ask.ts": handler(
    "ask",
    "ask",
    "const { name } = await ctx.elicit.name();\n  return `${process.pid} ${name}`;",
  ),
};

/**
 * Generates the project in a new folder, with its packages.
 * @param change returns another manifest
 */
export async function makeReplicatedProject(
  change: (manifest: string) => string = (same) => same,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-replicas-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await writeFile(join(folder, "mcp.yaml"), change(manifest));
  const { status, out, err } = await mcpwright(folder, "generate");
  if (status !== 0) throw new Error(out + err);
  await installShared(folder);
  return folder;
}

/** Generates and builds the project in a new folder. */
export async function buildReplicatedProject(): Promise<string> {
  const folder = await makeReplicatedProject();
  await buildProject(folder);
  return folder;
}
