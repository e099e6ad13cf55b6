import { parse } from "uvu/parse";
import { run } from "uvu/run";
import { START_OF_PROJECT, type ProjectTests } from "./project-outputs.js";

/**
 * The program of `testProjects`: runs the compiled tests of projects, one project after the other, as the command `uvu` runs
 * those of one. Most of the time of a short run is that of a process that loads its packages.
 */
const failed: string[] = [];
for (const { folder, pattern } of JSON.parse(process.argv[2] ?? "") as ProjectTests[]) {
  process.chdir(folder);
  console.log(START_OF_PROJECT);
  process.exitCode = 0;
  const { suites } = await parse("dist/test", pattern);
  if (suites.length === 0) failed.push(`${folder} (no tests)`);
  await run(suites);
  if (process.exitCode !== 0) failed.push(folder);
  globalThis.UVU_QUEUE.splice(0);
}
for (const folder of failed) console.log(`the tests of ${folder} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
