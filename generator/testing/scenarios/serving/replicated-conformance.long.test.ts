import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { LocalRedis } from "../../../../templates/runtime/samples/local-redis.js";
import { runConformanceSuite } from "../../harness/clients/conformance-suite.js";
import { buildProject } from "../../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { startHttp, type StartedServer } from "../../harness/clients/project-clients.js";
import { Balancer } from "./replicated-server/balancer.js";

/**
 * The official conformance suite against examples/conformance as replicas behind a load balancer. In short,
 * replicated-server.test.ts tries what clients of both eras do there.
 */

const test = suite("conformance of replicas");
const absence = await LocalRedis.whyWithout();
const SCALE = `env: { REDIS_URL: { secret: true } }
scale: { redis: { env: REDIS_URL } }
`;
type Run = readonly [
  requirements: "2025-11-25" | "2026-07-28",
  count: number,
  scenarios: number,
  keepsSessions: boolean,
];
const RUNS: readonly Run[] = [
  ["2026-07-28", 2, 50, false],
  ["2026-07-28", 4, 50, false],
  ["2025-11-25", 2, 33, true],
];
let folder = "";
let redis: LocalRedis | undefined;
const replicas: StartedServer[] = [];

test.before(async () => {
  if (absence !== undefined) return;
  const example = fileURLToPath(new URL("examples/conformance/", packageRoot));
  folder = await copyUserFiles(example, "conformance-replicas");
  const manifest = join(folder, "mcp.yaml");
  const text = await readFile(manifest, "utf8");
  // The balancer of this test keeps sessions, which the note MW2182 asks of whoever deploys them.
  const scaled = text.replace("MW2316: off", "MW2316: off, MW2182: off, MW2183: off") + SCALE;
  await writeFile(manifest, scaled);
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  await buildProject(folder);
  redis = await LocalRedis.start();
  const env = { REDIS_URL: redis.url, REQUEST_STATE_KEY: "k".repeat(64) };
  const most = Math.max(...RUNS.map(([, count]) => count));
  for (let count = 0; count < most; count++) replicas.push(await startHttp(folder, env));
});

test.after(async () => {
  for (const replica of replicas) await replica.stop();
  await redis?.stop();
  if (folder !== "") await rm(folder, { recursive: true, force: true });
});

for (const [requirements, count, scenarios, keepsSessions] of RUNS) {
  const balancing = keepsSessions ? "that keeps sessions" : "without affinity";
  const name = `every scored scenario of ${requirements} passes over ${count} replicas, behind a balancer ${balancing}`;
  if (absence !== undefined) {
    console.log(`skipped: ${name} (${absence})`);
    test.skip(name);
    continue;
  }
  test(name, async () => {
    const urls = replicas.slice(0, count).map(({ url }) => url);
    const balancer = await Balancer.before(urls, { keepsSessions });
    try {
      const url = balancer.url.replace("127.0.0.1", "localhost");
      const outcome = await runConformanceSuite(url, requirements);
      const failing = [...outcome.scenarios].flatMap(([scenario, passed]) =>
        passed ? [] : [scenario],
      );
      // They are not scored.
      assert.equal(
        failing.filter((scenario) => scenario.startsWith("tasks-")),
        [],
        outcome.output,
      );
      assert.ok(outcome.passed, `${failing.join(", ")}\n${outcome.output}`);
      assert.is(outcome.scenarios.size, scenarios);
    } finally {
      balancer.close();
    }
  });
}

test.run();
