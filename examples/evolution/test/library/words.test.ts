import { test } from "uvu";
import * as assert from "uvu/assert";
import { wordsOf } from "../../src/library/words.js";

test("case, accents and punctuation make no difference", () => {
  assert.equal(wordsOf("Brontë, Emily: WUTHERING"), ["bronte", "emily", "wuthering"]);
  assert.equal(wordsOf(" – "), []);
});

test.run();
