import { readFile } from "node:fs/promises";
import { format } from "prettier";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../../text/package-root.js";
import { triedClients } from "./clients.js";
import { clientsPage, STEPS, type Trial } from "./page.js";

const read = (path: string): Promise<string> => readFile(new URL(path, packageRoot), "utf8");
const trials = JSON.parse(
  await read("generator/testing/fixtures/tried-clients.json"),
) as readonly Trial[];

test("the page of clients is made from the recorded results", async () => {
  const page = await format(clientsPage(trials), { parser: "markdown" });
  assert.is(await read("examples/CLIENTS.md"), page);
});

test("each client that the script drives was tried, in its version, and each step of it that was tried has an outcome", () => {
  const wanted = triedClients.flatMap(({ client, packages, transports }) =>
    transports.map((transport) => `${client} ${packages[client]} ${transport}`),
  );
  const tried = trials.map(({ client, version, transport }) => `${client} ${version} ${transport}`);
  assert.equal(tried, wanted);
  for (const { outcomes } of trials) {
    assert.ok(Object.keys(outcomes).length > 0);
    for (const [step, outcome] of Object.entries(outcomes)) {
      assert.ok(
        STEPS.some((one) => one === step),
        step,
      );
      assert.ok(outcome);
    }
  }
});

test("a failure is shown with its reason", () => {
  const one = { client: "a", version: "1.0.0", transport: "http", node: "20.0.0" } as const;
  const page = clientsPage([{ ...one, outcomes: { initialize: "ok", call: "no answer" } }]);
  assert.match(page, "| `a` | 1.0.0 | http | 20.0.0 | ok | – | failed | – | – | – |");
  assert.match(page, "- `a` 1.0.0, http, call: no answer");
});

test.run();
