import * as assert from "uvu/assert";
import { buildAndTestInLong } from "../projects/long-tested-project.js";
import { mcpwright } from "../projects/generated-project.js";
import { installShared } from "../projects/installed-packages.js";
import { write } from "../projects/project-folder.js";

/**
 * A project on every transport whose `authenticate` knows ada, who has all scopes, and bob, who lacks `admin`. Tokens of
 * the form `eve.wide` (all scopes), `eve.narrow` (none that is required) and `eve.brief` (all, but not for long) are
 * those of eve or whoever is named.
 */

const manifest = `
name: known-callers
version: 1.0.0
transports:
  - type: stdio
  - { type: http, sessions: memory }
  - { type: sse, port: 3000 }
  - { type: websocket, port: 3000 }
diagnostics: { MW2058: off }
limits: { ratePerSecond: 1000 }
tools:
  - { name: whoami, description: Says who calls. }
  - { name: drop, description: Drops all., aliases: [remove], scopes: [admin, write] }
  - name: ask
    description: Asks for a name.
    elicitations:
      name:
        message: Your name?
        requestedSchema: { type: object, properties: { name: { type: string } }, required: [name] }
resources:
  - { uri: "demo://secret", name: secret, description: A secret., text: secret, scopes: [admin], subscribe: true }
  - { uri: "demo://open", name: open, description: Open to all., text: open, subscribe: true }
resourceTemplates:
  - uriTemplate: "demo://files/{id}"
    name: files
    description: Files.
    scopes: [admin]
    list: code
    complete: { id: [one, two] }
prompts:
  - { name: plan, description: A plan., scopes: [admin], messages: [{ role: user, content: { type: text, text: Plan } }] }
`;

const files: Readonly<Record<string, string>> = {
  "mcp.yaml": manifest,
  "src/context.ts": `import type { Authenticate } from "./generated/index.js";

export async function createServices() {
  return { tokens: new Map([["token-of-ada", "ada"], ["token-of-bob", "bob"]]), isNarrowed: false };
}
export async function closeServices(): Promise<void> {}

export const authenticate: Authenticate = async ({ token = "" }, { services }) => {
  if (token === "broken") throw new Error("the password is hunter2");
  const now = Date.now() / 1_000;
  if (token === "late") return { principal: "ada", scopes: [], expiresAt: now - 1 };
  if (token === "brief") return { principal: "ada", scopes: [], expiresAt: now + 1 };
  // From now on, tokens of the form eve.wide have fewer scopes, or all again.
  if (token === "narrowing.now" || token === "widening.now") {
    services.isNarrowed = token === "narrowing.now";
    return { principal: "issuer", scopes: [] };
  }
  // Callers with a word for how they are known, so that each test has its own: eve.wide, eve.brief.
  const [, name, kind] = /^(\\w+)\\.(wide|narrow|brief)$/.exec(token) ?? [];
  if (name !== undefined) {
    const expiry = kind === "brief" ? { expiresAt: now + 1.5 } : {};
    return { principal: name, scopes: kind === "narrow" || services.isNarrowed ? ["other"] : ["admin", "write"], ...expiry };
  }
  const principal = services.tokens.get(token);
  if (principal === undefined) return undefined;
  return { principal, scopes: principal === "ada" ? ["admin", "write"] : ["write"], claims: { token } };
};

export const protectedResource = () => ({
  resource: "https://mcp.example.com/mcp",
  authorizationServers: ["https://auth.example.com"],
});
`,
  "src/tools/whoami.ts": `import type { ToolHandler } from "../generated/index.js";

export const whoami: ToolHandler<"whoami"> = (_input, { auth }) => auth?.principal ?? "nobody";
`,
  "src/tools/drop.ts": `import type { ToolHandler } from "../generated/index.js";

export const drop: ToolHandler<"drop"> = () => "dropped";
`,
  "src/tools/ask.ts": `import type { ToolHandler } from "../generated/index.js";

export const ask: ToolHandler<"ask"> = async (_input, ctx) => {
  const { name } = await ctx.elicit.name();
  return \`\${name} for \${ctx.auth?.principal}\`;
};
`,
};

/** Generates, installs and builds the project in an empty folder, and runs its own tests in the long form. */
export async function makeKnownCallersProject(folder: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) await write(folder, path, text);
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  // The project's own tests, which know no token, pass beside a context that refuses them. In short, those of
  // acting.test.ts do.
  await buildAndTestInLong(folder);
}
