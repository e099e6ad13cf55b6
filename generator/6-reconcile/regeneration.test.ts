import { test } from "uvu";
import * as assert from "uvu/assert";
import { MERGED_EDITS, SOURCE_EDITS } from "../testing/random-edits.js";
import { noCounts, runRegenerationSequence } from "../testing/regeneration-sequences.js";

const SEQUENCES = 1000;

test(`guarantees 1, 3 to 7, 11, 15, 17: ${SEQUENCES} random sequences of manifests and edits`, () => {
  const counts = noCounts();
  for (let seed = 1; seed <= SEQUENCES; seed++) runRegenerationSequence(seed, counts);
  for (const edit of [...SOURCE_EDITS.keys(), ...MERGED_EDITS.keys()]) {
    assert.ok((counts.edits.get(edit) ?? 0) >= 20, `${edit}: ${counts.edits.get(edit)} times`);
  }
  assert.ok(counts.filesSpliced > 500, `${counts.filesSpliced} files were spliced`);
  assert.ok(counts.returned > 100, `${counts.returned} handlers came back`);
});

test.run();
