import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { soak } from "./soak-server/soak.js";
import { buildSoakProject } from "./soak-server/soak-project.js";

/**
 * Keeps a generated server under mixed load and attack, ten minutes unless it is told otherwise, and
 * stops it in the middle of its work.
 *
 *   npm run soak:server -- 60     # seconds
 */
const seconds = Number(process.argv[2] ?? 600);
const folder = await buildSoakProject();
try {
  const report = await soak(folder, {
    durationMs: seconds * 1_000,
    leastCalls: 0,
    leastAttacks: 0,
    warmUpMs: Math.min(60_000, seconds * 300),
    seed: Number(process.argv[3] ?? Date.now() % 1_000_000),
    progress: (text) => console.log(text),
  });
  console.log(JSON.stringify(report, null, 2));
  const growth = report.heapEnd / report.heapWarm - 1;
  console.log(`heap ${growth < 0 ? "" : "+"}${(100 * growth).toFixed(1)} %`);
  const isRight = report.wrong.length + report.lostAtStop.length === 0 && growth <= 0.2;
  process.exitCode = isRight && report.exitStatus === 0 && !report.wasBlocked ? 0 : 1;
} finally {
  await rm(dirname(folder), { recursive: true, force: true });
}
