import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  AskingServer,
  named,
  replying,
  type AskingHandler,
  type SentCall,
} from "../samples/asking.js";
import { refusal } from "../samples/engine.js";

test("state is refused if it was changed, is of another call or caller, or has expired", async () => {
  const server = new AskingServer(async (_input, ctx) => (await ctx.elicit.name()).name);
  const ada = { principal: "ada", scopes: [] };
  const sent = { arguments: { a: 1, b: [2] }, authentication: ada };
  const questions = await server.asked(sent);
  const reply = { ...sent, ...replying(questions, named) };
  const state = String(questions.requestState);
  const changes: [string, SentCall, string?][] = [
    ["longer", { ...reply, requestState: `${state}-TAMPERED` }],
    ["shorter", { ...reply, requestState: state.slice(0, -1) }],
    ["empty", { ...reply, requestState: "" }],
    ["of no text", { ...reply, requestState: 7 }],
    ["other arguments", { ...reply, arguments: { a: 1, b: [3] } }],
    ["another caller", { ...reply, authentication: { principal: "eve", scopes: [] } }],
    ["no caller", (({ authentication: _, ...rest }) => rest)(reply)],
    ["another tool", reply, "other"],
  ];
  for (const index of [2, 20, 60, state.length - 1]) {
    const other = state[index] === "A" ? "B" : "A";
    const changed = state.slice(0, index) + other + state.slice(index + 1);
    changes.push([`changed at ${index}`, { ...reply, requestState: changed }]);
  }
  for (const [what, change, name] of changes) {
    const message = await refusal(-32602, () => server.call(change, name));
    assert.is(message, "Invalid or expired requestState", what);
  }
  const foreign = new AskingServer(async () => "never");
  await refusal(-32602, () => foreign.call(reply));
  server.now = 60 * 60 * 1_000;
  assert.is(await server.answered({ ...reply, arguments: { b: [2], a: 1 } }), "Ada");
  server.now += 1;
  await refusal(-32602, () => server.call(reply));
  assert.match(server.engine.lines.join(""), /request state refused.*has expired/);
});

test("state that was made far in the future is refused, and a clock that is set back a little does no harm", async () => {
  const server = new AskingServer(async (_input, ctx) => (await ctx.elicit.name()).name);
  const sent = { arguments: {} };
  const day = 24 * 60 * 60 * 1_000;
  server.now = 10 * day;
  const reply = { ...sent, ...replying(await server.asked(sent), named) };
  server.now -= 30 * 60 * 1_000;
  assert.is(await server.answered(reply), "Ada");
  server.now = 0;
  await refusal(-32602, () => server.call(reply));
  assert.match(server.engine.lines.join(""), /request state refused.*would expire too late/);
});

test("of several keys, the first encrypts and all decrypt", async () => {
  const handler: AskingHandler = async (_input, ctx) => (await ctx.elicit.name()).name;
  const older = "the older key";
  const newer = "the newer key";
  const reply = replying(await new AskingServer(handler, older).asked(), named);
  assert.is(await new AskingServer(handler, newer, older).answered(reply), "Ada");
  const newest = replying(await new AskingServer(handler, newer, older).asked(), named);
  assert.is(await new AskingServer(handler, newer).answered(newest), "Ada");
});

test("a client cannot read the state", async () => {
  const server = new AskingServer(async (_input, ctx) => {
    await ctx.once("token", () => "s3cret");
    return (await ctx.elicit.name()).name;
  });
  const { requestState = "" } = await server.asked({ arguments: { password: "hunter2" } });
  const plain = Buffer.from(requestState.slice(2), "base64url").toString("latin1");
  assert.not.match(plain, /s3cret|hunter2|token|answers/);
});

test("state that is too large ends the call with an error that names its largest parts", async () => {
  const server = new AskingServer(async (_input, ctx) => {
    await ctx.once("report", () => "x".repeat(60_000));
    await ctx.once("note", () => "y".repeat(2_000));
    return (await ctx.elicit.name()).name;
  });
  assert.match(
    await server.answered(),
    /^The call cannot ask further: .* take \d+ KiB of at most 64 KiB\. Largest: step report \(59 KiB\), step note \(2 KiB\)$/,
  );
});

test.run();
