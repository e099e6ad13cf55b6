import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../testing/harness/projects/generated-project.js";

/** Tests that names and texts of others cannot control the terminal of the person who runs a command. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-hostile-names-"));
test.after(() => rm(root, { recursive: true }));

/** Clears the screen, sets the title of the window, reverses what follows, and is invisible. */
const HOSTILE = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u200b";
const UNPRINTABLE = /[^\P{C}\n\t]/u;

const [folder, file, other] = [`in${HOSTILE}`, `mcp${HOSTILE}.yaml`, `api${HOSTILE}.json`];

/** In a manifest, controls are escaped as YAML has them. */
const quoted = (text: string): string =>
  `"${text.replace(/[^ -~]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;

const manifest = (type: string): string => `name: demo
version: 1.0.0
title: ${quoted(HOSTILE)}
x-note: ${quoted(HOSTILE)}
tools:
  - name: look
    description: ${quoted(`Looks ${HOSTILE}`)}
    inputSchema:
      type: object
      properties: { "a": { type: ${type}, enum: [${quoted(HOSTILE)}] } }
`;

const operation = {
  operationId: `get${HOSTILE}`,
  summary: HOSTILE,
  tags: [`tag${HOSTILE}`],
  parameters: [{ name: `p${HOSTILE}`, in: "query", schema: { type: "string", pattern: "(" } }],
  responses: { 200: { description: HOSTILE } },
};
const api = {
  openapi: "3.0.3",
  info: { title: `Books ${HOSTILE}`, version: "1" },
  servers: [{ url: `https://a.example/${HOSTILE}` }],
  paths: {
    "/c": { get: { summary: HOSTILE, tags: [HOSTILE], responses: { 200: { description: "x" } } } },
    [`/a${HOSTILE}`]: { get: operation },
    "/b": { get: { ...operation, deprecated: true } },
  },
};

await mkdir(join(root, folder));
await writeFile(join(root, folder, file), manifest("string"));
await writeFile(join(root, folder, "former.yaml"), manifest("boolean"));
await writeFile(join(root, folder, "wrong.yaml"), `${manifest("string")}${quoted(HOSTILE)}: 1\n`);
await writeFile(join(root, folder, other), JSON.stringify(api));

test("no command writes a control or an invisible character of a name or a text to the terminal", async () => {
  const [path, wrong, document] = [file, "wrong.yaml", other].map((name) => `${folder}/${name}`);
  const commands: readonly (readonly [status: number, ...argv: string[]])[] = [
    [0, "validate", path!],
    [1, "validate", wrong!],
    [1, "validate", `${folder}/none${HOSTILE}.yaml`],
    [2, "plan", path!, "--diff"],
    [2, "check", path!],
    [0, "generate", path!],
    [0, "diff", `${folder}/former.yaml`, path!],
    [1, "diff", `git:${HOSTILE}`, path!],
    [1, "plan", path!, "--since", `git:HEAD${HOSTILE}`],
    [1, "explain", HOSTILE],
    [1, HOSTILE],
    [1, "validate", `--${HOSTILE}`],
    [0, "import", "openapi", document!, "--out", `${folder}/made/mcp.yaml`, "--list"],
    [0, "import", "openapi", document!, "--out", `${folder}/made/mcp.yaml`, "--dry-run"],
    [0, "import", "openapi", document!, "--out", `${folder}/made/mcp.yaml`],
    [1, "import", "openapi", `${folder}/none${HOSTILE}.json`],
    [0, "init", "--no-install", `${folder}/new${HOSTILE}`],
  ];
  for (const [wanted, ...argv] of commands) {
    for (const format of [[], ["--json"]]) {
      const { status, out, err } = await mcpwright(root, ...argv, ...format);
      const shown = JSON.stringify([...argv, ...format]);
      if (format.length === 0) assert.is(status, wanted, `${shown}\n${out}${err}`);
      assert.is.not(out + err, "", shown);
      assert.not.match(out + err, UNPRINTABLE, shown);
    }
  }
});

test.run();
