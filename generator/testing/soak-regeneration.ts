import { runRegenerationSequence } from "./regeneration-sequences.js";

/**
 * Random sequences of manifests and edits without end of patience; see `regeneration.test.ts`.
 *
 *   node dist/generator/testing/soak-regeneration.js [how many] [first seed]
 */
const [sequences = 100_000, first = 1] = process.argv.slice(2).map(Number);

for (let seed = first; seed < first + sequences; seed++) {
  runRegenerationSequence(seed);
  if (seed % 1_000 === 0) console.log(`${seed - first + 1} of ${sequences}`);
}
