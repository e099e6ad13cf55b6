import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { planFor, projectFiles } from "../testing/harness/projects/memory-project.js";
import { testUnless } from "../testing/harness/runner/skipped-test.js";
import { anchoredFiles } from "./anchored-files.js";
import { applyUnderLock, type RunOutcome } from "./apply-under-lock.js";
import { diskFiles, type FileLayer } from "./file-layer.js";
import { runningProcesses } from "./process-lock.js";

const options = { processes: runningProcesses, patience: 0 };
const notOnLinux = process.platform === "linux" ? undefined : "only Linux shows opened folders";

function generate(root: string, files: FileLayer, names: string[]): Promise<RunOutcome> {
  const output = projectFiles(names, String(names.length));
  return applyUnderLock(root, files, async (tree) => planFor(tree, output), options);
}

const WRITING: ReadonlySet<string> = new Set(["create", "rename", "unlink", "removeFolder"]);

/** Calls `swap` just before the call with this number that writes below a folder, as a racing process may. */
function swappedAt(at: number, folder: string, files: FileLayer, swap: () => void): FileLayer {
  let calls = 0;
  return new Proxy(files, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...parameters: unknown[]) => unknown;
      return (...parameters: unknown[]): unknown => {
        const isBelow = parameters.some((path) => String(path).startsWith(`${folder}/`));
        if (WRITING.has(String(name)) && isBelow && ++calls === at) swap();
        return Reflect.apply(method, target, parameters);
      };
    },
  });
}

testUnless(
  notOnLinux,
  "a folder that becomes a link just before any call that writes below it: nothing outside changes",
  async () => {
    const folder = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "mcpwright-"));
    try {
      let swaps = 0;
      for (let at = 1; ; at++) {
        const [root, outside] = [join(folder, `root-${at}`), join(folder, `outside-${at}`)];
        await generate(root, anchoredFiles(root, diskFiles), ["one", "two"]);
        // Outside lie the same files, so that each of them looks as it was planned for.
        fs.cpSync(join(root, "src"), outside, { recursive: true });
        const before = contentsOf(outside);
        let isSwapped = false;
        const racing = swappedAt(at, join(root, "src"), anchoredFiles(root, diskFiles), () => {
          fs.renameSync(join(root, "src"), join(root, "away"));
          fs.symlinkSync(outside, join(root, "src"));
          isSwapped = true;
        });
        const { failures } = await generate(root, racing, ["one", "three", "four"]);
        if (!isSwapped) break;
        swaps++;
        assert.equal(contentsOf(outside), before, `swapped at call ${at}`);
        // Where only cleaning up was left, the run is done.
        const isDone = contentsOf(join(root, "away"))["main.ts"] === "// main 3\n";
        assert.ok(failures.length > 0 || isDone, `told at call ${at}`);
      }
      assert.ok(swaps > 10, `${swaps} swaps`);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  },
);

testUnless(notOnLinux, "a root that is a link is the folder that it leads to", async () => {
  const folder = fs.mkdtempSync(join(tmpdir(), "mcpwright-"));
  try {
    fs.mkdirSync(join(folder, "real"));
    fs.symlinkSync("real", join(folder, "link"));
    const files = anchoredFiles(join(folder, "link"), diskFiles);
    files.create(join(folder, "link/a"), Buffer.from("a"));
    files.rename(join(folder, "link/a"), join(folder, "link/b"));
    assert.equal(fs.readdirSync(join(folder, "real")), ["b"]);
    const missing = join(folder, "link/none/a");
    assert.throws(
      () => files.unlink(missing),
      ({ code, path }: NodeJS.ErrnoException) => {
        return code === "ENOENT" && path === missing;
      },
    );
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

/** The text of each file below a folder, by name. */
function contentsOf(folder: string): Record<string, string> {
  const names = (fs.readdirSync(folder, { recursive: true }) as string[]).sort();
  const files = names.filter((name) => fs.lstatSync(join(folder, name)).isFile());
  return Object.fromEntries(
    files.map((name) => [name, fs.readFileSync(join(folder, name), "utf8")]),
  );
}

test.run();
