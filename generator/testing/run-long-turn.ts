import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { turnOf } from "./harness/runner/long-turns.js";

/**
 * Runs the long form of some tests, others each day of a week, so that landings of a week run all of `npm run test:long`.
 *
 *   node dist/generator/testing/run-long-turn.js [days since 1970; today without it]
 */
const MS_OF_DAY = 24 * 60 * 60 * 1_000;
const day = Number(process.argv[2] ?? Math.floor(Date.now() / MS_OF_DAY));
const parts = turnOf(day);
console.log(`the long form of ${parts.join(", ")}`);
const runner = fileURLToPath(new URL("./run-tests.js", import.meta.url));
const env = { ...process.env, TEST_LENGTH: "long" };
const child = spawn(process.execPath, [runner, ...parts], { env, stdio: "inherit" });
const [status] = (await once(child, "close")) as [number | null];
process.exitCode = status ?? 1;
