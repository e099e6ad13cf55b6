import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SeenRun, StandInAnswer } from "./stand-in.js";

/** Runs instead of a program: records how it was run, and does what the test has set. */
const [folder = "", cwd = "", ...command] = process.argv.slice(2);
const { PATH: _path, __CF_USER_TEXT_ENCODING: _ofMacOs, ...env } = process.env;
const answer = JSON.parse(readFileSync(join(folder, "answer.json"), "utf8")) as StandInAnswer;
const seen = { command, cwd, env: env as SeenRun["env"], stdin: readFileSync(0, "utf8") };
writeFileSync(join(folder, "seen.json"), JSON.stringify(seen));
process.stderr.write(answer.stderr ?? "");
process.stdout.write(answer.stdout ?? "");
process.exitCode = answer.status ?? 0;
