import { test } from "uvu";
import * as assert from "uvu/assert";
import { CrashLoop } from "../testing/lab/crash/crash-loop.js";
import { crashScenarios } from "../testing/lab/crash/crash-scenarios.js";
import { faulty, type Fault } from "../testing/harness/projects/faulty-files.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";

const WRITING = { of: "writing calls" } as const;

/** Kills, and single errors, are tried at each call of so many. */
const KILL_STRIDE = shortOrLong(2, 1);
/** Lasting errors, and faults of the recovery from a kill, are tried at each call of so many. */
const STRIDE = shortOrLong(7, 1);
const RECOVERY_STRIDE = shortOrLong(7, 3);
const UNDOING_STRIDE = shortOrLong(9, 4);
/** Errors that are treated alike, and that the report names. */
const CODES = shortOrLong(["ENOSPC"], ["ENOSPC", "EIO"]);

for (const scenario of crashScenarios()) {
  for (const kind of ["is killed", "is killed half-way"] as const) {
    test(`F01, guarantee 12: ${scenario.name} ${kind} at any call that writes`, async () => {
      const loop = await CrashLoop.of(scenario);
      const kills = await loop.forEachCall(
        { kind, ...WRITING },
        async (left) => {
          loop.assertOldOrNew(left);
          await loop.assertCompleted(left);
        },
        KILL_STRIDE,
      );
      assert.ok(kills > 30 / KILL_STRIDE, `${kills} kills`);
    });
  }

  test(`F01, guarantee 12: ${scenario.name} killed, and the recovery killed at any call that writes`, async () => {
    const loop = await CrashLoop.of(scenario);
    let kills = 0;
    const kill: Omit<Fault, "at"> = { kind: "is killed", ...WRITING };
    await loop.forEachCall(
      kill,
      async ({ project }, at) => {
        for (let again = 1 + (at % 5); ; again += 5, kills++) {
          const layer = faulty(project.files, { ...kill, at: again });
          await loop.generate(layer.files);
          const place = `${scenario.name} killed at ${at}, recovery killed at ${again}`;
          loop.assertNothingLost({ project, place });
          if (layer.calls() < again) break;
        }
        await loop.assertCompleted({ project, place: `${scenario.name} killed at ${at}` });
      },
      RECOVERY_STRIDE,
    );
    assert.ok(kills > 20, `${kills} kills`);
  });

  for (const code of CODES) {
    test(`F02: ${scenario.name} where one call fails with ${code}: the run reports it and restores the old tree, or it completes`, async () => {
      const loop = await CrashLoop.of(scenario);
      await loop.forEachCall(
        { kind: "fails once", code, ...WRITING },
        async (left) => {
          for (const { message } of left.failures) assert.match(message, code);
          const found = withoutWorkFolder(left.project.snapshot());
          assert.equal(found, left.failures.length > 0 ? loop.before : loop.after, left.place);
          await loop.assertCompleted(left);
        },
        KILL_STRIDE,
      );
    });
  }

  test(`F03: ${scenario.name} where all calls fail from one on: the first error is reported, and the next run completes`, async () => {
    const loop = await CrashLoop.of(scenario);
    await loop.forEachCall(
      { kind: "fails for good", ...WRITING },
      async (left) => {
        const isDone = same(withoutWorkFolder(left.project.snapshot()), loop.after);
        assert.ok(left.failures.length > 0 || isDone, `${left.place} is told`);
        loop.assertOldOrNew(left);
        await loop.assertCompleted(left);
      },
      STRIDE,
    );
  });

  test(`F01: ${scenario.name} killed while a failed run is being undone`, async () => {
    const loop = await CrashLoop.of(scenario);
    const fail: Omit<Fault, "at"> = { kind: "fails once", ...WRITING };
    await loop.forEachCall(
      fail,
      async (_, at) => {
        for (const later of [1, 4, 9, 20]) {
          const project = loop.start();
          const failing = faulty(project.files, { ...fail, at });
          const killed = faulty(failing.files, { kind: "is killed", at: at + later, ...WRITING });
          await loop.generate(killed.files);
          const place = `${scenario.name} failed at ${at}, killed ${later} calls later`;
          loop.assertOldOrNew({ project, failures: [], place });
          await loop.assertCompleted({ project, place });
        }
      },
      UNDOING_STRIDE,
    );
  });
}

test("F07: a rename that would cross file systems (EXDEV) ends the run like any other failure", async () => {
  const [scenario] = crashScenarios().filter(({ name }) => name.includes("rename"));
  assert.ok(scenario);
  const loop = await CrashLoop.of(scenario);
  let reports = 0;
  await loop.forEachCall({ kind: "fails for good", code: "EXDEV", of: "renames" }, async (left) => {
    loop.assertOldOrNew(left);
    reports += left.failures.filter(({ message }) => message.includes("EXDEV")).length;
    await loop.assertCompleted(left);
  });
  assert.ok(reports > 5, `${reports} reported`);
});

/** A release that fails leaves the lock of a process that is gone; it is no part of the project. */
function withoutWorkFolder(tree: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.includes(".mcpwright")));
}

function same(left: object, right: object): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

test.run();
