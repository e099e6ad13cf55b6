import { noCounts, runRegenerationSequence } from "./regeneration-sequences.js";

/**
 * Random sequences of manifests and edits without end of patience; see `regeneration.test.ts`. It ends
 * with an error at the first byte of a person's that is lost or changed.
 *
 *   node dist/generator/testing/soak-regeneration.js [how many] [first seed]
 */
const [sequences = 100_000, first = 1] = process.argv.slice(2).map(Number);
const counts = noCounts();

for (let seed = first; seed < first + sequences; seed++) {
  runRegenerationSequence(seed, counts);
  if ((seed - first + 1) % 1_000 === 0) console.log(`${seed - first + 1} of ${sequences}`);
}

const { edits, ...sums } = counts;
const edited = [...edits.values()].reduce((sum, count) => sum + count, 0);
console.log({ sequences, ...sums, edits: edited, "bytes lost or changed": 0 });
for (const [name, count] of [...edits].sort()) console.log(`${String(count).padStart(9)}  ${name}`);
