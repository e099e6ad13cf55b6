import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { onWindows, testUnless } from "../../testing/harness/runner/skipped-test.js";
import { readSources } from "./checked-sources.js";
import { FileWatch } from "./file-watch.js";

const root = await mkdtemp(join(tmpdir(), "mcpwright-watch-"));
const outDir = join(root, "out");
const watch = new FileWatch({ manifest: join(root, "mcp.yaml"), outDir });
const stop = new AbortController();
test.after(async () => {
  stop.abort();
  watch.close();
  await rm(root, { recursive: true });
});

async function save(path: string, text = "x"): Promise<void> {
  const whole = join(root, path);
  await mkdir(join(whole, ".."), { recursive: true });
  await writeFile(whole, text);
}

/** The changes that are noticed after some work. */
async function noticed(work: () => Promise<void>): Promise<string[]> {
  const known = watch.snapshot();
  const changes = watch.changesSince(known, stop.signal);
  await work();
  return (await changes).map((path) => relative(root, path).replaceAll("\\", "/"));
}

test("created, changed and deleted files are noticed, in folders that are created later too", async () => {
  assert.equal(await noticed(() => save("mcp.yaml")), ["mcp.yaml"]);
  assert.equal(await noticed(() => save("out/src/tools/a.ts")), ["out/src/tools/a.ts"]);
  assert.equal(await noticed(() => save("out/src/tools/a.ts", "longer")), ["out/src/tools/a.ts"]);
  assert.equal(await noticed(() => rm(join(root, "out/src/tools/a.ts"))), ["out/src/tools/a.ts"]);
  assert.equal(await noticed(() => save("out/package.json")), ["out/package.json"]);
  assert.equal(await noticed(() => save("out/node_modules/tsx/package.json")), [
    "out/node_modules/tsx/package.json",
  ]);
});

test("a file that an editor replaces by a new one is noticed", async () => {
  await save("out/src/context.ts");
  const found = await noticed(async () => {
    await save("out/src/.context.ts.swp", "y");
    await rename(join(outDir, "src/.context.ts.swp"), join(outDir, "src/context.ts"));
  });
  assert.equal(found, ["out/src/context.ts"]);
});

test("a folder that is deleted and created again is watched again", async () => {
  await save("out/src/tools/b.ts");
  const found = await noticed(async () => {
    await rm(join(outDir, "src"), { recursive: true });
    await save("out/src/tools/c.ts");
  });
  // A slow deletion is noticed before all files are gone.
  assert.ok(found.length > 0 && found.every((path) => path.startsWith("out/src/")), found.join());
  assert.equal(await noticed(() => save("out/src/tools/d.ts")), ["out/src/tools/d.ts"]);
});

test("backups, removed handlers, tests and other files of the folder are not watched", async () => {
  for (const path of [
    "src/tools/a.ts~",
    "src/#a.ts#",
    "src/removed/tools/a.ts",
    "test/a.ts",
    "x",
  ]) {
    await save(join("out", path));
  }
  const known = watch.snapshot();
  for (const path of ["src/removed/tools/a.ts", "test/a.ts", "x"])
    await save(join("out", path), "yy");
  assert.equal([...watch.snapshot().files], [...known.files]);
});

testUnless(
  onWindows,
  "a pipe, a device or a folder under the name of a module is never read",
  async () => {
    await mkdir(join(outDir, "src/folder.ts"), { recursive: true });
    execFileSync("mkfifo", [join(outDir, "src/pipe.ts")]);
    await symlink("/dev/zero", join(outDir, "src/endless.ts"));
    await symlink("pipe.ts", join(outDir, "src/link.ts"));
    const hostileName = "src/\u001b[2J\u202e\n'; exit.ts";
    await save(`out/${hostileName}`, "export {};");
    const snapshot = watch.snapshot();
    const inSource = [...snapshot.files.keys()].map((path) => relative(outDir, path));
    for (const name of ["folder", "pipe", "endless", "link"]) {
      assert.not(inSource.includes(`src/${name}.ts`), name);
    }
    const url = pathToFileURL(join(await realpath(outDir), hostileName)).href;
    assert.is(readSources(snapshot)[url], "export {};");
  },
);

test("changes are noticed even if there are no watchers, or if watchers report nothing", async () => {
  const refusing = (): never => {
    throw Object.assign(new Error("no watchers left"), { code: "ENOSPC" });
  };
  const silent = () => ({ close: () => undefined, on: () => silent() }) as never;
  for (const watchFor of [refusing, silent]) {
    const blind = new FileWatch({ manifest: join(root, "mcp.yaml"), outDir }, watchFor);
    const changes = blind.changesSince(blind.snapshot(), stop.signal);
    await save("mcp.yaml", `without ${watchFor.name}`);
    assert.equal(await changes, [join(root, "mcp.yaml")]);
    blind.close();
  }
});

test("no wait goes on after the stop", async () => {
  const ended = new AbortController();
  const changes = watch.changesSince(watch.snapshot(), ended.signal);
  ended.abort();
  assert.equal(await changes, []);
  await save("out/src/tools/d.ts", "changed");
  assert.equal(
    await watch.changesSince({ files: new Map(), folders: [], manifest: [] }, ended.signal),
    [],
  );
});

test("a flood of events that change no watched file leaves most of the time to other work", async () => {
  const listeners = new Set<(event: string) => void>();
  let [watched, isOver] = [0, false];
  const flooded = new FileWatch(
    { manifest: join(root, "mcp.yaml"), outDir },
    (folder, _, listener) => {
      if (folder === outDir) watched += 1;
      listeners.add(listener);
      return { close: () => void listeners.delete(listener), on: () => undefined as never };
    },
  );
  const before = flooded.snapshot();
  watched = 0;
  const started = performance.now();
  const changes = flooded.changesSince(before, stop.signal);
  const flood = (): void => {
    for (const listener of [...listeners]) listener("rename");
    if (!isOver) setImmediate(flood);
  };
  flood();
  await new Promise((resolve) => setTimeout(resolve, 500));
  isOver = true;
  // Each check watches again the folders that a flood has renamed, and a pause of 80 milliseconds follows each.
  const most = (performance.now() - started) / 80 + 2;
  assert.ok(watched <= most, `${watched} checks, at most ${most}`);
  await save("mcp.yaml", "after the flood");
  assert.equal(await changes, [join(root, "mcp.yaml")], "no event was lost");
  flooded.close();
});

test.run();
