import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { installShared, mcpwright, npm } from "./generated-project.js";

/** The tests of a project pass on a right server, whatever the manifest says about serving it. */

const items = `
tools:
  - name: add
    description: Adds.
    inputSchema:
      type: object
      properties: { numbers: { type: array, items: { type: number }, description: The terms. } }
      required: [numbers]
resources:
  - { uri: "odd://made", name: made, description: Made by code., subscribe: true }
prompts:
  - name: greet
    description: Greets.
    messages: [{ role: user, content: { type: text, text: Hello } }]
`;

const anyTransport = `
diagnostics: { MW2058: off }
transports:
  - type: stdio
  - { type: http, sessions: memory, resumable: true, metrics: /metrics }
  - type: sse
  - type: websocket
`;

/** Generates a project of these settings, and runs its tests. */
async function passesItsTests(settings: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-unusual-"));
  try {
    await writeFile(join(folder, "mcp.yaml"), `name: odd\nversion: 1.0.0\n${settings}${items}`);
    const { status, out, err } = await mcpwright(folder, "generate");
    assert.is(status, 0, out + err);
    await installShared(folder);
    await npm(folder, "test");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("limits on how a client may send", () =>
  passesItsTests(`${anyTransport}
limits:
  bodyBytes: 100
  ratePerSecond: 0.01
  sessions: 1
  sessionIdleMs: 1
  connections: 1
  headersTimeoutMs: 1
  bodyTimeoutMs: 1
`));

test.run();
