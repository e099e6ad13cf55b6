import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, readdir, rename, rm, symlink, truncate, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import {
  bin,
  edit,
  snapshot,
  spacedManifest,
  TestFolders,
  write,
} from "../../harness/projects/project-folder.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/**
 * Faults of the machine, the file system and the user, by their numbers, as far as they need processes
 * and a real disk:
 *
 * - F01 to F03, F05, F07, F10 at every call: `7-apply/crashes.test.ts` and `npm run crashes`
 * - F02, F06, F08, F21 with full, read-only and racing file systems: `npm run crashes`
 * - F04: `7-apply/file-layer.test.ts`; F09: `7-apply/process-lock.test.ts`; F10: `scenarios/command/process.test.ts`
 * - F13, F20, F22: guarantees 6, 20 and 14; F15: `6-reconcile/plan-project.test.ts`
 */

const folders = new TestFolders();
test.after(folders.remove);

const original = await folders.make("faults");
await write(original, "mcp.yaml", spacedManifest(["first", "second"]));
await mcpwright(original, "generate");
const wanted = await snapshot(original);

async function copyOfProject(name = "fault"): Promise<string> {
  const folder = await folders.make(name);
  await cp(original, folder, { recursive: true });
  return folder;
}

interface Ending {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a line of shell in a folder; `$node $bin` is the command. */
function shell(folder: string, line: string): Ending {
  const { status, stdout, stderr } = spawnSync("bash", ["-c", line], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, node: process.execPath, bin, script: encodeURIComponent(OTHER_MACHINE) },
  });
  return { status, output: stdout + stderr };
}

const mine = (text: string): string => `${text}// mine\n`;
const HANDLER = "src/tools/first.ts";

/** F11: what a person does to a handler or a scaffold, and the bytes that must be somewhere after. */
const EDITS: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  edits: (folder) => edit(folder, HANDLER, mine),
  "converts to CRLF": (folder) =>
    edit(folder, HANDLER, (text) => mine(text).replaceAll("\n", "\r\n")),
  "adds a byte-order mark to": (folder) => edit(folder, HANDLER, (text) => `\uFEFF${mine(text)}`),
  "makes executable": async (folder) => {
    await edit(folder, HANDLER, mine);
    await chmod(join(folder, HANDLER), 0o755);
  },
  "makes read-only": async (folder) => {
    await edit(folder, HANDLER, mine);
    await chmod(join(folder, HANDLER), 0o444);
  },
  "renames the file of": async (folder) => {
    await edit(folder, HANDLER, mine);
    await rename(join(folder, HANDLER), join(folder, "src/tools/moved.ts"));
  },
  "replaces by a file in another encoding": (folder) =>
    write(folder, HANDLER, Buffer.from("export const first = 'caf\xe9'; // mine\n", "latin1")),
  "edits and dates back": async (folder) => {
    await edit(folder, HANDLER, mine);
    await utimes(join(folder, HANDLER), 0, 0);
  },
};

for (const [name, change] of Object.entries(EDITS)) {
  test(`F11: someone ${name} a handler: no byte is lost over three runs`, async () => {
    const folder = await copyOfProject();
    await change(folder);
    const theirs = Object.values(await snapshot(folder)).find((text) => text.includes("// mine"));
    for (const tools of [["first", "second"], ["second"], ["first", "second"]]) {
      await write(folder, "mcp.yaml", spacedManifest(tools));
      const { status } = await mcpwright(folder, "generate");
      assert.ok(status === 0 || status === 3, `${status}`);
      assert.ok(Object.values(await snapshot(folder)).includes(theirs ?? ""), tools.join());
    }
  });
}

test("F11: a file keeps the mode that someone set when it is moved or replaced", async () => {
  const folder = await copyOfProject();
  await edit(folder, HANDLER, mine);
  for (const path of [HANDLER, "package.json"]) await chmod(join(folder, path), 0o700);
  const text = spacedManifest(["other", "second"], "2.0.0");
  await write(
    folder,
    "mcp.yaml",
    text.replace("name: other", "name: other\n    renamedFrom: first"),
  );
  assert.is((await mcpwright(folder, "generate")).status, 0);
  const modes = shell(folder, "stat -c %a package.json src/tools/other.ts").output;
  assert.is(modes, "700\n700\n");
});

test("F14: a lock of 100 MB, and one that is a folder, end the run with a one-line message", async () => {
  for (const make of [
    (path: string) => truncate(path, 100 * 1024 * 1024),
    async (path: string) => {
      await rm(path);
      await mkdir(path);
    },
  ]) {
    const folder = await copyOfProject();
    await make(join(folder, "mcpwright.lock.json"));
    const { status, err } = await mcpwright(folder, "generate");
    assert.is(status, 3);
    assert.match(err, /^mcpwright\.lock\.json:1:1 {2}error MW4008 .*\n/);
  }
});

/** Lines of shell by what they say of a run. */
type Lines = Readonly<Record<string, string>>;

/**
 * F16, F19: surroundings in which the same manifest must give the same bytes; run in a fresh folder. These have as many at
 * once as can be.
 */
const SURROUNDINGS: Lines = {
  "in another locale and time zone, with colours, on another clock and disk, through a link, into a reader that goes away": `
    set -o pipefail; umask 077; ln -s "$PWD" "$PWD.link" && cd "$PWD.link"
    LC_ALL=tr_TR.UTF-8 TZ=Pacific/Kiritimati FORCE_COLOR=3 \\
      $node --import "data:text/javascript,$script" $bin generate ./src/../mcp.yaml | true
    s=$?; rm "$PWD"; exit $s`,
  ...shortOrLong<Lines>(
    {},
    {
      "without an environment but LANG=C and NO_COLOR, from a working folder that is gone, by an absolute path, with every stream closed":
        'mkdir gone && cd gone && rmdir ../gone && env -i LC_ALL=C NO_COLOR=1 $node $bin generate "$OLDPWD/mcp.yaml" <&- >&- 2>&-',
    },
  ),
};

/** The same surroundings, each by itself. */
const SINGLE_SURROUNDINGS: Lines = {
  "in a Turkish locale, another time zone, under another umask, with FORCE_COLOR":
    "umask 077; LC_ALL=tr_TR.UTF-8 TZ=Pacific/Kiritimati FORCE_COLOR=3 $node $bin generate",
  "without HOME or any environment, and with stdin closed": "env -i $node $bin generate <&-",
  "on a clock that stands at 1970, where folders list their names in another order":
    '$node --import "data:text/javascript,$script" $bin generate',
  "in LANG=C with NO_COLOR, by an absolute path":
    'cd / && LC_ALL=C NO_COLOR=1 $node $bin generate "$OLDPWD/mcp.yaml"',
  "through a link, by a path with dots":
    'ln -s "$PWD" "$PWD.link" && cd "$PWD.link" && $node $bin generate ./src/../mcp.yaml; s=$?; rm "$PWD"; exit $s',
  "with every stream closed": "$node $bin generate <&- >&- 2>&-",
  "into a reader that goes away": "set -o pipefail; $node $bin generate | true",
  "from a working folder that is gone":
    'mkdir gone && cd gone && rmdir ../gone && $node $bin generate "$OLDPWD/mcp.yaml"',
};

const OTHER_MACHINE = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
Date.now = () => 0;
const list = fs.readdirSync;
fs.readdirSync = (...parameters) => list(...parameters).reverse();
syncBuiltinESMExports();`;

const surroundings = { ...SURROUNDINGS, ...shortOrLong({}, SINGLE_SURROUNDINGS) };
for (const [name, line] of Object.entries(surroundings)) {
  test(`F16, F19: generate gives the same bytes ${name}`, async () => {
    const folder = await folders.make("surroundings");
    await write(folder, "mcp.yaml", spacedManifest(["first", "second"]));
    const { status, output } = shell(folder, line);
    assert.is(status, 0, output);
    assert.equal(await differing(folder), []);
  });
}

/** Paths of files that are not as they were generated first. */
async function differing(folder: string): Promise<string[]> {
  const found = await snapshot(folder);
  const paths = new Set([...Object.keys(found), ...Object.keys(wanted)]);
  return [...paths].filter((path) => found[path] !== wanted[path]);
}

test("F19: no generated file contains a path of this machine, the name of its user or a date", () => {
  const forbidden = [
    original,
    dirname(bin),
    process.env["HOME"] ?? "/root",
    `${new Date().getFullYear()}-`,
  ];
  for (const [path, whole] of Object.entries(wanted)) {
    // The date of the runtime's sources is the same wherever and whenever a project is generated.
    const text = whole.replace(/"sourceDate": "[^"]*"/, "");
    for (const word of forbidden) {
      // Protocol revisions are dates too.
      if (word.length < 6 && /2026-07-28|2025-/.test(text)) continue;
      assert.not.ok(text.includes(word), `${word} in ${path}`);
    }
  }
});

/** F17: names of folders; each works, or the run ends with 1 or 4 and says why. */
const NAMES: Readonly<Record<string, string>> = {
  "quotes and spaces": `it's "mine" \`so\` $HOME 100%20#?&`,
  "a line end": "two\nlines",
  emoji: "🌧 сервер",
  "a leading dash": "-rf",
  "255 bytes": "n".repeat(255),
  "256 bytes": "n".repeat(256),
  depth: Array.from({ length: 60 }, () => "deep").join("/"),
  "more than 4,096 bytes": Array.from({ length: 100 }, () => "d".repeat(60)).join("/"),
};

for (const [name, path] of Object.entries(NAMES)) {
  test(`F17: an output folder whose name has ${name} is used, or refused without a write`, async () => {
    const folder = await folders.make("names");
    await write(folder, "mcp.yaml", spacedManifest(["first", "second"]));
    const { status, err } = await mcpwright(folder, "generate", `--out=${path}`);
    if (status === 0) {
      const { "mcp.yaml": _, ...files } = wanted;
      assert.equal(Object.keys(await snapshot(join(folder, path))), Object.keys(files));
      assert.is((await mcpwright(folder, "check", `--out=${path}`)).status, 0);
    } else {
      assert.ok(status === 1 || status === 4, `${status}`);
      assert.match(err, /error MW40(22|30)/);
      assert.equal(await readdir(folder), ["mcp.yaml"]);
    }
  });
}

test("F17: a manifest in a folder with a line end in its name is compiled", async () => {
  const folder = join(await folders.make("names"), "two\nlines 🌧 'n");
  await write(folder, "mcp.yaml", spacedManifest(["first", "second"]));
  assert.is((await mcpwright(folder, "generate")).status, 0);
  assert.equal(await differing(folder), []);
});

/** F05, F18: limits; a run under one ends well, or fails and leaves the old tree. */
const LIMITS: Lines = {
  "F02: files of at most 8 KB (EFBIG)": "ulimit -f 8; trap '' XFSZ; $node $bin generate",
  "F18: a heap of 24 MB": "$node --max-old-space-size=24 $bin generate",
};

/** Others, which end a run at other places, or nowhere. `7-apply/crashes.test.ts` has F05 at every call. */
const OTHER_LIMITS: Lines = {
  "F05: 20 open files": "ulimit -n 20; $node $bin generate",
  "F05: 40 open files": "ulimit -n 40; $node $bin generate",
  "F18: a heap of 64 MB": "$node --max-old-space-size=64 $bin generate",
  "F18: an address space of 800 MB": "ulimit -v 800000; $node $bin generate",
};

for (const [name, line] of Object.entries({ ...LIMITS, ...shortOrLong({}, OTHER_LIMITS) })) {
  test(`${name}: the tree is completely new or completely old`, async () => {
    const folder = await copyOfProject();
    await edit(folder, HANDLER, mine);
    await write(folder, "mcp.yaml", spacedManifest(["first", "third"]));
    const before = await snapshot(folder);
    const { status } = shell(folder, `ulimit -c 0; ${line}`);
    const found = await snapshot(folder);
    if (status !== 0) assert.equal(found, before, `ended with ${status}`);
    assert.is((await mcpwright(folder, "generate")).status, 0);
    const after = await snapshot(folder);
    if (status === 0) assert.equal(found, after);
    assert.match(after[HANDLER] ?? "", /\/\/ mine\n$/);
  });
}

test("F06: a folder without write permission ends the run with status 4 before any file is changed", async () => {
  const folder = await copyOfProject();
  await write(folder, "mcp.yaml", spacedManifest(["first", "third"]));
  const asNobody =
    process.getuid?.() === 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "";
  shell(folder, "chmod -R a+rwX .; chmod 555 src/tools; chmod 444 SERVER.md");
  const before = await snapshot(folder);
  const { status, output } = shell(folder, `${asNobody} $node $bin generate`);
  assert.is(status, 4, output);
  assert.match(output, /MW4030 .*EACCES/);
  assert.equal(await snapshot(folder), before);
  shell(folder, "chmod 755 src/tools");
});

test("F08: an output folder may be a link to a folder; a dangling link is refused", async () => {
  const folder = await folders.make("links");
  await write(folder, "mcp.yaml", spacedManifest(["first", "second"]));
  await mkdir(join(folder, "real"));
  await symlink("real", join(folder, "link"));
  await symlink("nowhere", join(folder, "dangling"));
  for (const out of ["link", "dangling"]) {
    const { status, err } = await mcpwright(folder, "generate", "--out", out);
    assert.ok(status === 1, `${status}`);
    assert.match(err, /MW4022 .*symbolic link/);
  }
  assert.equal(await readdir(join(folder, "real")), []);
});

test("each fault that applies has a test, or a step of `npm run crashes`, with its number", () => {
  const folder = fileURLToPath(new URL("generator/", packageRoot));
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.test\.ts$|testing\/lab\/crash\/.*\.ts$/.test(path))
    .map((path) => readFileSync(join(folder, path), "utf8"));
  const titles = sources.flatMap((source) =>
    [...source.matchAll(/\b(?:test|step)\(\s*(["`])((?:(?!\1).)*)\1/g)].map(([, , title]) => title),
  );
  const keys = sources.flatMap((source) => source.match(/^ {2}"F\d\d: .*"/gm) ?? []);
  const named = [...titles, ...keys].join("\n");
  // F12 is no row of the table.
  const numbers = Array.from(
    { length: 22 },
    (_, index) => `F${String(index + 1).padStart(2, "0")}`,
  );
  assert.equal(
    numbers.filter((number) => number !== "F12" && !named.includes(number)),
    [],
  );
});

test.run();
