import { test } from "uvu";
import * as assert from "uvu/assert";
import { AuditTrail } from "../audit/audit.js";
import { createAsking } from "../asking/asking.js";
import { ProtocolError } from "../engine/errors.js";
import { maskingOf } from "../backends/masking.js";
import { createLog } from "../observe/log.js";
import { caller } from "../samples/engine.js";
import { accept, allCapabilities, AskingServer, named, replying } from "../samples/asking.js";
import { answering, consentIn, ConsentServer, YES } from "../samples/consent.js";
import { MemoryNonces, type Redemption } from "./nonces.js";

/** Calls that may run a tool which needs consent, and answers that must not. */

const ada = { authentication: { principal: "ada", scopes: [] } };
const bob = { authentication: { principal: "bob", scopes: [] } };

/** Asserts that a call is refused, and that no handler has run since. */
async function refused(server: ConsentServer, call: () => Promise<unknown>, why?: RegExp) {
  const before = server.ran.length;
  let error: unknown;
  try {
    error = new Error(`answered ${JSON.stringify(await call())}`);
  } catch (thrown) {
    error = thrown;
  }
  assert.instance(error, ProtocolError);
  assert.is((error as ProtocolError).code, -32602);
  assert.is(server.ran.length, before);
  if (why !== undefined) assert.match(server.engine.lines.at(-1) ?? "", why);
}

function textOf(result: object): string {
  const { content = [] } = result as { content?: { text?: string }[] };
  return content.map(({ text }) => text).join();
}

test("the user is asked before the tool runs, and a yes runs it once", async () => {
  const server = new ConsentServer();
  const question = await server.asked();
  assert.is(question.message, 'Delete "/a" for good?');
  assert.equal(server.ran, []);
  assert.is(textOf(await server.call(answering(question))), "done");
  assert.equal(server.ran, [{ path: "/a" }]);
});

test("a tool without confirm runs at once", async () => {
  const server = new ConsentServer();
  assert.is(textOf(await server.call({}, "plain")), "done");
});

test("calls by an alias ask too, and name the same tool", async () => {
  const server = new ConsentServer();
  const question = await server.asked({}, "remove");
  assert.is(textOf(await server.call(answering(question), "delete")), "done");
});

test("nothing runs for a user who declines, closes the question or does not answer it", async () => {
  const server = new ConsentServer();
  for (const response of [
    { action: "decline" },
    { action: "cancel" },
    { action: "ACCEPT" },
    { action: true },
    { action: ["accept"] },
    { accept: true },
    true,
    "accept",
    null,
  ]) {
    const question = await server.asked();
    const result = await server.call(answering(question, response));
    assert.is((result as { isError?: boolean }).isError, true, JSON.stringify(response));
    assert.match(textOf(result), 'Delete "/a" for good?');
    await refused(server, () => server.call(answering(question)), /used before/);
  }
  const question = await server.asked();
  const result = await server.call({ ...answering(question), inputResponses: {} });
  assert.match(textOf(result), "Nobody has answered");
  assert.equal(server.ran, []);
});

test("an answer without a question, or with a made-up state, runs nothing", async () => {
  const server = new ConsentServer();
  const question = await server.asked();
  const { inputResponses = {} } = answering(question);
  assert.is((await server.asked({ inputResponses })).message, question.message);
  const { requestState } = question;
  const other = new ConsentServer(undefined, ["x".repeat(32)]);
  const forged = [
    ...["", "1.", "1.AAAA", `${requestState}A`, requestState.slice(0, -2), requestState.slice(2)],
    requestState.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    (await other.asked()).requestState,
    { call: "x" },
    null,
    7,
  ];
  for (const state of forged) {
    await refused(server, () => server.call({ inputResponses, requestState: state }), /not sealed/);
  }
  assert.is(textOf(await server.call(answering(question))), "done");
});

test("a yes cannot be used again, also at the same time", async () => {
  const server = new ConsentServer();
  const question = await server.asked();
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => server.call(answering(question))),
  );
  assert.is(results.filter(({ status }) => status === "fulfilled").length, 1);
  assert.is(server.ran.length, 1);
  await refused(server, () => server.call(answering(question)), /used before/);
});

test("a yes to one call is no yes to another one", async () => {
  const server = new ConsentServer();
  const question = await server.asked(ada);
  const yes = answering(question);
  const others: (readonly [object, string])[] = [
    [{ ...yes, ...ada, arguments: { path: "/b" } }, "delete"],
    [{ ...yes, ...ada, arguments: { path: "/a", force: true } }, "delete"],
    [{ ...yes, ...ada, arguments: {} }, "delete"],
    [{ ...yes, ...ada }, "burn"],
    [{ ...yes, ...ada }, "ask"],
    [{ ...yes, ...bob }, "delete"],
    [yes, "delete"],
  ];
  for (const [sent, name] of others) {
    await refused(server, () => server.call(sent, name), /another call/);
  }
  assert.is(textOf(await server.call({ ...yes, ...ada })), "done");
});

test("the answers to two questions cannot be exchanged", async () => {
  const server = new ConsentServer();
  const one = await server.asked();
  const two = await server.asked({ arguments: { path: "/b" } });
  const declined = { [one.key]: { action: "decline" }, [two.key]: YES };
  const result = await server.call({ requestState: one.requestState, inputResponses: declined });
  assert.match(textOf(result), "declined");
  await refused(server, () => server.call(answering({ ...one, requestState: two.requestState })));
  assert.equal(server.ran, []);
});

test("a yes is of use for five minutes", async () => {
  const server = new ConsentServer();
  const [early, late] = [await server.asked(), await server.asked()];
  server.now = 5 * 60_000;
  assert.is(textOf(await server.call(answering(early))), "done");
  server.now += 1;
  await refused(server, () => server.call(answering(late)), /expired/);
});

test("a yes counts only in the process that asked, unless processes share their state", async () => {
  const [one, two] = [new ConsentServer(), new ConsentServer()];
  const question = await one.asked();
  await refused(two, () => two.call(answering(question)), /another process/);
  const shared = new MemoryNonces();
  const [three, four] = [new ConsentServer(shared), new ConsentServer(shared)];
  const asked = await three.asked();
  assert.is(textOf(await four.call(answering(asked))), "done");
  await refused(three, () => three.call(answering(asked)), /used before/);
});

for (const [redemption, words, why] of [
  ["unknown", "cannot tell at the moment", /nobody can tell/],
  ["full", "Too many calls were confirmed in the last minutes", /have used too many/],
] as const) {
  test(`a yes that is ${redemption} runs nothing, and the caller hears that it may try again`, async () => {
    let isTaken = false;
    const redeem = async (): Promise<Redemption> => (isTaken ? "redeemed" : redemption);
    const server = new ConsentServer({ issuer: "redis", redeem });
    const yes = answering(await server.asked());
    const result = await server.call(yes);
    assert.is((result as { isError?: boolean }).isError, true);
    assert.match(textOf(result), words);
    assert.match(textOf(result), "Try again");
    assert.match(server.engine.lines.at(-1) ?? "", why);
    assert.equal(server.ran, []);
    isTaken = true;
    assert.is(textOf(await server.call(yes)), "done");
  });
}

test("a caller who has confirmed too many calls is told so, and other callers go on, also one named like that caller's address", async () => {
  const nonces = new MemoryNonces();
  const server = new ConsentServer(nonces);
  const address = "10.0.0.1";
  for (let index = 0; index < 1_000; index++) {
    nonces.redeem(String(index), Date.now() + 60_000, `address ${address}`);
  }
  const callOf = async (sender: object) =>
    server.call({ ...answering(await server.asked(sender)), ...sender });
  const result = await callOf({ address });
  assert.match(textOf(result), "Too many calls were confirmed");
  const named = { authentication: { principal: address, scopes: [] } };
  for (const sender of [{ address: "10.0.0.2" }, { ...named, address }, { ...ada, address }]) {
    assert.is(textOf(await callOf(sender)), "done");
  }
});

test("a handler asks its own questions after the consent, and no answer runs it twice", async () => {
  const server = new ConsentServer();
  const consent = await server.asked({}, "ask");
  const name = consentIn(await server.call(answering(consent), "ask"));
  assert.is(name.message, "Who are you?");
  const answer = answering(name, named());
  await refused(server, () => server.call(answer), /another call/);
  await refused(server, () => server.call({ ...answer, arguments: { path: "/b" } }, "ask"));
  assert.is(textOf(await server.call(answer, "ask")), "Ada");
  await refused(server, () => server.call(answer, "ask"), /used before/);
  assert.equal(server.ran, ["Ada"]);
});

test("the answer to a question of the manifest is no consent, and the other way round", async () => {
  const keys = ["k".repeat(32)];
  const server = new ConsentServer(undefined, keys, async (_input, ctx) =>
    JSON.stringify(await ctx.elicit.confirm({ env: "x" }, { key: "name" })),
  );
  const asking = new AskingServer(async (_input, ctx) => (await ctx.elicit.name()).name, ...keys);
  const elicited = replying(await asking.asked(), named);
  await refused(server, () => server.call(elicited, "ask"), /not sealed/);
  const consent = await server.asked({}, "ask");
  const inputResponses = { [consent.key]: YES, name: accept({ ok: true }) };
  const next = consentIn(
    await server.call({ requestState: consent.requestState, inputResponses }, "ask"),
  );
  assert.is(next.message, "Deploy to x?");
  const runner = createAsking({}, { requestStateKeys: keys }, () => 0);
  assert.is(runner.runs({ definition: { name: "delete" } }), false);
  await asking.call({ requestState: consent.requestState, inputResponses }).then(
    () => assert.unreachable(),
    (error: unknown) => assert.instance(error, ProtocolError),
  );
});

test("the audit log says what became of the question", async () => {
  const server = new ConsentServer();
  const outcomes: unknown[] = [];
  const write = async (line: string): Promise<void> => {
    outcomes.push((JSON.parse(line) as { consent?: string }).consent);
  };
  const { definition, methods } = server.engine;
  const audit = new AuditTrail(definition, {
    trail: { write, synced: async () => undefined, close: async () => undefined },
    masking: maskingOf(definition, {}),
    log: createLog({ write: () => undefined }),
  });
  const audited = audit.wrapMethods(Object.fromEntries(methods))["tools/call"];
  const record = async (sent: object): Promise<void> => {
    const sender = { ...caller, ...sent, clientCapabilities: () => allCapabilities };
    const call = { name: "delete", arguments: { path: "/a" } };
    await Promise.resolve(audited?.answer(call, sender)).catch(() => undefined);
  };
  await record({});
  const yes = answering(await server.asked());
  await record(yes);
  await record(yes);
  await record(answering(await server.asked(), { action: "decline" }));
  assert.equal(outcomes, ["asked", "given", "refused", "refused"]);
});

test("a client that cannot ask is told so", async () => {
  const server = new ConsentServer();
  const error: unknown = await server.call({ capabilities: {} }).catch((thrown: unknown) => thrown);
  assert.is((error as ProtocolError).code, -32021);
  assert.match((error as Error).message, "the user's consent");
  const legacy = await server.call({ capabilities: {}, era: "legacy" });
  assert.match(textOf(legacy), "the user's consent");
  assert.equal(server.ran, []);
});

test("arguments that break the protocol are refused before anybody is asked", async () => {
  const server = new ConsentServer();
  await refused(server, async () => server.call({ arguments: [] as never }));
});

test.run();
