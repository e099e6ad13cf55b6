import { tryKnownTools } from "./known-tools-rounds.js";

/**
 * Compiles so many changed manifests with what the last generation knows of their tools, and without, and
 * compares.
 *
 *   npm run fuzz:known-tools -- 100000 [first seed]
 */
const manifests = Number(process.argv[2] ?? 20_000);
const firstSeed = Number(process.argv[3] ?? 1);
const REPORT_EVERY = 5_000;

let some = 0;
for (let done = 1; done <= manifests; done++) {
  if (tryKnownTools(firstSeed + done - 1).known > 0) some += 1;
  if (done % REPORT_EVERY === 0 || done === manifests) {
    console.log(`${done} manifests, ${some} of them with known tools, no difference`);
  }
}
