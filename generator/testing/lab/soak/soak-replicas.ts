import { LocalRedis } from "../../../../templates/runtime/samples/local-redis.js";
import { faults } from "../../scenarios/serving/replicated-server/faults.js";
import {
  runFaults,
  type FaultResult,
} from "../../scenarios/serving/replicated-server/fault-run.js";
import { Replicas } from "../../scenarios/serving/replicated-server/replicas.js";

/**
 * Lets every fault happen to four replicas behind a balancer while checked calls go on, and prints what
 * came of them. `npm run soak:replicas -- [CALLS]`; 200,000 calls unless it is told otherwise.
 */
const calls = Number(process.argv[2] ?? 200_000);
const absence = await LocalRedis.whyWithout();
if (absence !== undefined) throw new Error(absence);

const row = ({ fault, sent, ok, broken, leaked, problems }: FaultResult): string =>
  [fault.padEnd(50), ...[sent, ok, broken, leaked].map((count) => String(count).padStart(8))].join(
    "",
  ) + problems.map((problem) => `\n  ${problem}`).join("");

const scene = await Replicas.create();
const options = {
  ...{ replicas: 4, callers: 16, delayMs: 2, lastsMs: 5_000 },
  calls: Math.ceil(calls / faults.length),
};
console.log(
  `${"fault".padEnd(50)}${["sent", "answered", "broken", "leaked"].map((name) => name.padStart(8)).join("")}`,
);
try {
  const results = await runFaults(scene, faults, options, (result) => console.log(row(result)));
  const sum = (count: (result: FaultResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  console.log(
    row({
      fault: "all",
      sent: sum(({ sent }) => sent),
      ok: sum(({ ok }) => ok),
      broken: sum(({ broken }) => broken),
      leaked: sum(({ leaked }) => leaked),
      problems: [],
    }),
  );
  process.exitCode = results.some(({ problems }) => problems.length > 0) ? 1 : 0;
} finally {
  await scene.end();
}
