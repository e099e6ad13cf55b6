import { tryManifest } from "./manifest-rounds.js";

/**
 * Loads and validates so many contents: mutated manifests, values in wrong places, random bytes and
 * pieces of YAML. Runs without the permission to write, so that a write throws as well.
 *
 *   npm run fuzz:manifests -- 1000000 [first seed]
 */
const contents = Number(process.argv[2] ?? 100_000);
const firstSeed = Number(process.argv[3] ?? 1);
const REPORT_EVERY = 50_000;

/** Of Node.js 20, whose types do not have it. */
const { permission } = process as { permission?: { has(scope: string): boolean } };
if (permission?.has("fs.write") !== false) throw new Error("this process may write files");

let accepted = 0;
for (let done = 1; done <= contents; done++) {
  if (tryManifest(firstSeed + done - 1)) accepted += 1;
  if (done % REPORT_EVERY === 0 || done === contents) {
    console.log(`${done} contents, ${accepted} of them without an error`);
  }
}
