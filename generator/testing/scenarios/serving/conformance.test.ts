import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import {
  runConformanceSuite,
  runScenario,
  serverScenarios,
  type SuiteOutcome,
} from "../../harness/clients/conformance-suite.js";
import { conformanceTable } from "../../harness/clients/conformance-table.js";
import { buildAndTestInLong } from "../../harness/projects/long-tested-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { startHttp, type StartedServer } from "../../harness/clients/project-clients.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** The official conformance suite against examples/conformance, with no list of expected failures. */

const example = fileURLToPath(new URL("examples/conformance/", packageRoot));
let folder: string;
let server: StartedServer;
/** The same without the fast path, which answers most of what the newest revision asks; in the long form only. */
let slowServer: StartedServer;

test.before(async () => {
  folder = await copyUserFiles(example, "conformance");
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  // In short, the generated tests of other examples run (end-to-end.test.ts).
  await buildAndTestInLong(folder);
  server = await startHttp(folder);
  if (shortOrLong(false, true)) slowServer = await startHttp(folder, { MCP_FAST_PATH: "off" });
});
test.after(async () => {
  await server?.stop();
  await slowServer?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What the suite said last of each revision, and whether scenarios of no revision passed. */
const outcomes = new Map<string, SuiteOutcome>();
const unrequired = new Map<string, boolean>();

type Run = readonly [
  requirements: "2025-11-25" | "2026-07-28",
  scenarios: number,
  servedBy: "the fast path and the SDK" | "the SDK alone",
];
const FAST: Run = ["2026-07-28", 50, "the fast path and the SDK"];
/** The fast path answers nothing of older revisions. */
const OLDER: Run = ["2025-11-25", 33, "the fast path and the SDK"];
/** In short, one server answers both, which leaves to the SDK what the fast path does not know. */
for (const [requirements, scenarios, servedBy] of shortOrLong<readonly Run[]>(
  [FAST, OLDER],
  [FAST, OLDER, ["2025-11-25", 33, "the SDK alone"], ["2026-07-28", 50, "the SDK alone"]],
)) {
  test(`every scored scenario of ${requirements} passes, served by ${servedBy}`, async () => {
    const { url } = servedBy === "the SDK alone" ? slowServer : server;
    const outcome = await runConformanceSuite(url.replace("127.0.0.1", "localhost"), requirements);
    outcomes.set(requirements, outcome);
    const failing = [...outcome.scenarios].flatMap(([name, passed]) => (passed ? [] : [name]));
    assert.ok(outcome.passed, `${failing.join(", ")}\n${outcome.output}`);
    assert.is(outcome.scenarios.size, scenarios);
    if (requirements === "2026-07-28") {
      const tasks = [...outcome.scenarios.keys()].filter((name) => name.startsWith("tasks-"));
      assert.is(tasks.length, 10);
      // None of them is scored.
      assert.equal(
        failing.filter((name) => tasks.includes(name)),
        [],
        outcome.output,
      );
    }
    console.log(`${requirements}: not scored and not passing: ${failing.join(", ") || "none"}`);
  });
}

/** In short, the suite starts for what is scored alone: each start of it takes more than most of its scenarios. */
if (shortOrLong(false, true)) {
  /** Scenarios of extensions, which no revision requires. */
  for (const scenario of [
    "sep-2640-skills-enumeration",
    "sep-2640-skills-manifest",
    "sep-2640-skills-directory",
  ]) {
    test(`the scenario ${scenario} passes without a warning`, async () => {
      const { passed, output } = await runScenario(
        server.url.replace("127.0.0.1", "localhost"),
        scenario,
      );
      unrequired.set(scenario, passed);
      assert.ok(passed, output);
      assert.match(output, /Passed: (\d+)\/\1, 0 failed, 0 warnings/);
    });
  }

  /**
   * A newer suite changes this: what it has, what counts, and what passes. CONTRIBUTING.md says what to do then, and
   * `UPDATE=1` writes the new table.
   */
  test("the table of scenarios says what is scored, pending and passed", async () => {
    const table = await conformanceTable(outcomes, unrequired);
    const file = new URL("generator/testing/fixtures/conformance.expected", packageRoot);
    if (process.env["UPDATE"] === "1" && !process.env["CI"]) await writeFile(file, table);
    assert.fixture(table, await readFile(file, "utf8"));
  });

  /**
   * Its scenarios of authorization are for clients and for authorization servers. Once it has some for servers,
   * this fails, and they are to be run here; until then served-access.test.ts and members.test.ts judge access.
   */
  test("the suite has no scenario of authorization for servers", async () => {
    const names = await serverScenarios();
    assert.ok(names.includes("dns-rebinding-protection"), names.join("\n"));
    assert.equal(
      names.filter((name) => /auth|token|scope|protected-resource/.test(name)),
      [],
    );
  });
}

test.run();
