import { test } from "uvu";
import { runRegenerationSequence } from "../testing/regeneration-sequences.js";

const SEQUENCES = 1000;

test(`guarantees 1, 3 to 7, 15: ${SEQUENCES} random sequences of manifests and edits`, () => {
  for (let seed = 1; seed <= SEQUENCES; seed++) runRegenerationSequence(seed);
});

test.run();
