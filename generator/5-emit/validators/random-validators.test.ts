import { test } from "uvu";
import { compareValidators, SCHEMA_KINDS } from "../../testing/lab/fuzz/compare-validators.js";
import { shortOrLong } from "../../testing/harness/runner/test-length.js";

/** Schemas of each kind; `npm run fuzz:validators` tries as many as are asked for. */
const SCHEMAS = shortOrLong(8, 100);
const SEED = 20_261_121;

for (const kind of Object.keys(SCHEMA_KINDS) as (keyof typeof SCHEMA_KINDS)[]) {
  test(`validators of ${kind} give the result of JSON Schema, independent of earlier values`, () =>
    compareValidators(kind, SEED, SCHEMAS));
}

test.run();
