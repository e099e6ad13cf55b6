import { InjectionRounds } from "./injection-rounds.js";

/**
 * Puts hostile strings into manifests until so many were tried, and stops at the first that does
 * not stay a string.
 *
 *   npm run fuzz:injection -- 1000000 [first seed]
 */
const strings = Number(process.argv[2] ?? 100_000);
const firstSeed = Number(process.argv[3] ?? 1);

const rounds = await InjectionRounds.prepare();
const count = Math.ceil(strings / rounds.slots);
const started = performance.now();
for (let done = 1; done <= count; done++) {
  await rounds.run(firstSeed + done - 1);
  if (done % 100 === 0 || done === count) {
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`${done * rounds.slots} strings in ${done} projects, ${seconds} s`);
  }
}
