import { testRandomProjects } from "./project-rounds.js";

/**
 * Generates so many projects of random features, and runs the tests that each gets: they must pass on stubs.
 *
 *   npm run fuzz:projects -- 100 [first seed]
 */
const projects = Number(process.argv[2] ?? 100);
const firstSeed = Number(process.argv[3] ?? 1);
const AT_ONCE = 10;

let tested = 0;
for (let done = 0; done < projects; done += AT_ONCE) {
  const count = Math.min(AT_ONCE, projects - done);
  const rounds = await testRandomProjects(firstSeed + done, count);
  tested += rounds.tested;
  for (const errors of rounds.refused) console.log(`refused: ${errors}`);
  console.log(`${done + count} projects, ${tested} of them tested`);
}
