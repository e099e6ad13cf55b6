import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { aboutSockets } from "./hostile-requests/about-sockets.js";
import { probes } from "./hostile-requests/all-probes.js";
import { buildDemoProject } from "./hostile-requests/demo-project.js";
import { SECRET, type DemoClient, type DemoServer } from "./hostile-requests/demo-server.js";
import { FetchDemo } from "./hostile-requests/fetch-demo.js";

/**
 * The rows of `hostile-requests.test.ts` against the same project behind a function from `Request` to `Response`. In short, the
 * tests of `templates/runtime/fetch/` stand for it.
 */

const folder = await buildDemoProject();
const demo: DemoClient = await FetchDemo.start(folder);

test.after(() => rm(dirname(folder), { recursive: true, force: true }));

test("every row that is left out is one of the list", () => {
  assert.equal(
    Object.keys(aboutSockets).filter((id) => !(id in probes)),
    [],
  );
});

for (const [id, probe] of Object.entries(probes)) {
  if (id in aboutSockets) continue;
  // A row that is not listed as one about sockets uses what every client has.
  test(`hostile request ${id}`, () => probe(demo as DemoServer, folder));
}

test("no answer holds a secret, and each line of the log is JSON", () => {
  const answers = demo.answers.join("\n");
  for (const secret of [SECRET, "hunter2", "twin's secret", dirname(folder), "node:internal"]) {
    assert.ok(!answers.includes(secret), `no answer holds ${secret}`);
  }
  assert.ok(demo.answers.length > 100, `${demo.answers.length} answers`);
  for (const line of demo.logLines) assert.type(JSON.parse(line), "object");
});

test.run();
