import { suite } from "uvu";
import * as assert from "uvu/assert";
import { MAX_ATTEMPTS } from "../linked-accounts/store.js";
import { createLog } from "../observe/log.js";
import { AccountsOfProcess, Provider } from "../samples/linked-accounts.js";
import { closeServers, errorOf } from "../samples/local-internet.js";
import { LocalRedis } from "../samples/local-redis.js";
import { RedisConnection } from "./redis-connection.js";
import { shareAccounts } from "./shared-accounts.js";
import { shareNonces } from "./shared-nonces.js";

const test = suite("accounts of replicas");
const whyNoRedis = await LocalRedis.whyWithout();
const redis = whyNoRedis === undefined ? await LocalRedis.start() : undefined;
const log = createLog({ write: () => undefined });

/** Runs a test with two replicas of one server. */
async function withReplicas(
  name: string,
  run: (provider: Provider, one: AccountsOfProcess, two: AccountsOfProcess) => Promise<void>,
): Promise<void> {
  const provider = await Provider.open();
  const connections = ["1", "2"].map(() => new RedisConnection(redis?.url ?? "", `${name}:`, log));
  const [one, two] = connections.map(
    (connection) =>
      new AccountsOfProcess(provider, {
        accountStore: shareAccounts(connection),
        nonces: shareNonces(connection),
        requestStateKeys: ["k".repeat(32)],
      }),
  ) as [AccountsOfProcess, AccountsOfProcess];
  await Promise.all(connections.map((connection) => connection.open()));
  try {
    await run(provider, one, two);
  } finally {
    await Promise.all([...connections, one, two].map((open) => open.close()));
  }
}

function replicated(
  title: string,
  run: (provider: Provider, one: AccountsOfProcess, two: AccountsOfProcess) => Promise<void>,
): void {
  const name = title.replace(/\W+/g, "-");
  if (redis !== undefined) return test(title, () => withReplicas(name, run));
  console.log(`skipped: ${title} (${whyNoRedis})`);
  test.skip(title);
}

replicated(
  "an account that one replica has linked is used and forgotten by the other",
  async (provider, one, two) => {
    const code = await one.signIn("ada", "ada@mail");
    assert.match((await errorOf(two.token("ada"))).message, "has not linked an account");
    assert.is(await two.enter("ada", code), "linked");
    assert.is(await one.enter("ada", code), "gone");
    assert.is(provider.userOf(await one.token("ada")), "ada@mail");
    assert.is(await two.forget("ada"), true);
    assert.is(await one.forget("ada"), false);
    assert.match((await errorOf(one.token("ada"))).message, "has not linked an account");
  },
);

replicated(
  "attempts to enter a code are counted for all replicas together",
  async (_provider, one, two) => {
    const code = await one.signIn("ada", "ada@mail");
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? one : two).enter("ada", "x")),
    );
    assert.is(outcomes.filter((outcome) => outcome === "wrong").length, MAX_ATTEMPTS);
    assert.is(await two.enter("ada", code), "gone");
  },
);

replicated("a link is of use once for all replicas together", async (_provider, one, two) => {
  const link = new URL(one.accounts.linkOf("mail", "ada")).searchParams.get("state") ?? "";
  const answers = await Promise.allSettled(
    [one, two].map(async ({ accounts }) => {
      const { url, cookie } = accounts.open("mail", link);
      const response = await fetch(url, { redirect: "manual", headers: { "x-user": "ada" } });
      const { searchParams } = new URL(response.headers.get("location") ?? "");
      return accounts.finish("mail", Object.fromEntries(searchParams), cookie);
    }),
  );
  assert.is(answers.filter(({ status }) => status === "fulfilled").length, 1);
});

replicated(
  "an account is refreshed once, whichever replicas need it",
  async (provider, one, two) => {
    provider.life = 0.05;
    await one.link("ada", "ada@mail");
    await new Promise((resolve) => setTimeout(resolve, 60));
    provider.life = 3_600;
    provider.delayMs = 150;
    const tokens = await Promise.all([one, two, one, two].map((replica) => replica.token("ada")));
    assert.is(new Set(tokens).size, 1);
    assert.is(provider.grants.filter(({ grant_type }) => grant_type === "refresh_token").length, 1);
  },
);

replicated("Redis has no token, and no code, as a text", async (_provider, one) => {
  await one.link("ada", "ada@mail");
  const code = await one.signIn("ada", "ada@mail");
  const token = await one.token("ada");
  const keys = (await redis?.send("KEYS *")) ?? "";
  const names = [...keys.matchAll(/^\S*account:\S+$/gm)].map(([name]) => name);
  assert.ok(names.length >= 2, keys);
  for (const name of names) {
    const text = `${await redis?.send(`GET ${name}`)}${await redis?.send(`HGET ${name} text`)}`;
    for (const secret of [token, code, "ada@mail"]) assert.not.match(text, secret);
    assert.match((await redis?.send(`PTTL ${name}`)) ?? "", /^:\d+/);
  }
});

test("without Redis, callers are told to try again, and nobody is asked to sign in", async () => {
  const away = new RedisConnection("redis://127.0.0.1:9", "away:", log);
  const provider = await Provider.open();
  const process = new AccountsOfProcess(provider, {
    accountStore: shareAccounts(away),
    requestStateKeys: ["k".repeat(32)],
  });
  assert.match((await errorOf(process.token("ada"))).message, "Try again in a minute");
  await process.close();
});

test.after(async () => {
  await closeServers();
  await redis?.stop();
});

test.run();
