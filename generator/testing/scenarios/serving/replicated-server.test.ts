import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Client } from "@modelcontextprotocol/client";
import { LocalRedis } from "../../../../templates/runtime/samples/local-redis.js";
import { until } from "../../../../templates/runtime/samples/until.js";
import type { StartedServer } from "../../harness/clients/project-clients.js";
import type { BalancerOptions } from "./replicated-server/balancer.js";
import {
  LISTED,
  notificationsOf,
  Replicas,
  textOf,
  UPDATED,
  useEverything,
} from "./replicated-server/replicas.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** Replicas of a generated server behind a load balancer, with a real Redis. */

const test = suite("replicas behind a load balancer");
const absence = await LocalRedis.whyWithout();
let scene: Replicas;
/** The replicas of the tests with two; the last of these kills one. */
let pair: StartedServer[] = [];

test.before(async () => {
  if (absence !== undefined) return;
  scene = await Replicas.create();
  pair = await Promise.all([scene.start(), scene.start()]);
});
test.after.each(async () => {
  await scene?.closeClients();
});
test.after(async () => {
  await scene?.end();
});

function withRedis(name: string, run: () => Promise<void>): void {
  if (absence === undefined) return test(name, run);
  console.log(`skipped: ${name} (${absence})`);
  test.skip(name);
}

/** A balancer before so many replicas. */
async function behind(
  count: number,
  options?: BalancerOptions,
): ReturnType<Replicas["startBehind"]> {
  if (count !== pair.length) return scene.startBehind(count, options);
  return { replicas: pair, balancer: await scene.balance(pair, options) };
}

/** Waits until a tool is off at every replica: what the one that switched it has not told yet is lost if it is killed. */
async function waitUntilOff(replicas: readonly StartedServer[]): Promise<void> {
  for (const { url } of replicas) {
    const client = await scene.connect(url, "modern", "ada");
    await until(async () => {
      const { tools } = await client.listTools();
      return !tools.some(({ name }) => name === "extra");
    });
  }
}

/** Calls from `ada` reach the clients of `ada` and those of nobody else, wherever they are connected. */
async function tellEachOther(caller: Client, ada: Client, bob: Client): Promise<void> {
  const [toldAda, toldBob] = [notificationsOf(ada), notificationsOf(bob)];
  for (let turn = 1; turn <= 4; turn++) {
    await textOf(caller, "touch");
    await until(() => toldAda.filter((method) => method === UPDATED).length === turn);
  }
  await textOf(caller, "turn", { on: true });
  await until(() => toldAda.includes(LISTED) && toldBob.includes(LISTED));
  assert.not(toldBob.includes(UPDATED), "nothing reaches another principal");
  await textOf(caller, "turn", { on: false });
}

/** Changes of a principal's state, one after the other, each through the next replica. */
async function touchInTurns(callers: readonly Client[], heard: readonly string[][], turns: number) {
  for (let turn = 1; turn <= turns; turn++) {
    await textOf(callers[turn % callers.length]!, "touch");
    await until(() => heard.every(({ length }) => length >= turn));
  }
}

withRedis(
  "two principals' subscriptions at two replicas: each hears all of its own changes, and none of another's",
  async () => {
    const heard = { ada: [] as string[][], bob: [] as string[][], eve: [] as string[][] };
    for (const principal of ["ada", "bob", "eve"] as const) {
      for (const { url } of pair) {
        for (const era of ["modern", "legacy"] as const) {
          const client = await scene.connect(url, era, principal);
          heard[principal].push(notificationsOf(client));
          if (era === "modern") await client.listen({ resourceSubscriptions: ["demo://state"] });
          else await client.subscribeResource({ uri: "demo://state" });
        }
      }
    }
    const callersOf = (principal: string): Promise<Client[]> =>
      Promise.all(pair.map(({ url }) => scene.connect(url, "modern", principal)));
    const [asAda, asBob] = [await callersOf("ada"), await callersOf("bob")];
    await delay(200);
    await Promise.all([touchInTurns(asAda, heard.ada, 12), touchInTurns(asBob, heard.bob, 7)]);
    await delay(200);
    const counts = Object.values(heard).map((clients) => clients.map(({ length }) => length));
    assert.equal(counts, [
      [12, 12, 12, 12],
      [7, 7, 7, 7],
      [0, 0, 0, 0],
    ]);
  },
);

for (const count of shortOrLong([2], [2, 4])) {
  withRedis(
    `2026-07-28: ${count} replicas behave as one server, although each request may reach another`,
    async () => {
      const { balancer, replicas } = await behind(count);
      const [ada, bob, caller] = await Promise.all(
        ["ada", "bob", "ada"].map((name) => scene.connect(balancer.url, "modern", name)),
      );
      if (!ada || !bob || !caller) throw new Error("no clients");
      const processes = new Set<string>();
      for (let turn = 0; turn < 4 * count; turn++) {
        const [pid = "", ...rest] = (await textOf(ada, "echo", { text: `t${turn}` })).split(" ");
        processes.add(pid);
        assert.equal(rest, ["ada", `t${turn}`]);
      }
      assert.is(processes.size, count);
      await useEverything(ada);
      const filter = { toolsListChanged: true, resourceSubscriptions: ["demo://state"] };
      await Promise.all([ada.listen(filter), bob.listen(filter)]);
      await tellEachOther(caller, ada, bob);
      await waitUntilOff(replicas);
    },
  );

  withRedis(
    `older eras: ${count} replicas behave as one server if the balancer keeps sessions`,
    async () => {
      const { balancer, replicas } = await behind(count, { keepsSessions: true });
      const [ada, bob, caller] = await Promise.all(
        ["ada", "bob", "ada"].map((name) => scene.connect(balancer.url, "legacy", name)),
      );
      if (!ada || !bob || !caller) throw new Error("no clients");
      await useEverything(ada);
      await Promise.all([ada, bob].map((one) => one.subscribeResource({ uri: "demo://state" })));
      await delay(200);
      await tellEachOther(caller, ada, bob);
      await waitUntilOff(replicas);
      const [gone] = replicas;
      await gone?.kill();
      balancer.remove(gone?.url ?? "");
      const anew = await scene.connect(balancer.url, "legacy", "ada");
      assert.match(await textOf(anew, "echo", { text: "x" }), / ada x$/);
    },
  );
}

test.run();
