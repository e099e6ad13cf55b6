import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import {
  authorsFiles,
  blocksOf,
  evolutionFolder,
  liveStory,
  withBlocks,
  type Chapter,
  type ChapterName,
  type Files,
} from "../../made/evolution-story.js";
import { testProjects } from "../../harness/projects/built-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { npm } from "../../harness/runner/programs.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

const folders: string[] = [];
test.after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-evolution-"));
  folders.push(folder);
  return folder;
}

/** What a version does to the author's files: where they go, and which words in them change. */
interface Declared {
  readonly moved?: Readonly<Record<string, string>>;
  readonly words?: Readonly<Record<string, readonly (readonly [before: string, after: string])[]>>;
}

const DECLARED: Readonly<Record<ChapterName, Declared>> = {
  "1-first-release": {},
  "2-new-name": {
    moved: {
      "src/tools/search-books.ts": "src/tools/search.ts",
      "test/tools/search-books.test.ts": "test/tools/search.test.ts",
    },
    words: {
      "src/tools/get-book.ts": [["./search.js", "./search-books.js"]],
      "src/tools/search-books.ts": [
        ["const search: ToolHandler<'search'>", "const searchBooks: ToolHandler<'search_books'>"],
      ],
      "test/tools/search-books.test.ts": [
        ["{ search }", "{ searchBooks as search }"],
        ["tools/search.js", "tools/search-books.js"],
      ],
    },
  },
  "3-new-answer": {
    moved: {
      "src/removed/tools/renew-loan.ts": "src/tools/renew-loan.ts",
      "src/removed/tools/renew-loan.test.ts": "test/tools/renew-loan.test.ts",
    },
  },
  "4-back-again": {
    moved: {
      "src/tools/renew-loan.ts": "src/removed/tools/renew-loan.ts",
      "test/tools/renew-loan.test.ts": "src/removed/tools/renew-loan.test.ts",
    },
  },
};

/** Checks that the author's files are those from before, every byte, but for what is declared. */
function assertOnlyDeclared({ name, before, after }: Chapter): void {
  const { moved = {}, words = {} } = DECLARED[name];
  const expected = new Map(before);
  for (const [path, from] of Object.entries(moved)) {
    expected.set(path, contentOf(before, from));
    expected.delete(from);
  }
  for (const [path, replacements] of Object.entries(words)) {
    const text = replacements.reduce(
      (former, [from, to]) => {
        assert.is(former.split(from).length, 2, `${name}: ${from} stands once in ${path}`);
        return former.replace(from, to);
      },
      `${expected.get(path)}`,
    );
    expected.set(path, Buffer.from(text));
  }
  assertSameFiles(after, expected, name);
}

function contentOf(files: Files, path: string): Buffer {
  const content = files.get(path);
  if (content === undefined) throw new Error(`${path} is missing`);
  return content;
}

function assertSameFiles(actual: Files, expected: Files, what: string): void {
  assert.equal([...actual.keys()].sort(), [...expected.keys()].sort(), `${what}: files`);
  for (const [path, content] of actual) {
    assert.ok(expected.get(path)?.equals(content), `${what}: bytes of ${path}`);
  }
}

const readme = await readFile(join(evolutionFolder, "README.md"), "utf8");

test("over four versions, only declared changes touch the author's files, and the tests pass", async () => {
  const folder = await newFolder();
  const states = await newFolder();
  const blocks = new Map<string, string>();
  await liveStory(
    folder,
    async (chapter) => {
      const { name, before } = chapter;
      for (const [block, text] of blocksOf(chapter)) blocks.set(block, text);
      if (before.size > 0) assertOnlyDeclared(chapter);
      assert.is((await mcpwright(folder, "check")).status, 0, `check after ${name}`);
      // The rename alone leaves a project that works; the new answer asks for its author's hand.
      if (name === "2-new-name") await cp(folder, join(states, name), { recursive: true });
      if (name === "3-new-answer") await assertOneProblem(folder, chapter.plan);
    },
    async (name) => {
      if (name === "3-new-answer" || name === "4-back-again") {
        await cp(folder, join(states, name), { recursive: true });
      }
    },
  );
  await assertTestsPass(TESTED, states);

  const expected = withBlocks(readme, blocks);
  assert.is(
    withoutCounts(readme),
    withoutCounts(expected),
    "npm run examples tells the story again",
  );
  const [end, committed] = [await authorsFiles(folder), await authorsFiles(evolutionFolder)];
  assertSameFiles(committed, end, "examples/evolution is where the story ends");
});

/** Versions that are built and tested: in short, the last, which has what the others left. */
const TESTED = shortOrLong<readonly ChapterName[]>(
  ["4-back-again"],
  ["2-new-name", "3-new-answer", "4-back-again"],
);

/** Checks that the project of each version builds, that its tests pass, and that none is skipped. */
async function assertTestsPass(names: readonly ChapterName[], states: string): Promise<void> {
  const outputs = await testProjects(names.map((name) => join(states, name)));
  for (const [index, name] of names.entries()) {
    const output = stripVTControlCharacters(outputs[index] ?? "");
    assert.match(output, /Skipped: +0\n/, `${name}\n${output}`);
  }
}

/** Checks that the type-check refuses one line of the author's, the one that the plan had named. */
async function assertOneProblem(folder: string, plan: string): Promise<void> {
  const output = await npm(folder, "run", "--silent", "typecheck").catch(String);
  const errors = output.match(/^\S+\(\d+,\d+\): error/gm);
  assert.equal(errors, ["src/tools/get-book.ts(5,14): error"], output);
  assert.match(plan, "! src/tools/get-book.ts  (will not type-check: 5:14 Property 'copies'");
}

/** How many files the runtime has is not the story's matter. */
function withoutCounts(text: string): string {
  return text.replace(/\(\d+ files\)|\d+ (?:created|updated)/g, "…");
}

test("the README of mcpwright quotes the story", async () => {
  const quoting = await readFile(new URL("README.md", packageRoot), "utf8");
  const [, quotation = ""] =
    /^## When the manifest changes\n[^]*?^```text\n([^]*?)^```$/m.exec(quoting) ?? [];
  const lines = quotation.split("\n").filter((line) => line !== "");
  assert.ok(lines.length > 3);
  for (const line of lines) {
    assert.ok(`${readme}\n`.includes(line.replace(/ …$/, "")), `not told: ${line}`);
  }
});

test.run();
