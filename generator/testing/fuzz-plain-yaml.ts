import { tryPlainYaml } from "./plain-yaml-rounds.js";

/**
 * Reads so many mutated manifests with and without the YAML library, and compares.
 *
 *   npm run fuzz:plain-yaml -- 1000000 [first seed]
 */
const texts = Number(process.argv[2] ?? 100_000);
const firstSeed = Number(process.argv[3] ?? 1);
const REPORT_EVERY = 50_000;

let plain = 0;
for (let done = 1; done <= texts; done++) {
  if (tryPlainYaml(firstSeed + done - 1)) plain += 1;
  if (done % REPORT_EVERY === 0 || done === texts) {
    console.log(`${done} texts, ${plain} of them plain, no difference`);
  }
}
