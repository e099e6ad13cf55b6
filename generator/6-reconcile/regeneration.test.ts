import { test } from "uvu";
import * as assert from "uvu/assert";
import { MERGED_EDITS, SOURCE_EDITS, TEXT_EDITS } from "../testing/harness/random/random-edits.js";
import { noCounts, runRegenerationSequence } from "../testing/lab/soak/regeneration-sequences.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";

const SEQUENCES = shortOrLong(50, 2_000);

test(`guarantees 1, 3 to 7, 11, 15, 17: ${SEQUENCES} random sequences of manifests and edits`, () => {
  const counts = noCounts();
  for (let seed = 1; seed <= SEQUENCES; seed++) runRegenerationSequence(seed, counts);
  for (const edit of [...SOURCE_EDITS.keys(), ...MERGED_EDITS.keys(), ...TEXT_EDITS.keys()]) {
    assert.ok(
      (counts.edits.get(edit) ?? 0) >= SEQUENCES / 50,
      `${edit}: ${counts.edits.get(edit)} times`,
    );
  }
  assert.ok(counts.filesSpliced > SEQUENCES / 2, `${counts.filesSpliced} files were spliced`);
  assert.ok(counts.returned > SEQUENCES / 10, `${counts.returned} handlers came back`);
});

test.run();
