import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { buildDemoProject } from "../../scenarios/attacks/hostile-requests/demo-project.js";
import { DemoServer, textOf } from "../../scenarios/attacks/hostile-requests/demo-server.js";
import { sendMutated } from "../../scenarios/attacks/hostile-requests/mutated-requests.js";
import { closeRoads, openRoads } from "../../scenarios/attacks/mistyped-messages/open-roads.js";
import { randomFrames, sendFrames } from "../../scenarios/attacks/mistyped-messages/rounds.js";

/**
 * Sends so many mutated requests to a generated server, then so many messages with values of wrong types over
 * every transport in both eras. Stops at the first that is answered as none may be.
 *
 *   npm run fuzz:requests -- 1000000 [first seed] [mutated | mistyped]
 */
const count = Number(process.argv[2] ?? 100_000);
const firstSeed = Number(process.argv[3] ?? 1);
const kind = process.argv[4];
const batch = 20_000;

async function sendMutatedRequests(): Promise<void> {
  const folder = await buildDemoProject();
  const server = await DemoServer.start(folder);
  try {
    for (let done = 0; done < count && process.exitCode === undefined; done += batch) {
      const size = Math.min(batch, count - done);
      const { statuses, wrong } = await sendMutated(server, size, firstSeed + done);
      const seen = await server.call("watch", {});
      report(`${done + size} mutated requests`, statuses, wrong);
      console.log(textOf(seen));
    }
  } finally {
    await server.stop();
    await rm(dirname(folder), { recursive: true, force: true });
  }
}

async function sendMistypedMessages(): Promise<void> {
  const roads = await openRoads();
  const perRoad = Math.ceil(batch / roads.length);
  try {
    let done = 0;
    for (let seed = firstSeed; done < count && process.exitCode === undefined; seed++) {
      const { outcomes, wrong } = await sendFrames(roads, (road) =>
        randomFrames(road, seed, perRoad),
      );
      done += perRoad * roads.length;
      report(`${done} mistyped messages over ${roads.length} roads`, outcomes, wrong);
    }
  } finally {
    await closeRoads(roads);
  }
}

function report(
  what: string,
  outcomes: ReadonlyMap<string | number, number>,
  wrong: readonly string[],
): void {
  const counts = [...outcomes].sort().map(([outcome, times]) => `${outcome}: ${times}`);
  console.log(`${what}; ${counts.join(", ")}`);
  for (const problem of wrong) console.log(problem);
  if (wrong.length > 0) process.exitCode = 1;
}

if (kind !== "mistyped") await sendMutatedRequests();
if (kind !== "mutated" && process.exitCode === undefined) await sendMistypedMessages();
