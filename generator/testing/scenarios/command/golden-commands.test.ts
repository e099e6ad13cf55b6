import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import { packageRoot } from "../../../text/package-root.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { assertGoldenFiles } from "../../harness/runner/golden-files.js";

/**
 * Each folder below `golden-commands/` is a case: `command` has a command line a line, run one after
 * the other in a copy of `input/`; `expected/` has what each printed, its status, and the files that
 * stand there in the end but for the generated project, which `examples/` shows.
 */
const sources = new URL("generator/testing/golden-commands/", packageRoot);

for (const name of await readdir(sources)) {
  test(`golden command: ${name}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "mcpwright-golden-"));
    const source = new URL(`${name}/`, sources);
    try {
      await cp(fileURLToPath(new URL("input/", source)), folder, { recursive: true }).catch(
        ignoreMissing,
      );
      const commands = (await readFile(new URL("command", source), "utf8")).trim().split("\n");
      const results = [];
      for (const [index, command] of commands.entries()) {
        results.push(...(await runCommand(folder, command, index + 1)));
      }
      await assertGoldenFiles(new URL("expected/", source), results);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function runCommand(
  folder: string,
  command: string,
  number: number,
): Promise<{ path: string; content: string }[]> {
  const { status, out, err } = await mcpwright(folder, ...command.split(" ").slice(1));
  const shown = (text: string): string =>
    text.replaceAll(folder, "<folder>").replace(/"milliseconds": \d+/, '"milliseconds": 0');
  const files = (await readdir(folder)).sort().join("\n");
  const report = [
    `$ ${command}`,
    shown(out).trimEnd(),
    ...(err === "" ? [] : ["--- stderr", shown(err).trimEnd()]),
    `--- status ${status}`,
    `--- files\n${files}`,
  ];
  return [{ path: `${number}`, content: `${report.join("\n")}\n` }];
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

test.run();
