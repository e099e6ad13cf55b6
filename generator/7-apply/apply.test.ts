import { test } from "uvu";
import * as assert from "uvu/assert";
import { faulty, Killed, type Fault } from "../testing/harness/projects/faulty-files.js";
import { newProcess } from "../testing/lab/crash/crash-loop.js";
import {
  MemoryProject,
  planFor,
  projectFiles,
  ROOT,
} from "../testing/harness/projects/memory-project.js";
import { randomNumbers } from "../testing/harness/runner/random-numbers.js";
import { diskError } from "../model/catalogue/project.js";
import { FolderTree } from "../6-reconcile/tree.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { OutputFile } from "../model/output-file.js";
import { applyPlan } from "./apply.js";
import { applyUnderLock, type RunOutcome } from "./apply-under-lock.js";
import type { FileLayer } from "./file-layer.js";
import { recover, viewProject } from "./recover.js";

const MINE = "export const two = 2; // mine\r\n";

const original = new MemoryProject();
applyPlan(ROOT, planFor(original.tree, projectFiles(["one", "two"])), original.files);
original.write("src/tools/two.ts", MINE);
original.edit("package.json", (text) => text.replace('"demo"', '"mine"'));

/** A project in which the next generation creates, replaces, deletes, moves and merges. */
function editedProject(): MemoryProject {
  return new MemoryProject({}, original);
}

const next = projectFiles(["one", "three"], "2");

function generate(files: FileLayer, output: readonly OutputFile[] = next): Promise<RunOutcome> {
  const options = { processes: newProcess(), patience: 0 };
  return applyUnderLock(ROOT, files, async (tree) => planFor(tree, output), options);
}

/** Why a run failed, whether it was before or after it had a plan. */
function failuresOf({ plan, failures }: RunOutcome): readonly Diagnostic[] {
  const refused = plan?.diagnostics.filter(({ code }) => code === diskError.entry.code) ?? [];
  return [...failures, ...refused];
}

async function oldAndNew(): Promise<[Record<string, string>, Record<string, string>]> {
  const project = editedProject();
  const before = project.snapshot();
  await generate(project.files);
  return [before, project.snapshot()];
}

/** Runs with a fault at each call in turn (or each `stride`-th), until a run meets none. */
async function forEachCall(
  kind: Fault["kind"],
  check: (project: MemoryProject, failures: readonly Diagnostic[], at: number) => Promise<void>,
  stride = 1,
): Promise<number> {
  for (let at = 1; ; at += stride) {
    const project = editedProject();
    const layer = faulty(project.files, { at, kind });
    const failures = await generate(layer.files).then(failuresOf, (error: unknown) => {
      if (!(error instanceof Killed)) throw error;
      return [];
    });
    if (layer.calls() < at) return at - 1;
    await check(project, failures, at);
  }
}

function userBytesOf(tree: Record<string, string>): boolean {
  return Object.values(tree).includes(MINE);
}

test("F02: if any one call fails, the run reports it and restores the old tree, or it completes", async () => {
  const [before, after] = await oldAndNew();
  await forEachCall("fails once", async (project, failures, at) => {
    const found = project.snapshot();
    for (const failure of failures) assert.match(failure.message, /ENOSPC/);
    // A release that failed leaves the lock of a process that is gone.
    delete found[".mcpwright/process.json"];
    assert.equal(found, failures.length > 0 ? before : after, `call ${at}`);
    await generate(project.files);
    assert.equal(project.snapshot(), after, `after call ${at}`);
  });
});

test("F03: if all calls fail from one on, the first error is reported, no byte of the user is lost, and the next run completes", async () => {
  const [, after] = await oldAndNew();
  await forEachCall("fails for good", async (project, failures, at) => {
    assert.ok(failures.length > 0 || at > 100, `call ${at} is told`);
    assert.ok(userBytesOf(project.snapshot()), `the user's handler after call ${at}`);
    await generate(project.files);
    assert.equal(project.snapshot(), after, `after call ${at}`);
  });
});

test("after a killed run, read-only commands see the recovered project without writing", async () => {
  const [before, after] = await oldAndNew();
  const seen = new Set<string>();
  await forEachCall(
    "is killed",
    async (project) => {
      const found = project.snapshot();
      const { tree, interrupted } = viewProject(ROOT, project.files);
      assert.equal(project.snapshot(), found);
      const main = Buffer.from(tree.read("src/main.ts")).toString();
      assert.ok(main === before["src/main.ts"] || main === after["src/main.ts"]);
      if (interrupted) seen.add(main);
      recover(ROOT, project.files);
      assert.is(project.text("src/main.ts"), main);
    },
    3,
  );
  assert.is(seen.size, 2, "both directions were seen");
});

test("an edit between a killed run and the next is never lost", async () => {
  let undone = 0;
  await forEachCall(
    "is killed",
    async (project, _, at) => {
      project.write("src/main.ts", "// edited meanwhile\n");
      project.write("src/tools/three.ts", "// written meanwhile\n");
      const { plan } = await generate(project.files);
      const texts = Object.values(project.snapshot());
      assert.ok(texts.includes("// edited meanwhile\n"), `call ${at}`);
      assert.ok(texts.includes("// written meanwhile\n"), `call ${at}`);
      assert.ok(userBytesOf(project.snapshot()), `call ${at}`);
      if (plan?.diagnostics.some(({ code }) => code === "MW4001")) undone++;
    },
    3,
  );
  assert.ok(undone > 50);
});

test("F08: a file that becomes a link before it is replaced stops the run, and nothing outside is touched", () => {
  const project = editedProject();
  const plan = planFor(project.tree, next);
  const before = project.snapshot();
  let renames = 0;
  const racing: FileLayer = new Proxy(project.files, {
    get(target, name) {
      if (name === "status") {
        return (path: string) =>
          renames >= 5 && path === `${ROOT}/src`
            ? { kind: "symbolic link", size: 0, links: 1, mode: 0o777 }
            : target.status(path);
      }
      if (name === "rename") renames++;
      const method: unknown = Reflect.get(target, name);
      return typeof method === "function" ? method.bind(target) : method;
    },
  });
  const failures = applyPlan(ROOT, plan, racing);
  assert.equal(
    failures.map(({ code }) => code),
    ["MW4020"],
  );
  recover(ROOT, project.files);
  assert.ok(
    Object.entries(before).every(([, text]) => Object.values(project.snapshot()).includes(text)),
  );
});

test("a file that changed after the plan was made is not replaced", () => {
  const project = editedProject();
  const plan = planFor(project.tree, next);
  project.write("src/main.ts", "// saved by an editor\n");
  const before = project.snapshot();
  assert.equal(
    applyPlan(ROOT, plan, project.files).map(({ code }) => code),
    ["MW4031"],
  );
  assert.equal(project.snapshot(), before);
});

test("F06: a file without write permission is found before anything is written", () => {
  const project = editedProject();
  const before = project.snapshot();
  const refusing = new Proxy(project.files, {
    get(target, name) {
      if (name === "assertWritable") {
        return (path: string): void => {
          if (path === `${ROOT}/src/generated/tools.ts`) {
            throw Object.assign(new Error(), { code: "EACCES", syscall: "access", path });
          }
        };
      }
      const method: unknown = Reflect.get(target, name);
      return typeof method === "function" ? method.bind(target) : method;
    },
  });
  const [failure] = applyPlan(ROOT, planFor(project.tree, next), refusing);
  assert.match(failure?.message ?? "", "access src/generated/tools.ts failed with EACCES");
  assert.equal(project.snapshot(), before);
});

test("guarantee 13: two runs at the same time are done one after the other", async () => {
  const [, after] = await oldAndNew();
  const project = editedProject();
  const patient = { processes: { ownId: 1, startOf: () => "now" }, patience: 600_000 };
  const run = (): Promise<RunOutcome> =>
    applyUnderLock(ROOT, project.files, async (tree) => planFor(tree, next), patient);
  const outcomes = await Promise.all([run(), run()]);
  assert.equal(
    outcomes.map(({ failures }) => failures),
    [[], []],
  );
  assert.equal(project.snapshot(), after);
});

test("B14: a forged journal that names a path outside of the project is refused", () => {
  const project = editedProject();
  const before = project.snapshot();
  const step = { kind: "move", from: "src/main.ts", path: "../stolen" };
  const journal = { journalVersion: 1, state: "commit", folders: [], steps: [step] };
  for (const [text, code] of [
    [JSON.stringify(journal), "MW4021"],
    ["{", "MW4033"],
    [JSON.stringify({ ...journal, steps: [{}] }), "MW4033"],
  ] as const) {
    project.write(".mcpwright/journal.json", text);
    assert.equal(
      recover(ROOT, project.files).diagnostics.map((found) => found.code),
      [code],
    );
  }
  project.remove(".mcpwright/journal.json");
  assert.equal(project.snapshot(), before);
});

const TOOLS = ["one", "two", "three", "four"];

test("guarantees 1, 3, 6, 15: after random manifests and edits, no edit is lost and each second run changes nothing", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomNumbers(seed);
    const project = new MemoryProject();
    const edits = new Set<string>();
    for (let round = 0; round < 8; round++) {
      const tools = TOOLS.filter(() => random(3) > 0);
      const output = projectFiles(tools, String(random(3)));
      const { failures } = await generate(project.files, output);
      assert.equal(failures, [], `seed ${seed}`);
      const texts = new Set(Object.values(project.snapshot()));
      for (const edit of edits) assert.ok(texts.has(edit), `seed ${seed}: ${edit}`);
      const tree = new FolderTree(ROOT, project.files);
      assert.equal(planFor(tree, output).operations, [], `seed ${seed}: a second run`);
      editSome(project, random, edits, `${seed}.${round}`);
    }
  }
});

/** Edits some files that are a person's to edit; an edit of an edit replaces it. */
function editSome(
  project: MemoryProject,
  random: (below: number) => number,
  edits: Set<string>,
  mark: string,
): void {
  for (const path of Object.keys(project.snapshot())) {
    if (!/^(src\/(tools|removed|main)|test\/tools|README)/.test(path) || random(5) > 0) continue;
    edits.delete(project.text(path));
    const lineEnd = random(2) ? "\r\n" : "\n";
    project.edit(path, (text) => text.replaceAll(/\r?\n/g, lineEnd) + `\t// ${mark} ${path}`);
    edits.add(project.text(path));
  }
}

test.run();
