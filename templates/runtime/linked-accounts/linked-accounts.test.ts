import { test } from "uvu";
import * as assert from "uvu/assert";
import { anybody } from "../authentication/public-methods.js";
import {
  accountSettings,
  AccountServer,
  ASKED,
  Browser,
  type CallAnswer,
  Provider,
  PUBLIC_URL,
  questionOf,
  textOf,
  upstreamOf,
} from "../samples/linked-accounts.js";
import { closeServers } from "../samples/local-internet.js";
import { until } from "../samples/until.js";
import { tasks } from "../tasks.js";
import { TASKS_EXTENSION } from "../tasks/definition.js";
import { holderOfCaller } from "./holders.js";

/** Callers who link accounts, and servers that use them. The attacks are in a file of their own. */

test.after(closeServers);

async function served(more: object = {}) {
  const provider = await Provider.open();
  return { provider, server: new AccountServer([upstreamOf("mail", provider, more)]) };
}

test("a person is asked to sign in and then for the code, and the call goes on as that person", async () => {
  const { server, provider } = await served({ parameters: { access_type: "offline", state: "x" } });
  const asked = await server.call("ada", "mail");
  const { mode, message, url = "" } = questionOf(asked);
  assert.is(mode, "url");
  assert.match(message, "Connect your account with mail");
  assert.ok(url.startsWith(`${PUBLIC_URL}/connect/mail?state=1.`), url);
  const shown = await new Browser(server, "ada@mail").visit(url);
  assert.is(shown.status, 200);
  assert.match(shown.code, /^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
  const [, signIn = "", back = ""] = shown.urls;
  const query = Object.fromEntries(new URL(signIn).searchParams);
  assert.is(query["access_type"], "offline");
  assert.equal(
    [query["response_type"], query["client_id"], query["scope"], query["code_challenge_method"]],
    ["code", "books", "read", "S256"],
  );
  assert.is(query["redirect_uri"], `${PUBLIC_URL}/connect/mail/callback`);
  assert.is(new URL(back).searchParams.get("state"), query["state"]);
  const next = await server.answer("ada", "mail", asked);
  assert.match(questionOf(next).message, "Which code did the page show");
  const done = await server.answer("ada", "mail", next, {
    code: shown.code.toLowerCase().replace("-", " "),
  });
  assert.is(textOf(done), "200 ada@mail");
  assert.is(textOf(await server.call("ada", "mail")), "200 ada@mail");
  assert.is(provider.grants.length, 1);
  assert.ok(questionOf(await server.call("bob", "mail")).url);
});

test("no account is kept for the caller before the code is entered", async () => {
  const { server } = await served();
  const asked = await server.call("ada", "mail");
  await new Browser(server, "ada@mail").visit(questionOf(asked).url ?? "");
  assert.ok(questionOf(await server.call("ada", "mail")).url);
});

test("a task waits until its caller has linked an account, and then continues as that person", async () => {
  const provider = await Provider.open();
  const services = [upstreamOf("mail", provider)];
  const tools = (accountSettings(services).tools ?? []).map((tool) => ({ ...tool, task: {} }));
  const server = new AccountServer(services, { tools, use: [tasks()] });
  const capabilities = { ...ASKED, extensions: { [TASKS_EXTENSION]: {} } };
  const send = (person: string, method: string, more: object): Promise<TaskAnswer> =>
    server.send<TaskAnswer>(person, `tasks/${method}`, { taskId, ...more }, capabilities);
  const { taskId } = await server.send<TaskAnswer>(
    "ada",
    "tools/call",
    { name: "mail" },
    capabilities,
  );
  const state = async (status: string): Promise<TaskAnswer> => {
    let task = await send("ada", "get", {});
    await until(async () => {
      task = await send("ada", "get", {});
      return task.status !== "working";
    });
    assert.is(task.status, status, JSON.stringify(task));
    return task;
  };
  const answer = async (content: object): Promise<void> => {
    const [key = ""] = Object.keys((await state("input_required")).inputRequests ?? {});
    await send("ada", "update", { inputResponses: { [key]: { action: "accept", content } } });
  };
  const { inputRequests = {} } = await state("input_required");
  const { code } = await new Browser(server, "ada@mail").visit(
    Object.values(inputRequests)[0]?.params.url ?? "",
  );
  await answer({});
  assert.match((await send("bob", "get", {})).error ?? "", "Task not found");
  await answer({ code });
  assert.is(textOf((await state("completed")).result ?? {}), "200 ada@mail");
});

/** What a server says of a task. */
interface TaskAnswer extends CallAnswer {
  readonly taskId: string;
  readonly status: string;
  readonly result?: CallAnswer;
}

test("no account is linked for a user who declines, or refuses at the other service", async () => {
  const { server, provider } = await served();
  const asked = await server.call("ada", "mail");
  for (const action of ["decline", "cancel"]) {
    const answer = await server.answer("ada", "mail", asked, {}, action);
    assert.match(textOf(answer), "The user declined: Connect your account with mail");
  }
  const shown = await new Browser(server, "").visit(questionOf(asked).url ?? "");
  assert.is(shown.status, 400);
  assert.match(shown.text, "You have not allowed it");
  assert.is(provider.grants.length, 0);
  const again = await server.call("ada", "mail", { requestState: asked.requestState });
  assert.ok(questionOf(again).url);
});

test("a client that cannot be asked gets the link in words, and the tool connect takes the code", async () => {
  const { server } = await served();
  for (const capabilities of [{}, { elicitation: { form: {} } }, { elicitation: { url: {} } }]) {
    const answer = await server.call("ada", "mail", {}, capabilities);
    assert.is(answer.isError, true);
    assert.match(textOf(answer), `Let the user open ${PUBLIC_URL}/connect/mail?state=`);
  }
  const connect = (code?: string) =>
    server.call("ada", "connect", {}, {}, { upstream: "mail", ...(code && { code }) });
  const [url = ""] = /https:\S+/.exec(textOf(await connect())) ?? [];
  const { code } = await new Browser(server, "ada@mail").visit(url);
  assert.match(textOf(await connect("AAAA-AAAA")), "not the code");
  assert.is(textOf(await connect(code)), "The account with mail is connected.");
  assert.is(textOf(await connect()), "The account with mail is connected.");
  assert.is(textOf(await server.call("ada", "mail", {}, {})), "200 ada@mail");
  assert.match(textOf(await connect(code)), "No account waits");
});

test("disconnect forgets the account of its caller, and of nobody else", async () => {
  const { server } = await served();
  for (const person of ["ada", "bob"]) await server.link(person, "mail", `${person}@mail`);
  const disconnect = () => server.call("ada", "disconnect", {}, ASKED, { upstream: "mail" });
  assert.match(textOf(await disconnect()), "is forgotten");
  assert.match(textOf(await disconnect()), "No account with mail was connected");
  assert.ok(questionOf(await server.call("ada", "mail")).url);
  assert.is(textOf(await server.call("bob", "mail")), "200 bob@mail");
});

test("the two tools take only what they know, and are listed", async () => {
  const { server } = await served();
  for (const [tool, input] of [
    ["connect", {}],
    ["connect", { upstream: "files" }],
    ["connect", { upstream: "mail", code: 7 }],
    ["disconnect", { upstream: "mail", code: "x" }],
    ["disconnect", { upstream: "mail", principal: "idp|bob" }],
  ] as const) {
    assert.match(textOf(await server.call("ada", tool, {}, ASKED, input)), "takes only");
  }
});

test("callers without a principal of their own are refused in words", async () => {
  const { server } = await served();
  assert.match(textOf(await server.call("key:ci", "mail")), "an API key names no person");
  for (const caller of [undefined, anybody]) {
    assert.throws(
      () => holderOfCaller("mail", caller),
      /asked in the name of the caller, who has shown no credentials/,
    );
  }
});

test("an account is refreshed when it ends, once for all calls that wait", async () => {
  const { server, provider } = await served();
  provider.life = 0.05;
  await server.link("ada", "mail", "ada@mail");
  await new Promise((resolve) => setTimeout(resolve, 60));
  provider.life = 3_600;
  provider.delayMs = 30;
  const before = provider.grants.length;
  const calls = Array.from({ length: 20 }, () => server.call("ada", "mail"));
  for (const answer of await Promise.all(calls)) assert.is(textOf(answer), "200 ada@mail");
  const kinds = provider.grants.slice(before).map(({ grant_type }) => grant_type);
  assert.equal(kinds, ["refresh_token"]);
});

test("an access token that the upstream refuses is refreshed; where that is refused, too, the person is asked again", async () => {
  const { server, provider } = await served();
  provider.life = undefined;
  await server.link("ada", "mail", "ada@mail");
  provider.revoke();
  assert.is(textOf(await server.call("ada", "mail")), "200 ada@mail");
  provider.revoke(true);
  assert.ok(questionOf(await server.call("ada", "mail")).url);
  assert.is(textOf(await server.link("ada", "mail", "ada@mail")), "200 ada@mail");
});

test("an account without a refresh token lasts until its access token ends", async () => {
  const { server, provider } = await served();
  provider.refreshes = false;
  provider.life = undefined;
  assert.is(textOf(await server.link("ada", "mail", "ada@mail")), "200 ada@mail");
  assert.is(textOf(await server.call("ada", "mail")), "200 ada@mail");
  provider.revoke();
  assert.ok(questionOf(await server.call("ada", "mail")).url);
});

test("an account that is forgotten while it is refreshed stays forgotten", async () => {
  const { server, provider } = await served();
  provider.life = 0.05;
  await server.link("ada", "mail", "ada@mail");
  await new Promise((resolve) => setTimeout(resolve, 60));
  provider.life = 3_600;
  provider.delayMs = 100;
  const call = server.call("ada", "mail");
  await new Promise((resolve) => setTimeout(resolve, 50));
  await server.call("ada", "disconnect", {}, ASKED, { upstream: "mail" });
  assert.ok(questionOf(await call).url);
  assert.ok(questionOf(await server.call("ada", "mail")).url);
});

test("the pages of a sign-in have no scripts, and headers forbid to frame, cache or refer to them", async () => {
  const { server } = await served();
  const asked = await server.call("ada", "mail");
  const { url = "" } = questionOf(asked);
  const redirect = await server.visit(url);
  const cookie = redirect.headers.get("set-cookie") ?? "";
  assert.match(
    cookie,
    /^__Host-mcp-connect-mail=[\w-]{43}; Path=\/; Max-Age=1200; HttpOnly; SameSite=Lax; Secure$/,
  );
  const shown = await new Browser(server, "ada@mail").visit(url);
  assert.match(shown.text, "<title>The &#60;books&#62;</title>");
  const page = await server.visit(shown.urls.at(-1) ?? "");
  const { headers } = page;
  assert.match(headers.get("content-security-policy") ?? "", "default-src 'none'");
  assert.equal(
    ["cache-control", "referrer-policy", "x-frame-options"].map((name) => headers.get(name)),
    ["no-store", "no-referrer", "DENY"],
  );
  assert.is((await server.visit(url, "", "POST")).status, 405);
});

test.run();
