import { noCounts, runRegenerationSequence } from "./regeneration-sequences.js";

/**
 * Random sequences of manifests and edits without end of patience; see `regeneration.test.ts`. Tells the
 * seed of each sequence in which a guarantee did not hold, and ends with 1 if there was one.
 *
 *   node dist/generator/testing/lab/soak/soak-regeneration.js [how many] [first seed]
 */
const [sequences = 100_000, first = 1] = process.argv.slice(2).map(Number);
const counts = noCounts();
let failed = 0;

for (let seed = first; seed < first + sequences; seed++) {
  try {
    runRegenerationSequence(seed, counts);
  } catch (error) {
    failed++;
    console.log(error);
  }
  if ((seed - first + 1) % 1_000 === 0) {
    console.log(`${seed - first + 1} of ${sequences}, ${failed} failed`);
  }
}

const { edits, ...sums } = counts;
const edited = [...edits.values()].reduce((sum, count) => sum + count, 0);
console.log({ sequences, failed, ...sums, edits: edited });
for (const [name, count] of [...edits].sort()) console.log(`${String(count).padStart(9)}  ${name}`);
process.exitCode = failed > 0 ? 1 : 0;
