import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { modernRequest } from "../../../../templates/runtime/suite/clients/http.js";
import { findRuntime, startForeign } from "../../harness/runner/other-runtimes.js";
import { runProgram } from "../../harness/runner/programs.js";
import { testUnless } from "../../harness/runner/skipped-test.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import { makeProject } from "../attacks/hostile-requests/demo-project.js";

/** What needs a process, and so no worker and no function has, is served by Bun and Deno as by Node.js. */

const manifest = `
name: on-processes
version: 1.0.0
transports: [{ type: stdio }, { type: http, sessions: memory }, { type: sse, path: /sse }, { type: websocket, path: /ws }]
deploy: { docker: false, bun: true, deno: true }
databases: { shelf: { type: sqlite, file: shelf.db } }
tools:
  - name: count
    description: Counts tables. Returns rows.
    annotations: { readOnlyHint: true }
    inputSchema: { type: object, properties: {}, additionalProperties: false }
    outputSchema: { type: array, items: { type: object, properties: { tables: { type: integer } } } }
    sql: { database: shelf, query: "select count(*) as tables from sqlite_master" }
  - name: show
    description: Shows a text. Returns it.
    inputSchema: { type: object, properties: { text: { type: string, description: The text, pattern: "^[a-z]+$" } }, required: [text], additionalProperties: false }
    exec: { command: [echo, "{{text}}"] }
resourceTemplates:
  - { name: notes, uriTemplate: "notes://{+path}", description: The notes., directory: { root: notes, watch: true } }
`;

let folder: string | undefined;

test.before(async () => {
  folder = await makeProject("on-processes", {
    "mcp.yaml": manifest,
    "notes/a.md": "# A\n",
    "shelf.db": "",
  });
});
test.after(async () => {
  if (folder !== undefined) await rm(dirname(folder), { recursive: true, force: true });
});

const suite = "dist/test/generated/server.test.js";
/** In short, one of the two. */
const RUNTIMES = shortOrLong<readonly (readonly ["bun" | "deno", readonly string[]])[]>(
  [["bun", []]],
  [
    ["bun", []],
    ["deno", ["run", "--allow-all"]],
  ],
);
for (const [name, parameters] of RUNTIMES) {
  const { program = "", reason } = await findRuntime(name);
  testUnless(
    reason,
    `programs, files and connections that stay are served by ${name}`,
    async () => {
      const said = await runProgram(folder!, program, [...parameters, suite]);
      const [, passed = ""] = /Passed:\s+(\d+)/.exec(said) ?? [];
      const [, total = ""] = /Total:\s+(\d+)/.exec(said) ?? [];
      assert.ok(Number(total) > 30 && passed === total, said);
    },
  );

  testUnless(reason, `a SQLite database is read on ${name}`, async () => {
    const start = (port: number): string[] => [
      ...parameters,
      ...["dist/src/main.js", "--http", "--port", String(port)],
    ];
    const server = await startForeign(program, start, folder!);
    const call = { name: "count", arguments: {} };
    try {
      const answer = await (await fetch(modernRequest(server.url, "tools/call", call))).text();
      assert.match(answer, '"structuredContent":[{"tables":0}]', server.log());
    } finally {
      await server.stop();
    }
  });
}

test.run();
