import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { bin } from "../../harness/projects/project-folder.js";
import { missingPseudoTerminal, PseudoTerminal } from "../../harness/clients/pseudo-terminal.js";
import { testUnless } from "../../harness/runner/skipped-test.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** What only a person at a terminal sees: questions, colours, progress, Ctrl-C. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-terminal-"));
test.after(() => rm(root, { recursive: true }));

const missing = missingPseudoTerminal();
const terminalTest = (title: string, check: () => Promise<void>): void =>
  testUnless(missing, title, check);

let folders = 0;
async function newFolder(): Promise<string> {
  const folder = join(root, `demo-${++folders}`);
  await mkdir(folder);
  return folder;
}

function start(
  folder: string,
  words: readonly string[],
  env?: Record<string, string>,
): PseudoTerminal {
  return new PseudoTerminal(folder, [process.execPath, bin, ...words], env);
}

terminalTest("init asks, says why an answer will not do, and asks again", async () => {
  const folder = await newFolder();
  const terminal = start(folder, ["init", "--only-manifest"]);
  await terminal.expect("Name of the server (demo-1): ");
  terminal.type("My Server\r");
  await terminal.expect("upper-case letters");
  await terminal.expect("Name of the server (demo-1): ");
  terminal.type("weather\r");
  await terminal.expect("(stdio): ");
  terminal.type("carrier-pigeon\r");
  await terminal.expect("write stdio, http, or stdio,http");
  await terminal.expect("(stdio): ");
  terminal.type("stdio, http\r");
  await terminal.expect("sql statement (code): ");
  terminal.type("php\r");
  await terminal.expect("write code, directory, exec, http or sql");
  await terminal.expect("sql statement (code): ");
  terminal.type("code\r");
  await terminal.expect("first tool (echo): ");
  terminal.type("get forecast\r");
  await terminal.expect("first tool (echo): ");
  terminal.type("get_forecast\r");
  await terminal.expect("What get_forecast does (Says a text back.): ");
  terminal.type('Daily: "forecast" for 東京\r');
  assert.is(await terminal.ended(), 0, terminal.output);
  const manifest = await readFile(join(folder, "mcp.yaml"), "utf8");
  assert.match(manifest, "name: weather\n");
  assert.match(manifest, "  - type: stdio\n  - type: http\n");
  assert.match(manifest, /- name: get_forecast\n +description: .Daily: "forecast" for 東京/);
});

terminalTest("Enter accepts every suggestion, even if it is typed ahead", async () => {
  const folder = await newFolder();
  const terminal = start(folder, ["init", "--only-manifest"]);
  terminal.type("\r\r\r\r\r");
  assert.is(await terminal.ended(), 0, terminal.output);
  assert.match(await readFile(join(folder, "mcp.yaml"), "utf8"), "  - name: echo\n");
});

/** Options with which nothing is asked. Each of these starts the command. */
const SILENT = [
  ["--quiet"],
  ["--name", "a", "--transport", "http", "--tool", "b"],
  ...shortOrLong<readonly (readonly string[])[]>(
    [],
    [["--json"], ["--name", "a", "--transport", "http", "--template", "sql"]],
  ),
];

terminalTest("init does not ask for values that options give", async () => {
  const folder = await newFolder();
  const terminal = start(folder, [
    "init",
    "--only-manifest",
    "--name",
    "a",
    "--transport",
    "http",
    "--template",
    "minimal",
  ]);
  await terminal.expect("first tool (echo): ");
  assert.not.match(terminal.output, "Name of the server");
  assert.not.match(terminal.output, "Transports");
  assert.not.match(terminal.output, "sql statement");
  terminal.type("\r\r");
  assert.is(await terminal.ended(), 0);
  for (const silent of SILENT) {
    const quiet = start(await newFolder(), ["init", "--only-manifest", ...silent]);
    assert.is(await quiet.ended(), 0);
    assert.not.match(quiet.output, "): ");
  }
});

terminalTest("an import of a large document asks for tags, by number or name", async () => {
  const folder = await newFolder();
  const tagged = (index: number): object =>
    index === 40 ? {} : { tags: [index % 2 === 0 ? "even" : "odd"] };
  const paths = Array.from({ length: 41 }, (_, index) => [
    `/a${index}`,
    { get: { ...tagged(index), responses: {} } },
  ]);
  const info = { title: "Large" };
  const large = { openapi: "3.1.0", info, paths: Object.fromEntries(paths) as object };
  await writeFile(join(folder, "large.json"), JSON.stringify(large));
  const givenUp = start(folder, ["import", "openapi", "large.json"]);
  await givenUp.expect("with commas: ");
  givenUp.type("\u0004");
  assert.is(await givenUp.ended(), 130);
  assert.not.ok(existsSync(join(folder, "mcp.yaml")));

  const terminal = start(folder, ["import", "openapi", "large.json"]);
  await terminal.expect("   2      20  odd");
  await terminal.expect("   3       1  (no tag)");
  await terminal.expect("with commas: ");
  terminal.type("evne\r");
  await terminal.expect("there is no tag evne");
  terminal.type("\r");
  await terminal.expect("name one of them at least");
  terminal.type("2, (no tag)\r");
  assert.is(await terminal.ended(), 0, terminal.output);
  assert.match(terminal.output, "Wrote mcp.yaml with 21 of 41 operations");
});

terminalTest(
  "init can start a server with a body of the manifest, which needs no code",
  async () => {
    for (const kind of shortOrLong(["sql"], ["http", "sql", "exec", "directory"])) {
      const folder = await newFolder();
      const terminal = start(folder, [
        "init",
        "--only-manifest",
        "--name",
        "a",
        "--transport",
        "stdio",
      ]);
      await terminal.expect("sql statement (code): ");
      terminal.type(`${kind}\r`);
      assert.is(await terminal.ended(), 0, terminal.output);
      assert.not.match(terminal.output, "Name of its first tool");
      assert.match(await readFile(join(folder, "mcp.yaml"), "utf8"), `\n    ${kind}:`);
    }
  },
);

for (const [name, keys, status] of [
  ["Ctrl-C", "\u0003", 130],
  ["Ctrl-D", "\u0004", 130],
] as const) {
  terminalTest(`${name} at a question ends with ${status} and writes nothing`, async () => {
    const folder = await newFolder();
    const terminal = start(folder, ["init", "--only-manifest"]);
    await terminal.expect("): ");
    terminal.type("weather\r");
    await terminal.expect("(stdio): ");
    terminal.type(keys);
    assert.is(await terminal.ended(), status, terminal.output);
    assert.equal(await readdir(folder), []);
  });
}

type Start = readonly [words: readonly string[], env?: Record<string, string>];

/** Words and variables that switch colours off. Each of these starts the command. */
const COLOURLESS: readonly Start[] = [
  // A command line that is wrong is said without colours too.
  [["--nonsense", "--no-color"]],
  [[], { NO_COLOR: "1" }],
  ...shortOrLong<readonly Start[]>([], [[["--no-color"]], [[], { TERM: "dumb" }]]),
];

terminalTest("problems are coloured unless colours are switched off", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "mcp.yaml"), "name: demo\n");
  const red = "\u001b[31merror\u001b[39m";
  const shown = async (words: string[], env?: Record<string, string>): Promise<string> => {
    const terminal = start(folder, ["validate", ...words], env);
    assert.is(await terminal.ended(), 1);
    return terminal.output;
  };
  assert.match(await shown([]), red);
  for (const [words, env] of COLOURLESS) {
    const plain = await shown([...words], env);
    assert.not.match(plain, "\u001b[");
    assert.match(plain, "error MW");
  }
  assert.match(await shown([], { NO_COLOR: "" }), red);
});

const manyTools = Array.from(
  { length: 110 },
  (_, index) => `  - { name: tool_${index}, description: Does ${index}. }\n`,
).join("");

/** What a run has shown that was not ended. In short, its first line is seen of the one that is. */
async function assertWholeProgress(folder: string): Promise<void> {
  const whole = start(folder, ["generate"]);
  assert.is(await whole.ended(), 0);
  assert.match(whole.output, /\rcompiling 110 .*\rwrote 1\d\d files.*\r +\r/s);
  assert.ok(existsSync(join(folder, "src/tools/tool-109.ts")));
}

terminalTest("a long run shows its progress, and Ctrl-C ends it", async () => {
  const folder = await newFolder();
  const header = "name: demo\nversion: 1.0.0\ndiagnostics: { toolBudget: 0 }\ntools:\n";
  await writeFile(join(folder, "mcp.yaml"), header + manyTools);
  const interrupted = start(folder, ["generate"]);
  await interrupted.expect("\rcompiling 110 tools");
  interrupted.type("\u0003");
  assert.is(await interrupted.ended(), 130);
  assert.equal(await readdir(folder), ["mcp.yaml"]);
  if (shortOrLong(false, true)) await assertWholeProgress(folder);
});

test.run();
