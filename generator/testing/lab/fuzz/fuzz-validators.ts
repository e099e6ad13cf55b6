import { compareValidators, SCHEMA_KINDS } from "./compare-validators.js";

/**
 * Compiles so many random schemas of each kind, and stops at the first validator that does not
 * answer as JSON Schema says.
 *
 *   npm run fuzz:validators -- 100000 [first seed]
 */
const schemas = Number(process.argv[2] ?? 10_000);
const firstSeed = Number(process.argv[3] ?? 1);
const EACH = 500;

for (let done = 0; done < schemas; done += EACH) {
  for (const kind of Object.keys(SCHEMA_KINDS) as (keyof typeof SCHEMA_KINDS)[]) {
    await compareValidators(kind, firstSeed + done, EACH);
  }
  console.log(`${done + EACH} schemas of each kind`);
}
