import { test } from "uvu";
import * as assert from "uvu/assert";
import { AccountsOfProcess, holderOf, Provider } from "../samples/linked-accounts.js";
import { closeServers, errorOf } from "../samples/local-internet.js";
import { LinkedAccounts } from "./accounts.js";
import { keyOf } from "./holders.js";
import { MemoryAccounts, WAITING_MS } from "./store.js";
import { createLog } from "../observe/log.js";

/** How accounts are kept: encrypted, each for one caller, and with keys that can be changed. */

test.after(closeServers);

const [oldKey, newKey] = ["o".repeat(32), "n".repeat(32)];
const [adas, bobs] = ["ada", "bob"].map((person) => keyOf("mail", holderOf(person))) as [
  string,
  string,
];

test("a store has encrypted texts only, and cannot give one caller the account of another", async () => {
  const provider = await Provider.open();
  const accountStore = new MemoryAccounts();
  const process = new AccountsOfProcess(provider, { accountStore, requestStateKeys: [oldKey] });
  await process.link("ada", "ada@mail");
  const text = accountStore.get(adas) ?? "";
  const token = await process.token("ada");
  for (const secret of [token, token.slice(3), "ada"]) {
    assert.not.ok(text.includes(secret));
    assert.not.ok(Buffer.from(text.slice(2), "base64url").includes(secret));
  }
  accountStore.offer(bobs, text);
  accountStore.accept(bobs, text, text);
  assert.match((await errorOf(process.token("bob"))).message, "has not linked an account");
  await process.close();
});

test("an account that waits under the key of another caller is not linked", async () => {
  const provider = await Provider.open();
  const texts: string[] = [];
  const accountStore = new (class extends MemoryAccounts {
    override offer(key: string, text: string): void {
      texts.push(text);
      super.offer(key, text);
    }
  })();
  const process = new AccountsOfProcess(provider, { accountStore, requestStateKeys: [oldKey] });
  const code = await process.signIn("ada", "ada@mail");
  accountStore.offer(bobs, texts[0] ?? "");
  assert.is(await process.enter("bob", code), "gone");
  assert.is(await process.enter("ada", code), "linked");
  await process.close();
});

test("a code ends after minutes, also where a store keeps what waits for longer", async () => {
  let now = Date.now();
  const texts: string[] = [];
  const accountStore = new (class extends MemoryAccounts {
    override offer(_key: string, text: string): void {
      texts.push(text);
    }
    override attempt(): string | undefined {
      return texts[0];
    }
  })();
  const options = { accountStore, requestStateKeys: [oldKey], now: () => now };
  const process = new AccountsOfProcess(await Provider.open(), options);
  const code = await process.signIn("ada", "ada@mail");
  now += WAITING_MS + 1;
  assert.is(await process.enter("ada", code), "gone");
  await process.close();
});

test("accounts outlast a change of the key while the former one is the second, and are sealed anew by a refresh", async () => {
  const provider = await Provider.open();
  provider.life = 0.05;
  const accountStore = new MemoryAccounts();
  const withKeys = (...requestStateKeys: string[]) =>
    new AccountsOfProcess(provider, { accountStore, requestStateKeys });
  const before = withKeys(oldKey);
  await before.link("ada", "ada@mail");
  await new Promise((resolve) => setTimeout(resolve, 60));
  provider.life = 3_600;
  const between = withKeys(newKey, oldKey);
  assert.is(provider.userOf(await between.token("ada")), "ada@mail");
  const after = withKeys(newKey);
  assert.is(provider.userOf(await after.token("ada")), "ada@mail");
  assert.match((await errorOf(before.token("ada"))).message, "has not linked an account");
  for (const one of [before, between, after]) await one.close();
});

test("of refused access tokens the latest are remembered, and those are refreshed", async () => {
  const provider = await Provider.open();
  const process = new AccountsOfProcess(provider, { maxRefused: 2 });
  const people = ["ada", "bob", "eve"];
  const tokens: string[] = [];
  for (const person of people) {
    await process.link(person, `${person}@mail`);
    tokens.push(await process.token(person));
  }
  for (const person of people) await process.refuse(person);
  const isKept: boolean[] = [];
  for (const [at, person] of people.entries()) {
    isKept.push((await process.token(person)) === tokens[at]);
  }
  assert.equal(isKept, [true, false, false]);
  await process.refuse("ada");
  assert.is.not(await process.token("ada"), tokens[0]);
  await process.close();
});

test("a store that others read needs the key of the server", () => {
  const log = createLog({ write: () => undefined });
  assert.throws(
    () => new LinkedAccounts({ accountStore: new MemoryAccounts(), log }),
    /REQUEST_STATE_KEY must be set/,
  );
});

test("the public URL is one that nobody on the network can read", () => {
  const log = createLog({ write: () => undefined });
  const at = (publicUrl: string) => new LinkedAccounts({ publicUrl, log });
  assert.throws(() => at("http://books.example/mcp"), /auth.resource must be an https URL/);
  assert.is(at("http://localhost:3000/mcp").isSecure, false);
  assert.is(at("https://books.example/mcp").isSecure, true);
});

test("the memory drops the account that was used least recently, and what waits longest", () => {
  const store = new MemoryAccounts(Date.now, 2);
  for (const key of ["a", "b"]) {
    store.offer(key, key);
    store.accept(key, key, key);
  }
  store.get("a");
  store.offer("c", "c");
  assert.is(store.accept("c", "c", "c"), true);
  assert.equal(
    ["a", "b", "c"].map((key) => store.get(key)),
    ["a", undefined, "c"],
  );
  for (const key of ["x", "y", "z"]) store.offer(key, key);
  assert.equal(
    ["x", "y", "z"].map((key) => store.attempt(key)),
    [undefined, "y", "z"],
  );
});

test.run();
