import { test } from "uvu";
import * as assert from "uvu/assert";
import { faulty } from "../testing/harness/projects/faulty-files.js";
import { MemoryProject, ROOT } from "../testing/harness/projects/memory-project.js";
import type { FileLayer } from "./file-layer.js";
import { lockProject, runningProcesses, type ProcessLock } from "./process-lock.js";

const PATH = ".mcpwright/process.json";

/** Processes 1 and 2 run. */
function lockAs(ownId: number, files: FileLayer, patience = 0): Promise<ProcessLock> {
  const startOf = (id: number): string | undefined => (id < 3 ? `start ${id}` : undefined);
  return lockProject(ROOT, files, { processes: { ownId, startOf }, patience });
}

function refusal(lock: ProcessLock): string {
  return lock.kind === "held" ? "held" : (lock.diagnostics[0]?.message ?? "");
}

test("F09: a second run reports which process holds the lock, and gets the lock after its release", async () => {
  const { files, ...project } = memory();
  const first = await lockAs(1, files);
  assert.match(refusal(await lockAs(2, files)), "locked by process 1");
  if (first.kind === "held") first.release();
  const second = await lockAs(2, files);
  assert.is(second.kind, "held");
  if (second.kind === "held") second.release();
  assert.equal(project.snapshot(), {});
  assert.equal(files.list(ROOT), []);
});

test("F09: the second run waits for the first", async () => {
  const { files } = memory();
  const first = await lockAs(1, files);
  setTimeout(() => first.kind === "held" && first.release(), 20);
  assert.is((await lockAs(2, files, 600_000)).kind, "held");
});

test("F09: the lock of a process that has ended is taken over, even if its id has been used again", async () => {
  for (const content of ['{"processId":9,"start":"x"}', '{"processId":1,"start":"an older one"}']) {
    const { files, write } = memory();
    write(PATH, content);
    assert.is((await lockAs(2, files)).kind, "held");
  }
});

test("a lock that stays unreadable is taken over", async () => {
  const { files, write } = memory();
  write(PATH, "");
  assert.is((await lockAs(2, files)).kind, "refused");
  assert.is((await lockAs(2, files, 100)).kind, "held");
});

test("if two processes take over one lock, one of them gets it", async () => {
  for (let at = 1; at < 20; at++) {
    const { files, write } = memory();
    write(PATH, '{"processId":9,"start":""}');
    let held = 0;
    let calls = 0;
    const interrupted = new Proxy(files, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return (...parameters: unknown[]): unknown => {
          if (++calls === at)
            void lockAs(2, files).then(({ kind }) => (held += kind === "held" ? 1 : 0));
          return Reflect.apply(method, target, parameters);
        };
      },
    });
    const own = await lockAs(1, interrupted);
    held += own.kind === "held" ? 1 : 0;
    await new Promise((resolve) => setImmediate(resolve));
    assert.is(held, 1, `the other one came at call ${at}`);
  }
});

test("F02: a failure of any call is reported, and the next run is not blocked", async () => {
  for (let at = 1; at < 30; at++) {
    const { files } = memory();
    const layer = faulty(files, { at, kind: "fails once" });
    const lock = await lockAs(1, layer.files);
    if (layer.calls() < at) break;
    if (lock.kind === "held") lock.release();
    else assert.match(refusal(lock), /ENOSPC/);
    assert.is((await lockAs(1, files)).kind, "held", `call ${at}`);
  }
});

test("the output folder is created, and removed again if nothing was written into it", async () => {
  const { files } = memory();
  const root = `${ROOT}/a/b`;
  const lock = await lockProject(root, files, {
    processes: { ownId: 1, startOf: () => "" },
    patience: 0,
  });
  assert.is(files.status(root)?.kind, "folder");
  if (lock.kind === "held") lock.release();
  assert.equal(files.list(ROOT), []);
});

test("this process is reported as running, and an impossible one is not", () => {
  assert.type(runningProcesses.startOf(process.pid), "string");
  assert.is(runningProcesses.startOf(2 ** 30), undefined);
});

function memory(): Pick<MemoryProject, "files" | "write" | "snapshot"> {
  const project = new MemoryProject();
  return {
    files: project.files,
    write: (path, text) => project.write(path, text),
    snapshot: () => project.snapshot(),
  };
}

test.run();
