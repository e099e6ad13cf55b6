import { spawn } from "node:child_process";
import { chmod, cp, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { CommandProcess } from "../../harness/runner/command-run.js";
import { runProgram } from "../../harness/runner/programs.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import {
  bin,
  edit,
  git,
  commit,
  read,
  snapshot,
  spacedManifest,
  TestFolders,
  times,
  write,
} from "../../harness/projects/project-folder.js";

/**
 * The guarantees of regeneration that need a disk, a process, a compiler or git. `guarantees-of-runs.test.ts` names the
 * files of the others.
 */

const folders = new TestFolders();
test.after(folders.remove);

/** Generated once, and copied for each test that changes it. */
const original = await folders.make("guarantees");
await write(original, "mcp.yaml", spacedManifest(["first", "second"]));
await mcpwright(original, "generate");

async function copyOfProject(): Promise<string> {
  const folder = await folders.make("copy");
  await cp(original, folder, { recursive: true });
  return folder;
}

const HANDLER = "src/tools/first.ts";
const mine = (text: string): string => `${text}// mine\n`;

/** What a project can be like when a command begins, by name. */
const STATES = {
  "as it was generated": async () => undefined,
  "nothing yet": async (folder: string) => {
    for (const name of await readdir(folder)) {
      if (name !== "mcp.yaml") await rm(join(folder, name), { recursive: true });
    }
  },
  "an edited handler": (folder: string) => edit(folder, HANDLER, mine),
  "a changed manifest": (folder: string) =>
    write(folder, "mcp.yaml", spacedManifest(["first", "third"])),
  "a renamed tool and its edited handler": async (folder: string) => {
    await edit(folder, HANDLER, mine);
    await rename(folder);
  },
  "a renamed tool whose handler cannot be parsed": async (folder: string) => {
    await edit(folder, HANDLER, (text) => `${text}{{`);
    await rename(folder);
  },
  "a removed tool with an edited handler": async (folder: string) => {
    await edit(folder, HANDLER, mine);
    await write(folder, "mcp.yaml", spacedManifest(["second"]));
  },
  "an edited generated file": (folder: string) => edit(folder, "src/main.ts", mine),
  "an edited generated file and a changed manifest": async (folder: string) => {
    await edit(folder, "src/main.ts", mine);
    await write(folder, "mcp.yaml", spacedManifest(["first", "third"]));
  },
  "a deleted handler": (folder: string) => rm(join(folder, HANDLER)),
  "a deleted generated file": (folder: string) => rm(join(folder, "SERVER.md")),
  "a deleted scaffold": (folder: string) => rm(join(folder, "README.md")),
  "a handler that lost its export": (folder: string) =>
    edit(folder, HANDLER, (text) => text.replace("export const first", "const first")),
  "a package.json with a key of one's own": (folder: string) =>
    edit(folder, "package.json", (text) => text.replace("{", '{ "mine": 1,')),
  "a key of package.json that both changed": async (folder: string) => {
    await edit(folder, "package.json", (text) => text.replace('"1.0.0"', '"7.0.0"'));
    await write(folder, "mcp.yaml", spacedManifest(["first", "second"], "2.0.0"));
  },
  "a package.json with conflict markers": async (folder: string) => {
    await edit(folder, "package.json", (text) => `<<<<<<< a\n${text}=======\n>>>>>>> b\n`);
    await write(folder, "mcp.yaml", spacedManifest(["first", "second"], "2.0.0"));
  },
  "a generated file with conflict markers": (folder: string) =>
    write(folder, "src/main.ts", "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n"),
  "a lost lock": (folder: string) => rm(join(folder, "mcpwright.lock.json")),
  "a lost lock and an edited generated file": async (folder: string) => {
    await rm(join(folder, "mcpwright.lock.json"));
    await edit(folder, "src/main.ts", mine);
  },
  "a damaged lock": (folder: string) =>
    edit(folder, "mcpwright.lock.json", (text) => text.slice(0, 999)),
  "a foreign file where a generated one goes": async (folder: string) => {
    await rm(join(folder, "mcpwright.lock.json"));
    await write(folder, "test/generated/contracts/server.json", "mine");
  },
  "a file in CRLF": (folder: string) =>
    edit(folder, "src/generated/index.ts", (text) => text.replaceAll("\n", "\r\n")),
} satisfies Readonly<Record<string, (folder: string) => Promise<unknown>>>;

type State = keyof typeof STATES;

/** States that `npm test` tries together, in one project, where `npm run test:long` tries each in its own. */
const TOGETHER: readonly (readonly State[])[] = [
  ["as it was generated"],
  ["nothing yet"],
  [
    "an edited handler",
    "a package.json with a key of one's own",
    "a deleted scaffold",
    "a file in CRLF",
  ],
  ["a changed manifest", "a deleted handler", "a deleted generated file"],
  ["a renamed tool and its edited handler"],
  ["a renamed tool whose handler cannot be parsed"],
  ["a removed tool with an edited handler"],
  [
    "an edited generated file",
    "a handler that lost its export",
    "a key of package.json that both changed",
  ],
  ["a package.json with conflict markers", "a generated file with conflict markers"],
  ["a lost lock and an edited generated file"],
  ["a damaged lock"],
  ["a foreign file where a generated one goes"],
];
const TRIED = shortOrLong<readonly (readonly State[])[]>(
  TOGETHER,
  (Object.keys(STATES) as State[]).map((state) => [state]),
);

async function rename(folder: string): Promise<void> {
  const text = spacedManifest(["other", "second"]);
  await write(
    folder,
    "mcp.yaml",
    text.replace("name: other", "name: other\n    renamedFrom: first"),
  );
}

interface Named {
  readonly changes: readonly {
    readonly op: string;
    readonly path: string;
    readonly from?: string;
  }[];
}

/** Paths that a `--json` document says are written, moved or deleted. */
function named(document: string): string[] {
  const { changes } = JSON.parse(document) as Named;
  const done = changes.filter(({ op }) => op !== "keep" && op !== "conflict");
  return [...new Set(done.flatMap(({ path, from = path }) => [path, from]))].sort();
}

/** `check`, `plan` and `generate`, one after the other, on a project in these states. */
async function observe(states: readonly State[]) {
  const folder = await copyOfProject();
  for (const state of states) await STATES[state](folder);
  const [before, timesBefore] = [await snapshot(folder), await times(folder)];
  const check = await mcpwright(folder, "check", "--quiet");
  const timesChecked = await times(folder);
  const plan = await mcpwright(folder, "plan", "--json");
  const timesPlanned = await times(folder);
  const generate = await mcpwright(folder, "generate", "--json");
  const after = await snapshot(folder);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const written = paths.filter((path) => before[path] !== after[path]);
  return { check, plan, generate, written, times: [timesBefore, timesChecked, timesPlanned] };
}

for (const states of TRIED) {
  const name = states.join(", ");
  let seen: ReturnType<typeof observe> | undefined;
  const observed = (): ReturnType<typeof observe> => (seen ??= observe(states));

  test(`guarantee 14: (F22) check writes nothing, and reports what generate would do: ${name}`, async () => {
    const { check, generate, written, times: found } = await observed();
    assert.equal(found[1], found[0]);
    const pending = written.length > 0 ? 2 : 0;
    assert.is(check.status, generate.status === 0 ? pending : generate.status);
  });

  test(`guarantee 15: plan writes nothing, and names exactly what generate writes: ${name}`, async () => {
    const { plan, generate, written, times: found } = await observed();
    assert.equal(found[2], found[0]);
    assert.equal(named(plan.out), written);
    assert.equal(named(generate.out), written);
  });
}

test("guarantee 14: check works on a read-only tree", async () => {
  const folder = await copyOfProject();
  const statusAsNobody = async (word: string): Promise<number> =>
    (await commands.run({ program: bin, folder, words: [word] })).status;
  const paths = ["", ...(await readdir(folder, { recursive: true }))];
  for (const path of paths) {
    const isFile = /\.\w+$/.test(path);
    await chmod(join(folder, path), isFile ? 0o444 : 0o555);
  }
  assert.is(await statusAsNobody("check"), 0);
  assert.is(await statusAsNobody("generate"), 0);
  const isRestricted = nobody.uid !== undefined || process.getuid?.() !== 0;
  for (const path of paths) await chmod(join(folder, path), 0o755);
  await write(folder, "mcp.yaml", spacedManifest(["first"]));
  await chmod(folder, 0o555);
  assert.is(await statusAsNobody("check"), 2);
  if (isRestricted) assert.is(await statusAsNobody("generate"), 4);
  await chmod(folder, 0o755);
});

/** An account that modes apply to, where this one is root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const commands = new CommandProcess(nobody);
test.after(commands.end);
/** A process that finds no git, nor any other program. */
const withoutPrograms = new CommandProcess({}, { ...process.env, PATH: "" });
test.after(withoutPrograms.end);

function statusOf(folder: string, parameters: readonly string[]): Promise<number | null> {
  return new Promise((resolve) => {
    const options = { cwd: folder, stdio: "ignore" as const };
    spawn(process.execPath, [bin, ...parameters], options).on("close", resolve);
  });
}

/** The manifests that processes generate from at the same time. */
const CONCURRENT = shortOrLong(["a.yaml", "b.yaml"], ["a.yaml", "b.yaml", "a.yaml", "b.yaml"]);

test(`guarantee 13: ${CONCURRENT.length} concurrent processes with two manifests give the result of some sequential order`, async () => {
  const folder = await copyOfProject();
  await edit(folder, HANDLER, mine);
  const manifests = { "a.yaml": ["first", "second"], "b.yaml": ["first", "third"] };
  const wanted = await Promise.all(
    Object.values(manifests).map(async (tools) => {
      const fresh = await folders.make("order");
      await write(fresh, "mcp.yaml", spacedManifest(tools));
      await mcpwright(fresh, "generate");
      return read(fresh, "src/generated/server.ts");
    }),
  );
  for (const [path, tools] of Object.entries(manifests)) {
    await write(folder, path, spacedManifest(tools));
  }
  const statuses = await Promise.all(
    CONCURRENT.map((path) => statusOf(folder, ["generate", path])),
  );
  for (const status of statuses) assert.ok(status === 0 || status === 4, `${statuses.join()}`);
  assert.ok(statuses.includes(0));
  const found = wanted.indexOf(await read(folder, "src/generated/server.ts"));
  assert.ok(found >= 0, "the list of tools is that of one manifest");
  assert.is((await mcpwright(folder, "check", Object.keys(manifests)[found] ?? "")).status, 0);
  assert.match(await read(folder, HANDLER), /\/\/ mine\n$/);
});

test("guarantee 10: a symbolic link in the project is refused by name, and its target is unchanged", async () => {
  const folder = await copyOfProject();
  const outside = await folders.make("outside");
  await write(outside, "first.ts", "theirs\n");
  await rm(join(folder, "src/tools"), { recursive: true });
  await symlink(outside, join(folder, "src/tools"));
  const before = await snapshot(folder);
  for (const tools of [["first"], []]) {
    const options = tools.length > 0 ? [] : ["--adopt", "--overwrite-edited"];
    await write(folder, "mcp.yaml", spacedManifest([...tools, "second"]));
    const { status, err } = await mcpwright(folder, "generate", ...options);
    assert.is(status, 1);
    assert.match(err, /src\/tools:1:1 {2}error MW4020/);
  }
  assert.equal(Object.keys(await snapshot(folder)), Object.keys(before));
  assert.equal(await snapshot(outside), { "first.ts": "theirs\n" });
});

test("guarantee 18: a shallow clone and a folder without git give the same result", async () => {
  const origin = await copyOfProject();
  await git(origin, "init", "--quiet", "--initial-branch", "main");
  await commit(origin, "Begin");
  const clone = join(await folders.make("clone"), "shallow");
  await git(origin, "clone", "--quiet", "--depth", "1", `file://${origin}`, clone);
  assert.is((await mcpwright(clone, "check")).status, 0);
  await rm(join(clone, ".git"), { recursive: true });
  await write(clone, "mcp.yaml", spacedManifest(["first", "more"]));
  await withoutPrograms.runAll([{ program: bin, folder: clone, words: ["generate"] }]);
  assert.match(await read(clone, "src/tools/more.ts"), "more");
  assert.is((await mcpwright(clone, "check")).status, 0);
});

test("guarantee 16: the settings of a person's tools change no generated byte, and are not loaded", async () => {
  const set = await folders.make("settings");
  await write(set, ".prettierrc.mjs", `throw new Error("loaded");\n`);
  await write(set, "prettier.config.cjs", `throw new Error("loaded");\n`);
  await write(set, ".editorconfig", "root = true\n[*]\nindent_style = tab\nend_of_line = crlf\n");
  const compiler = `{ "compilerOptions": { "newLine": "crlf", "target": "es5" } }\n`;
  await write(set, "tsconfig.json", compiler);
  await write(set, "mcp.yaml", spacedManifest(["first", "second"]));
  await withoutPrograms.runAll([{ program: bin, folder: set, words: ["generate", "--quiet"] }]);
  const state = JSON.parse(await read(original, "mcpwright.lock.json")) as {
    files: Record<string, { owner: string }>;
  };
  const generated = Object.keys(state.files).filter((path) => !/package|tsconfig/.test(path));
  assert.ok(generated.length > 10);
  for (const path of generated) {
    assert.is(await read(set, path), await read(original, path), path);
  }
});

const TYPED = `name: demo
version: 1.0.0
tools:
  - name: first
    description: Does first.
    inputSchema: { type: object, properties: { city: { type: string }, days: { type: integer } }, required: [city, days], additionalProperties: false }
  - name: second
    description: Does second.
    inputSchema: { type: object, properties: { city: { type: string }, days: { type: integer } }, required: [city, days], additionalProperties: false }
`;

function handler(name: string, body: string): string {
  return `import type { ToolHandler } from "../generated/index.js";

export const ${name}: ToolHandler<"${name}"> = async (input) => {
  return ${body};
};
`;
}

/** The project with typed inputs in some states, each in a folder of its name. One program type-checks all. */
const typed = await folders.make("typed");

/** Makes a state of another one. */
async function typedState(
  name: string,
  from: string,
  change: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = join(typed, name);
  await cp(join(typed, from), folder, { recursive: true });
  await change(folder);
  return folder;
}

async function makeTypedStates(): Promise<void> {
  const written = join(typed, "written");
  await write(written, "mcp.yaml", TYPED);
  await mcpwright(written, "generate");
  await write(written, HANDLER, handler("first", "`${input.city} ${input.days}`"));
  await write(written, "src/tools/second.ts", handler("second", "input.city"));
  const renamed = await typedState("renamed", "written", (folder) =>
    write(folder, "mcp.yaml", TYPED.replaceAll("days", "hours")),
  );
  assert.is((await mcpwright(renamed, "generate")).status, 0);
  const firstIs = (name: string, text: string): Promise<string> =>
    typedState(name, "renamed", (folder) => write(folder, HANDLER, text));
  await firstIs("rewritten", handler("first", "input.city"));
  await firstIs("misfit", "export const first = (input: { other: number }) => `${input.other}`;\n");
  await firstIs("other-export", "export const other = 1;\n");
  await typedState("removed", "renamed", (folder) => rm(join(folder, HANDLER)));
}

/** Files of each state in which the compiler finds errors. */
async function typeErrors(): Promise<ReadonlyMap<string, readonly string[]>> {
  const states = await readdir(typed);
  await cp(join(typed, "written/package.json"), join(typed, "package.json"));
  await installShared(typed);
  const settings = JSON.parse(await read(typed, "written/tsconfig.json")) as object;
  const include = states.flatMap((name) => [`${name}/src`, `${name}/test`]);
  await write(typed, "tsconfig.json", JSON.stringify({ ...settings, include, exclude: [] }));
  const compiler = join(typed, "node_modules/.bin/tsc");
  const words = ["-p", ".", "--noEmit", "--singleThreaded"];
  const output = await runProgram(typed, compiler, words).catch(String);
  const errors = [...output.matchAll(/^([^\s/]+)\/(\S+\.ts)\(\d+,\d+\): error/gm)];
  return new Map(
    states.map((name) => {
      const own = errors.filter(([, state]) => state === name);
      return [name, [...new Set(own.map(([, , path = ""]) => path))]];
    }),
  );
}

await makeTypedStates();
const errors = await typeErrors();

test("guarantee 8: after a schema change, the type-check fails at real uses only", async () => {
  assert.equal(errors.get("written"), []);
  assert.equal(errors.get("renamed"), [HANDLER], "the handler that reads days, and no other");
  for (const path of [HANDLER, "src/tools/second.ts"]) {
    assert.is(await read(typed, `renamed/${path}`), await read(typed, `written/${path}`), path);
  }
});

test("guarantee 9: a missing handler is a compile error", () => {
  assert.equal(errors.get("rewritten"), []);
  const module = "src/generated/tools/first.ts";
  assert.ok(errors.get("misfit")?.includes(module), "a handler that does not fit");
  assert.ok(errors.get("other-export")?.includes(module));
  assert.ok(errors.get("removed")?.includes(module));
});

test.run();
