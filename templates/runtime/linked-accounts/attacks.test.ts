import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  AccountServer,
  AccountsOfProcess,
  ASKED,
  Browser,
  Provider,
  questionOf,
  textOf,
  upstreamOf,
  type CallAnswer,
} from "../samples/linked-accounts.js";
import { closeServers } from "../samples/local-internet.js";
import { errorOf } from "../samples/local-internet.js";
import { MAX_ATTEMPTS } from "./store.js";

/** Attacks on the sign-in with which callers link accounts. Mallory attacks, Ada is the victim. */

test.after(closeServers);

async function served(more: object = {}) {
  const [mail, files] = [await Provider.open(), await Provider.open()];
  const server = new AccountServer([upstreamOf("mail", mail, more), upstreamOf("files", files)]);
  return { server, mail, files };
}

const urlOf = (answer: CallAnswer): string => questionOf(answer).url ?? "";

/** Whether the server still asks a person to sign in. */
async function isAsked(server: AccountServer, person: string): Promise<boolean> {
  return questionOf(await server.call(person, "mail")).url !== undefined;
}

const GUESSES = ["AAAA-AAAA", "BBBB-BBBB", "CCCC-CCCC", "DDDD-DDDD", "EEEE-EEEE", "FFFF-FFFF"];

test("a link that was forwarded gives its sender nothing, since the victim's browser alone has the code", async () => {
  const { server } = await served();
  const asked = await server.call("mallory", "mail");
  const shown = await new Browser(server, "ada@mail").visit(urlOf(asked));
  assert.match(shown.text, "If somebody else has sent you the link, close this page");
  assert.ok(await isAsked(server, "mallory"));
  let answer = await server.answer("mallory", "mail", asked);
  for (const code of GUESSES.slice(0, MAX_ATTEMPTS)) {
    answer = await server.answer("mallory", "mail", answer, { code });
    assert.match(questionOf(answer).message, "That was not the code");
  }
  // The right code is of no use any more.
  const last = await server.answer("mallory", "mail", answer, { code: shown.code });
  assert.match(textOf(last), "No account waits for this code");
  assert.ok(await isAsked(server, "mallory"));
  assert.ok(await isAsked(server, "ada"));
});

test("the code of one caller is of no use to another one", async () => {
  const { server } = await served();
  const asked = await server.call("mallory", "mail");
  const { code } = await new Browser(server, "ada@mail").visit(urlOf(asked));
  const connected = await server.call("ada", "connect", {}, ASKED, { upstream: "mail", code });
  assert.match(textOf(connected), "No account waits for this code");
  assert.ok(await isAsked(server, "ada"));
});

test("codes cannot be guessed by many attempts at the same time", async () => {
  const process = new AccountsOfProcess(await Provider.open());
  const code = await process.signIn("mallory", "ada@mail");
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, (_one, index) => process.enter("mallory", String(index))),
  );
  assert.is(outcomes.filter((outcome) => outcome === "wrong").length, MAX_ATTEMPTS);
  assert.is(await process.enter("mallory", code), "gone");
  await process.close();
});

test("the fixation of an account: a leaked link connects nothing with the account of its thief", async () => {
  const { server } = await served();
  const asked = await server.call("ada", "mail");
  const stolen = await new Browser(server, "mallory@mail").visit(urlOf(asked));
  assert.is(stolen.status, 200);
  const next = await server.answer("ada", "mail", asked);
  assert.match(questionOf(next).message, "Which code");
  assert.ok(await isAsked(server, "ada"));
  const again = await server.call("ada", "mail");
  const { code } = await new Browser(server, "ada@mail").visit(urlOf(again));
  const wrong = await server.answer("ada", "mail", next, { code: stolen.code });
  assert.match(questionOf(wrong).message, "That was not the code");
  assert.is(textOf(await server.answer("ada", "mail", wrong, { code })), "200 ada@mail");
});

test("a callback that was forged, or that another browser opens, is refused before any code is exchanged", async () => {
  const { server, mail } = await served();
  const mine = new Browser(server, "mallory@mail");
  const { urls } = await mine.visit(urlOf(await server.call("mallory", "mail")), "/callback?");
  const back = urls.at(-1) ?? "";
  const victim = new Browser(server, "ada@mail");
  // The victim has a sign-in of its own under way.
  await victim.visit(urlOf(await server.call("ada", "mail")), "/authorize?");
  assert.is((await victim.visit(back)).status, 400);
  assert.is((await new Browser(server, "ada@mail").visit(back)).status, 400);
  const state = new URL(back).searchParams.get("state") ?? "";
  const link = new URL(urlOf(await server.call("ada", "mail"))).searchParams.get("state") ?? "";
  const other = new AccountServer([upstreamOf("mail", mail)]);
  const foreign = new URL(
    (
      await new Browser(other, "").visit(urlOf(await other.call("ada", "mail")), "/authorize?")
    ).urls.at(-1) ?? "",
  ).searchParams.get("state");
  const forged = ["", "1.", "1.AAAA", `${state}A`, state.slice(0, -2), link, foreign ?? ""];
  for (const text of forged) {
    const url = new URL(back);
    url.searchParams.set("state", text);
    assert.is((await mine.visit(url.href)).status, 400, text);
  }
  assert.is((await mine.visit(`${back}&state=${state}`)).status, 400);
  assert.is((await mine.visit(back.replace("code=", "kode="))).status, 400);
  assert.is(mail.grants.length, 0);
  const refused = new Browser(server, "ada@mail");
  const { urls: own } = await refused.visit(urlOf(await server.call("ada", "mail")), "/callback?");
  assert.is((await refused.visit(`${own.at(-1)}&error=access_denied`)).status, 400);
  assert.is(mail.grants.length, 0, "a code beside an error is not exchanged");
});

test("a cookie that a request has twice is ignored", async () => {
  const { server } = await served();
  const browser = new Browser(server, "ada@mail");
  const { urls } = await browser.visit(urlOf(await server.call("ada", "mail")), "/callback?");
  const [[name, value] = ["", ""]] = browser.cookies;
  const back = urls.at(-1) ?? "";
  assert.is((await server.visit(back, `${name}=x; ${name}=${value}`)).status, 400);
  assert.is((await server.visit(back, `a=b; ${name}=${value}`)).status, 200);
});

test("mix-up: an answer belongs to the upstream whose sign-in was asked for, and to its issuer", async () => {
  const { server, mail, files } = await served();
  const browser = new Browser(server, "ada");
  const { urls } = await browser.visit(urlOf(await server.call("ada", "mail")), "/callback?");
  const back = urls.at(-1) ?? "";
  await browser.visit(urlOf(await server.call("ada", "files")), "/authorize?");
  assert.is((await browser.visit(back.replace("/mail/", "/files/"))).status, 400);
  const link = urlOf(await server.call("ada", "mail"));
  assert.is((await browser.visit(link.replace("/mail?", "/files?"))).status, 400);
  for (const issuer of [files.origin, `${mail.origin}.evil.example`, "mail", ""]) {
    mail.issuer = issuer;
    const shown = await browser.visit(urlOf(await server.call("ada", "mail")));
    assert.is(shown.status, 400, issuer);
  }
  assert.equal([mail.grants, files.grants], [[], []]);
});

test("mix-up: with an issuer in the manifest, an answer must name it", async () => {
  const { server, mail } = await served({ issuer: "https://idp.example" });
  const visit = async () =>
    (await new Browser(server, "ada@mail").visit(urlOf(await server.call("ada", "mail")))).status;
  assert.is(await visit(), 400);
  mail.issuer = "https://idp.example/tenant/";
  assert.is(await visit(), 400);
  // People write an issuer without a path in either form.
  mail.issuer = "https://idp.example/";
  assert.is(await visit(), 200);
  mail.issuer = "https://idp.example";
  assert.is(await visit(), 200);
  const browser = new Browser(server, "ada@mail");
  const { urls } = await browser.visit(urlOf(await server.call("ada", "mail")), "/callback?");
  const silent = new URL(urls.at(-1) ?? "");
  silent.searchParams.delete("iss");
  assert.is((await browser.visit(silent.href)).status, 400);
});

test("replay: a callback, a link, a code and an answer are each of use once", async () => {
  const { server, mail } = await served();
  const asked = await server.call("ada", "mail");
  const browser = new Browser(server, "ada@mail");
  const shown = await browser.visit(urlOf(asked));
  const back = shown.urls.at(-1) ?? "";
  const cookie = await cookieOf(server, urlOf(asked));
  assert.is((await server.visit(back, cookie)).status, 400);
  // Another browser with the same link has a state of its own, whose nonce is used.
  assert.is((await new Browser(server, "mallory@mail").visit(urlOf(asked))).status, 400);
  const next = await server.answer("ada", "mail", asked);
  const { code } = shown;
  assert.is(textOf(await server.answer("ada", "mail", next, { code })), "200 ada@mail");
  await server.call("ada", "disconnect", {}, ASKED, { upstream: "mail" });
  assert.match(textOf(await server.answer("ada", "mail", next, { code })), "No account waits");
  assert.is(mail.grants.length, 1);
});

async function cookieOf(server: AccountServer, url: string): Promise<string> {
  return (await server.visit(url)).headers.get("set-cookie")?.split(";")[0] ?? "";
}

test("replay: the answer to a question is of no use to another caller or another call", async () => {
  const { server } = await served();
  const asked = await server.call("ada", "mail");
  const { code } = await new Browser(server, "ada@mail").visit(urlOf(asked));
  const next = await server.answer("ada", "mail", asked);
  for (const [person, tool] of [
    ["mallory", "mail"],
    ["ada", "files"],
  ] as const) {
    const answer = await server.answer(person, tool, next, { code });
    assert.match(textOf(answer), "Invalid or expired requestState");
  }
  assert.is(textOf(await server.answer("ada", "mail", next, { code })), "200 ada@mail");
});

test("a code of the authorization server from another browser's sign-in has another secret of PKCE", async () => {
  const { server, mail } = await served();
  const mine = new Browser(server, "mallory@mail");
  const back = async (browser: Browser, person: string) =>
    (await browser.visit(urlOf(await server.call(person, "mail")), "/callback?")).urls.at(-1) ?? "";
  const victims = new URL(await back(new Browser(server, "ada@mail"), "ada"));
  const injected = new URL(await back(mine, "mallory"));
  injected.searchParams.set("code", victims.searchParams.get("code") ?? "");
  assert.is((await mine.visit(injected.href)).status, 400);
  assert.is(mail.grants.length, 1);
});

test("links and codes end after minutes", async () => {
  const provider = await Provider.open();
  let now = Date.now();
  const process = new AccountsOfProcess(provider, { now: () => now });
  const code = await process.signIn("ada", "ada@mail");
  now += 5 * 60_000 + 1;
  assert.is(await process.enter("ada", code), "gone");
  const link = new URL(process.accounts.linkOf("mail", "x")).searchParams.get("state") ?? "";
  now += 10 * 60_000 + 1;
  assert.throws(() => process.accounts.open("mail", link));
  await process.close();
});

test("no token is in what clients, browsers and logs get", async () => {
  const { server, mail } = await served();
  const asked = await server.call("ada", "mail");
  const shown = await new Browser(server, "ada@mail").visit(urlOf(asked));
  const next = await server.answer("ada", "mail", asked);
  const done = await server.answer("ada", "mail", next, { code: shown.code });
  await server.call("ada", "disconnect", {}, ASKED, { upstream: "mail" });
  const seen = [asked, shown, next, done, server.lines].map((one) => JSON.stringify(one)).join("");
  assert.not.match(seen, /at-[0-9a-f]{8}-|rt-[0-9a-f]{8}-|a-client-secret/);
  assert.not.match(server.lines.join(""), shown.code);
  assert.is(mail.grants.length, 1);
});

test("two principals whose calls interleave 20,000 times never share a token", async () => {
  const provider = await Provider.open();
  // Tokens end all the time, so that refreshes of both run between the calls.
  provider.life = 0.04;
  const process = new AccountsOfProcess(provider);
  const people = ["ada", "bob"];
  for (const person of people) await process.link(person, `${person}@mail`);
  const wrong: string[] = [];
  const ask = async (person: string): Promise<void> => {
    const token = await process.token(person);
    if (provider.userOf(token) !== `${person}@mail`) wrong.push(`${person}: ${token}`);
  };
  for (let round = 0; round < 1_000; round++) {
    const calls = Array.from({ length: 20 }, (_one, index) =>
      ask(people[(index + round) % 2] ?? ""),
    );
    await Promise.all(calls);
  }
  assert.equal(wrong, []);
  assert.ok(provider.grants.length > 4, `${provider.grants.length} grants`);
  await process.forget("ada");
  assert.match((await errorOf(process.token("ada"))).message, "has not linked an account");
  assert.is(provider.userOf(await process.token("bob")), "bob@mail");
  await process.close();
});

test.run();
