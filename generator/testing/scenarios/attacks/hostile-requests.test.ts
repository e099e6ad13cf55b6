import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { until } from "../../../../templates/runtime/samples/until.js";
import { probes } from "./hostile-requests/all-probes.js";
import { buildDemoProject } from "./hostile-requests/demo-project.js";
import { DemoServer, SECRET, textOf } from "./hostile-requests/demo-server.js";
import { sendMutated } from "./hostile-requests/mutated-requests.js";
import { notApplicable } from "./hostile-requests/not-applicable.js";
import { removeStatefulProject } from "./hostile-requests/stateful-project.js";
import { assertNotBlocked, watchedBy, type Watched } from "./hostile-requests/watched.js";
import { testShared } from "../../harness/runner/shared-data.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** Every row of the shared list, against one generated server, with an honest client beside. */

/** Requests with mutations that are sent in all. */
const MUTATED = shortOrLong(400, 20_000);
const folder = await buildDemoProject();
const server = await DemoServer.start(folder);
const honest = honestClient();
// Half of them first: what is remembered of clients, and what is compiled late, is no leak.
const firstMutated = await sendMutated(server, MUTATED / 2);
const atStart = await watch({ collectFirst: true });
/** They take their time, so they run beside the others. */
const slow = new Map(
  ["R06", "R07"].map((id) => [id, probes[id]?.(server, folder).then(() => undefined, asError)]),
);

test.after(async () => {
  await server.stop();
  await rm(dirname(folder), { recursive: true, force: true });
  await removeStatefulProject();
});

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

async function watch(input: { readonly collectFirst?: boolean } = {}): Promise<Watched> {
  return watchedBy(await server.call("watch", input, { localAddress: "127.0.0.2" }));
}

/** Calls every 100 ms until it is stopped; what it got that was not right. */
function honestClient(): { stop(): Promise<{ calls: number; wrong: string[] }> } {
  let running = true;
  let calls = 0;
  const wrong: string[] = [];
  const loop = (async () => {
    while (running) {
      const text = `honest ${++calls}`;
      const answer = await server
        .call("echo", { text }, { localAddress: "127.0.0.2" })
        .catch(asError);
      if (answer instanceof Error || textOf(answer) !== text) {
        wrong.push(answer instanceof Error ? answer.message : answer.text.slice(0, 200));
      }
      await delay(100);
    }
  })();
  return {
    stop: async () => {
      running = false;
      await loop;
      return { calls, wrong };
    },
  };
}

test("a request that fails before it is awaited does not end the process", async () => {
  // No interface of this machine has the address.
  const failing = server.request({ localAddress: "192.0.2.1" });
  await server.call("echo", { text: "meanwhile" });
  assert.instance(await failing.catch(asError), Error);
});

test("no request is both tested and listed as not applicable", () => {
  assert.equal(
    Object.keys(notApplicable).filter((id) => id in probes),
    [],
  );
});

/** The shared lists of hostile requests, and how many rows each has at least. */
const SHARED_LISTS = { "cases/hostile-requests.md": 40, "cases/hostile-requests-more.md": 11 };
for (const [name, least] of Object.entries(SHARED_LISTS)) {
  testShared(`every row of ${name} is tested, or listed with the reason why not`, name, (list) => {
    const rows = [...readFileSync(list, "utf8").matchAll(/^\| (R\d+) \|/gm)].map(
      ([, id]) => id ?? "",
    );
    assert.equal(
      rows.filter((id) => !(id in probes) && !(id in notApplicable)),
      [],
    );
    assert.ok(rows.length >= least, `${rows.length} rows`);
  });
}

for (const [id, probe] of Object.entries(probes)) {
  test(`hostile request ${id}`, async () => {
    if (slow.has(id)) {
      const error = await slow.get(id);
      if (error !== undefined) throw error;
    } else {
      await probe(server, folder);
    }
    assertNotBlocked(await watch());
  });
}

test(`${MUTATED} mutated requests do no harm`, async () => {
  for (const { statuses, wrong } of [
    firstMutated,
    await sendMutated(server, MUTATED / 2, MUTATED / 2 + 1),
  ]) {
    assert.equal(wrong, []);
    assert.ok((statuses.get(200) ?? 0) > MUTATED / 80, "some are still right");
    assert.ok((statuses.get(400) ?? 0) > MUTATED / 8, "most are not");
  }
  assertNotBlocked(await watch());
});

test("an honest client was served all the time", async () => {
  const { calls, wrong } = await honest.stop();
  assert.equal(wrong, []);
  assert.ok(calls > 20, `${calls} calls`);
});

test("nothing has leaked, and memory use is as before", async () => {
  await until(async () => {
    const { heapBytes } = await watch({ collectFirst: true });
    return heapBytes <= atStart.heapBytes * 1.2;
  });
  const answers = server.answers.join("\n");
  for (const secret of [
    SECRET,
    "hunter2",
    "twin's secret",
    dirname(folder),
    "node:internal",
    "/dist/",
  ]) {
    assert.ok(!answers.includes(secret), `no answer holds ${secret}`);
  }
  for (const line of server.logLines) {
    assert.type(JSON.parse(line), "object");
    assert.not.match(line, /[\p{Cc}\u2028\u2029]/u);
  }
});

test.run();
