import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { buildDemoProject } from "./hostile-requests/demo-project.js";
import { DemoServer, textOf } from "./hostile-requests/demo-server.js";
import { sendMutated } from "./hostile-requests/mutated-requests.js";

/**
 * Sends mutated requests to a generated server until so many were tried, and stops at the first
 * that is answered as none may be.
 *
 *   npm run fuzz:requests -- 1000000 [first seed]
 */
const requests = Number(process.argv[2] ?? 100_000);
const firstSeed = Number(process.argv[3] ?? 1);
const batch = 20_000;

const folder = await buildDemoProject();
const server = await DemoServer.start(folder);
try {
  for (let done = 0; done < requests && process.exitCode === undefined; done += batch) {
    const count = Math.min(batch, requests - done);
    const { statuses, wrong } = await sendMutated(server, count, firstSeed + done);
    const seen = await server.call("watch", {});
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`);
    console.log(`${done + count} requests; ${counts.join(", ")}; ${textOf(seen)}`);
    for (const problem of wrong) console.log(problem);
    if (wrong.length > 0) process.exitCode = 1;
  }
} finally {
  await server.stop();
  await rm(dirname(folder), { recursive: true, force: true });
}
