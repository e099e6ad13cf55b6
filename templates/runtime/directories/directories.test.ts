import { execFile } from "node:child_process";
import {
  mkdir,
  mkdtemp,
  realpath,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { holdTimers } from "../samples/held-timers.js";
import { until } from "../samples/until.js";
import { OpenDirectory, type DirectoryOptions } from "./directory.js";
import { DirectoryWatch } from "./watching.js";

const call = { signal: new AbortController().signal };
const folders: string[] = [];
let socket: Server | undefined;

test.after(async () => {
  socket?.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "directories-")));
  folders.push(folder);
  return folder;
}

async function write(
  root: string,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

const BYTES = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);

/** Creates a folder with files that may be read and files that must not be, and folders beside it. */
async function hostileFolder(): Promise<string> {
  const parent = await temporaryFolder();
  const root = join(parent, "root");
  await write(root, {
    "a.txt": "a",
    "notes/b.md": "# B",
    "notes/deep/c.ts": "export {};",
    "wrong.txt": BYTES,
    "picture.png": BYTES,
    "no-extension": "text",
    ".env": "SECRET",
    ".git/config": "SECRET",
    "notes/.hidden.md": "SECRET",
    "big.txt": "12345678901",
    "names/a:b.txt": "odd",
    "names/%2e%2e": "odd",
    "names/con": "odd",
    "names/dot.": "odd",
    "names/a\\b": "odd",
  });
  await write(parent, { "outside/secret.txt": "SECRET", "rootless/secret.txt": "SECRET" });
  await truncate(join(root, "big.txt"), 2 ** 33);
  for (const [target, name] of [
    ["a.txt", "link.txt"],
    ["notes", "linked"],
    ["../outside/secret.txt", "out.txt"],
    ["../outside", "out"],
    [join(parent, "outside"), "absolute"],
    ["../rootless", "sibling"],
    [".env", "shown.txt"],
    [".git", "shown"],
    ["loop", "loop"],
    [".", "self"],
    ["..", "up"],
    ["nothing", "dangling"],
    ["/dev/zero", "zero"],
    ["/dev/tty", "tty"],
    ["/proc/self/environ", "environ"],
    ["/etc/passwd", "passwd"],
    ["/", "everything"],
  ] as const) {
    await symlink(target, join(root, name));
  }
  await promisify(execFile)("mkfifo", [join(root, "pipe"), join(root, "pipe.txt")]);
  socket = createServer().listen(join(root, "socket"));
  return root;
}

const root = await hostileFolder();
const directory = (options?: DirectoryOptions): OpenDirectory =>
  new OpenDirectory(root, call, { maxBytes: 1024, ...options });

const outcome = (path: string, options?: DirectoryOptions): Promise<unknown> =>
  directory(options)
    .read(path)
    .catch((error: Error) => error.name);

test("a file is read as text if it is text, otherwise as bytes, with the type of its extension", async () => {
  for (const [path, expected] of [
    ["a.txt", { mimeType: "text/plain", text: "a" }],
    ["notes/b.md", { mimeType: "text/markdown", text: "# B" }],
    ["notes/deep/c.ts", { mimeType: "text/typescript", text: "export {};" }],
    ["wrong.txt", { mimeType: "text/plain", blob: BYTES }],
    ["picture.png", { mimeType: "image/png", blob: BYTES.toString("base64") }],
    ["no-extension", { text: "text" }],
    ["link.txt", { mimeType: "text/plain", text: "a" }],
    ["linked/b.md", { mimeType: "text/markdown", text: "# B" }],
  ] as const) {
    assert.equal(await outcome(path), expected, path);
  }
  assert.equal(await directory().read(["notes", "b.md"]), await outcome("notes/b.md"));
});

const ABSENT = [
  ...["", ".", "..", "../outside/secret.txt", "notes/../a.txt", "notes/../../outside/secret.txt"],
  ...["/etc/passwd", "//etc/passwd", "./a.txt", "notes//b.md", "a.txt/", "notes", "notes/"],
  ...["a.txt\0", "a\0.txt", "..\\outside\\secret.txt", "notes\\b.md", "C:\\a", "c:a.txt"],
  ...["%2e%2e/outside/secret.txt", "%2e%2e%2foutside%2fsecret.txt", "%252e%252e/x", "%00"],
  ...["..%2foutside", "..%5coutside", "names/a:b.txt", "names/%2e%2e", "names/con", "names/dot."],
  ...["names/a\\b", "a.txt ", "a.txt.", "a.txt::$DATA", "nul", "COM1.txt", "notes/aux.md"],
  ...[".env", ".git/config", ".git", "notes/.hidden.md", "shown.txt", "shown/config", "self/.env"],
  ...["out.txt", "out/secret.txt", "out", "absolute/secret.txt", "sibling/secret.txt"],
  ...["loop", "loop/a.txt", "up/outside/secret.txt", "up", "dangling", "self", "self/self"],
  ...["zero", "tty", "environ", "passwd", "everything/etc/passwd", "everything"],
  ...["pipe", "pipe.txt", "socket", "big.txt", "nothing.txt", "a.txt/b", "x".repeat(5000)],
  ...["\ud800", "a.txt\n", "～/a.txt", "~", "~root/.profile", "$HOME/a.txt", "file:///etc/passwd"],
];

test(`${ABSENT.length} paths that lead outside of the folder, or not to a regular file, are not found`, async () => {
  for (const path of ABSENT) assert.is(await outcome(path), "NotFoundError", JSON.stringify(path));
  for (const path of ABSENT) {
    const segments = path.split("/");
    const result = await directory()
      .read(segments)
      .catch((error: Error) => error.name);
    assert.is(result, "NotFoundError", JSON.stringify(segments));
  }
  assert.is(await outcome("everything/dev/zero"), "NotFoundError");
});

test("with the option hidden, hidden files are read, but no files outside of the folder", async () => {
  assert.equal(await outcome(".env", { hidden: true }), { text: "SECRET" });
  assert.equal(await outcome("shown.txt", { hidden: true }), {
    mimeType: "text/plain",
    text: "SECRET",
  });
  for (const path of ["out.txt", "..", "notes/../.env", "passwd", "pipe"]) {
    assert.is(await outcome(path, { hidden: true }), "NotFoundError", path);
  }
});

test("lists have only files that can be read", async () => {
  const files = await directory().list();
  assert.equal(
    files.map(({ path, size }) => `${path} ${size}`),
    [
      "a.txt 1",
      "link.txt 1",
      "no-extension 4",
      "notes/b.md 3",
      "notes/deep/c.ts 10",
      "picture.png 6",
      "wrong.txt 6",
    ],
  );
  assert.is(files.find(({ path }) => path === "picture.png")?.mimeType, "image/png");
  for (const { path } of files) assert.is.not(await outcome(path), "NotFoundError", path);
  const hidden = await directory({ hidden: true }).list();
  assert.equal(
    hidden.map(({ path }) => path).filter((path) => path.includes(".git") || path === ".env"),
    [".env", ".git/config"],
  );
  assert.equal(await directory().complete("NOTES/"), ["notes/b.md", "notes/deep/c.ts"]);
});

test("an absent folder lists no files, and listing stops if the call is cancelled", async () => {
  const absent = new OpenDirectory(join(root, "absent"), call);
  assert.equal(await absent.list(), []);
  assert.is(await absent.read("a.txt").catch((error: Error) => error.name), "NotFoundError");
  const signal = AbortSignal.abort(new Error("cancelled"));
  const listing = new OpenDirectory(root, { signal }).list();
  assert.is(await listing.catch((error: Error) => error.message), "cancelled");
});

/** A script that replaces a path in turn by a file or folder inside and by a link outside, as fast as it can. */
const swapScript = `
const { renameSync } = require("node:fs");
const { workerData } = require("node:worker_threads");
const { swaps } = workerData;
for (;;) {
  for (const [own, link, path] of swaps) {
    renameSync(own, path);
    renameSync(path, own);
    renameSync(link, path);
    renameSync(path, link);
  }
}`;

test("no file outside is read while files and folders are swapped for links", async () => {
  const parent = await temporaryFolder();
  const served = join(parent, "served");
  await write(parent, {
    "outside/it.txt": "outside",
    "outside/only-outside.txt": "outside",
    "outside/folder/it.txt": "outside",
    "served/own-folder/it.txt": "inside",
    "served/own.txt": "inside",
  });
  await symlink(join(parent, "outside"), join(served, "link-folder"));
  await symlink(join(parent, "outside/it.txt"), join(served, "link.txt"));
  const swaps = [
    ["own-folder", "link-folder", "folder"],
    ["own.txt", "link.txt", "it.txt"],
  ].map((names) => names.map((name) => join(served, name)));
  const worker = new Worker(swapScript, { eval: true, workerData: { swaps } });
  const swapped = new OpenDirectory(served, call);
  const counts = new Map<string, number>();
  const count = (outcome: string): void => void counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const has = (outcome: string, times: number): boolean => (counts.get(outcome) ?? 0) >= times;
  while (!has("inside", 50) || !has("absent", 300) || !has("listed", 50)) {
    for (const path of ["folder/it.txt", "it.txt"]) {
      const read = await swapped.read(path).catch((error: Error) => error);
      if (read instanceof Error) count(read.name === "NotFoundError" ? "absent" : read.message);
      else count("text" in read ? read.text : "bytes");
    }
    for (const { path, size } of await swapped.list()) {
      const isInside = size === "inside".length && !path.includes("only-outside");
      count(isInside ? "listed" : `${path} ${size}`);
    }
  }
  await worker.terminate();
  assert.equal([...counts.keys()].sort(), ["absent", "inside", "listed"]);
});

test("clients are notified of changed files, but not of hidden ones", async () => {
  const folder = await temporaryFolder();
  await write(folder, { "a.txt": "a", "sub/b.txt": "b" });
  const notifications: string[] = [];
  let resolveChanged = (): void => {};
  const notify = {
    resourceUpdated: (uri: string) => void notifications.push(uri),
    resourcesChanged: () => (notifications.push("list"), resolveChanged()),
  };
  const watch = new DirectoryWatch({ notify }, undefined);
  const parts = [
    { kind: "literal", text: "files:///" },
    { kind: "expression", operator: "+", names: ["path"], explode: false },
  ] as const;
  assert.equal(watch.start([{ folder, hidden: false, parts }]), []);
  const changed = new Promise<void>((resolve) => (resolveChanged = resolve));
  await write(folder, { ".hidden": "x" });
  await rename(join(folder, "a.txt"), join(folder, "new name.txt"));
  await changed;
  assert.ok(notifications.includes("files:///new%20name.txt"), notifications.join());
  assert.ok(notifications.includes("files:///a.txt"), notifications.join());
  assert.not.ok(notifications.some((uri) => uri.includes("hidden")));
  const absent = { folder: join(folder, "absent"), hidden: false, parts };
  assert.equal(watch.start([absent]), [`The directory ${absent.folder} cannot be watched.`]);
  watch.close();
});

/** A watch of a folder whose events the test sends, and whose periods end when the test says so. */
async function heldWatch(folder: string) {
  const periods = [50, 1_000].map(holdTimers);
  const counts = { updated: 0, listed: 0, possible: 0, watched: 0 };
  const lines: unknown[] = [];
  const listeners = new Map<string, (event: string, name: string) => void>();
  const controls = {
    notify: {
      resourceUpdated: () => void (counts.updated += 1),
      resourcesChanged: () => void (counts.listed += 1),
    },
    events: { publishPossibleChanges: () => void (counts.possible += 1) },
  };
  const warning = (message: string, data?: object): void => void lines.push([message, data]);
  const watch = new DirectoryWatch(controls, { warning }, (path, _options, listener) => {
    counts.watched += 1;
    listeners.set(path, listener);
    return { close: () => void listeners.delete(path), on: () => undefined as never };
  });
  const parts = [
    { kind: "literal", text: "files:///" },
    { kind: "expression", operator: "+", names: ["path"], explode: false },
  ] as const;
  assert.equal(watch.start([{ folder, hidden: false, parts }]), []);
  return {
    ...{ counts, lines, listeners },
    endPeriod: async (): Promise<void> => {
      for (const period of periods) period.end();
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    },
    close: (): void => {
      watch.close();
      for (const period of periods.reverse()) period.release();
    },
  };
}

test("a flood of changes is one message that anything may have changed, and one line of the log", async () => {
  const folder = await temporaryFolder();
  const { counts, lines, listeners, endPeriod, close } = await heldWatch(folder);
  for (let period = 0; period < 4; period++) {
    for (let file = 0; file < 3_250; file++) {
      for (const name of [`f${file}`, `g${file}`]) listeners.get(folder)?.("rename", name);
    }
    await endPeriod();
  }
  // There is a removed event for each of 26,000 names, and the change of the list and the scan in each period.
  assert.equal(counts, { updated: 0, listed: 0, possible: 4, watched: 1 });
  assert.is(lines.length, 1, "the next line comes after ten seconds");
  assert.match(JSON.stringify(lines), "changes of files were dropped, as too many came");
  for (let change = 0; change < 10_000; change++) listeners.get(folder)?.("change", "f1");
  await endPeriod();
  assert.equal(
    counts,
    { updated: 1, listed: 0, possible: 4, watched: 1 },
    "one file changes often",
  );
  close();
});

test("folders that are made, replaced and removed during a flood are read once per period", async () => {
  const folder = await temporaryFolder();
  await write(folder, { "kept/a.txt": "a", "removed/inner/b.txt": "b", ".hidden/c.txt": "c" });
  const { counts, listeners, endPeriod, close } = await heldWatch(folder);
  const untilWatched = (...paths: string[]): Promise<void> =>
    until(() => [...listeners.keys()].sort().join() === paths.map((path) => folder + path).join());
  await untilWatched("", "/kept", "/removed", "/removed/inner");
  await rm(join(folder, "removed"), { recursive: true });
  await write(folder, { "new/inner/d.txt": "d", "new/e.txt": "e" });
  for (let event = 0; event < 5_000; event++) listeners.get(folder)?.("rename", "new");
  await endPeriod();
  await untilWatched("", "/kept", "/new", "/new/inner");
  assert.is(counts.watched, 6, "each folder is watched once");
  await until(async () => (await endPeriod(), counts.updated === 3));
  assert.is(counts.possible, 0, "the other changes are the files of the new folders");
  await rename(join(folder, "kept"), join(folder, "moved"));
  await write(folder, { "kept/f.txt": "f" });
  listeners.get(folder)?.("rename", "kept");
  await endPeriod();
  await untilWatched("", "/kept", "/moved", "/new", "/new/inner");
  assert.is(counts.watched, 8, "another folder has the name of a watched one");
  close();
  assert.is(listeners.size, 0);
});

test.run();
