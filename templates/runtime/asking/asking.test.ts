import { test } from "uvu";
import * as assert from "uvu/assert";
import { setImmediate as turn } from "node:timers/promises";
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import { isSuspend } from "./run.js";
import { InputRefused } from "./input-refused.js";
import {
  accept,
  allCapabilities,
  AskingServer,
  replying,
  type AskingContext,
  type AskingHandler,
  type SentCall,
} from "../samples/asking.js";
import { refusal } from "../samples/engine.js";

const hi = (): object => accept({ name: "Ada" });
const yes = (): object => accept({ ok: true });
const sampled = { role: "assistant", model: "m", content: { type: "text", text: "Paris" } };

/** Returns the answer of a handler to a client that answers each question with these, in any number of rounds. */
async function finish(
  server: AskingServer,
  response: (key: string) => unknown,
  sent: SentCall = {},
): Promise<string> {
  let next: SentCall = sent;
  for (let round = 0; round < 20; round++) {
    const result = await server.call(next);
    if (result["resultType"] !== "input_required") {
      const [block] = (result as CallToolResult).content;
      return block?.type === "text" ? block.text : "";
    }
    const { inputRequests = {}, requestState } = result as InputRequiredResult;
    next = {
      ...sent,
      ...replying({ inputRequests, keys: Object.keys(inputRequests), requestState }, response),
    };
  }
  throw new Error("it never ends");
}

test("a question is asked, and answered in the next call", async () => {
  const server = new AskingServer(async (_input, ctx) => {
    const { name } = await ctx.elicit.name();
    return `Hello, ${name}!`;
  });
  const questions = await server.asked();
  assert.equal(Object.values(questions.inputRequests), [
    {
      method: "elicitation/create",
      params: {
        message: "Who are you?",
        requestedSchema: {
          type: "object",
          properties: { name: { type: "string", minLength: 2 } },
          required: ["name"],
        },
      },
    },
  ]);
  assert.match(questions.keys[0] ?? "", /^name_[0-9a-f]{32}$/);
  assert.is(await server.answered(replying(questions, hi)), "Hello, Ada!");
});

test("questions of every kind can be asked, several in one round", async () => {
  const server = new AskingServer(async (_input, ctx) => {
    const [{ name }, paid, { content }, roots] = await Promise.all([
      ctx.elicit.name(),
      ctx.elicit.pay({ what: "tea & cake" }, { key: "payment" }),
      ctx.sample({ messages: [], maxTokens: 9 }),
      ctx.roots(),
    ]);
    return JSON.stringify([name, paid, content, roots]);
  });
  const questions = await server.asked();
  const methods = Object.values(questions.inputRequests).map(({ method }) => method);
  assert.equal(methods, [
    "elicitation/create",
    "elicitation/create",
    "sampling/createMessage",
    "roots/list",
  ]);
  assert.equal(questions.inputRequests["payment"]?.params, {
    mode: "url",
    message: "Pay for tea & cake",
    url: "https://pay.example.com/?for=tea%20%26%20cake",
  });
  const roots = [{ uri: "file:///work" }];
  const answer = await server.answered(
    replying(questions, (key) => {
      if (key.startsWith("sample_")) return sampled;
      if (key.startsWith("roots_")) return { roots };
      return key === "payment" ? { action: "accept" } : hi();
    }),
  );
  assert.equal(JSON.parse(answer), ["Ada", true, sampled.content, roots]);
});

test("several rounds keep the answers of the earlier ones", async () => {
  const server = new AskingServer(async (_input, ctx) => {
    const { name } = await ctx.elicit.name();
    const { ok } = await ctx.elicit.confirm({ env: name });
    return `${name} ${String(ok)} ${ctx.runId}`;
  });
  const first = await server.asked();
  const second = await server.asked(replying(first, hi));
  assert.match(second.keys[0] ?? "", /^confirm_/);
  assert.is.not(second.requestState, first.requestState);
  const answer = await server.answered(replying(second, yes));
  assert.match(answer, /^Ada true [0-9a-f-]{36}$/);
});

test("a refused question ends the call, unless it is optional", async () => {
  const strict = new AskingServer(async (_input, ctx) => {
    await ctx.elicit.confirm({ env: "production" });
    return "deployed";
  });
  for (const action of ["decline", "cancel"]) {
    const result = await strict.call(replying(await strict.asked(), () => ({ action })));
    assert.equal(result, {
      content: [{ type: "text", text: "The user declined: Deploy to production?" }],
      isError: true,
    });
  }
  const lenient = new AskingServer(async (_input, ctx) => {
    const answer = await ctx.elicit.confirm({ env: "production" }, { optional: true });
    return answer === undefined ? "left alone" : "deployed";
  });
  const declined = replying(await lenient.asked(), () => ({ action: "decline" }));
  assert.is(await lenient.answered(declined), "left alone");
  const caught = new AskingServer(async (_input, ctx) => {
    try {
      return (await ctx.elicit.name()).name;
    } catch (error) {
      if (isSuspend(error)) throw error;
      return error instanceof InputRefused ? error.action : "?";
    }
  });
  const cancelled = replying(await caught.asked(), () => ({ action: "cancel" }));
  assert.is(await caught.answered(cancelled), "cancel");
});

test("a handler that swallows the suspension is stopped all the same, with a warning", async () => {
  const handlers: AskingHandler[] = [
    async (_input, ctx) => ctx.elicit.name().catch(() => "guessed"),
    async (_input, ctx) => {
      try {
        return await ctx.elicit.name();
      } catch (error) {
        throw new Error("something failed", { cause: error });
      }
    },
    async (_input, ctx) => {
      const [settled] = await Promise.allSettled([ctx.elicit.name()]);
      return settled.status === "fulfilled" ? settled.value.name : "guessed";
    },
  ];
  for (const handler of handlers) {
    const server = new AskingServer(handler);
    const { keys } = await server.asked();
    assert.is(keys.length, 1);
    assert.match(server.engine.lines.join(""), /"warning".*isSuspend/);
  }
});

test("a handler with finally ends at a question without a warning", async () => {
  const cleaned: string[] = [];
  const server = new AskingServer(async (_input, ctx) => {
    try {
      return (await ctx.elicit.name()).name;
    } catch (error) {
      assert.ok(isSuspend(error));
      throw error;
    } finally {
      cleaned.push("cleaned");
    }
  });
  await server.asked();
  assert.equal(cleaned, ["cleaned"]);
  assert.not.match(server.engine.lines.join(""), /warning/);
});

test("a result that a handler returns before its run has ended is used", async () => {
  const server = new AskingServer((_input, ctx) => {
    void ctx.elicit.name();
    return "not interested";
  });
  assert.is(await server.answered(), "not interested");
  const failing = new AskingServer(async (_input, ctx) => {
    const asked = ctx.elicit.name();
    if (asked instanceof Promise) throw new InputRefused("made up", "decline");
    return "never";
  });
  assert.is(await failing.answered(), "The user declined: made up");
  await turn();
});

test("flows that run in parallel ask in the same round, and a later one asks in the next", async () => {
  const server = new AskingServer(async (_input, ctx) => {
    const late = async (): Promise<string> => {
      await turn();
      await turn();
      return (await ctx.elicit.name()).name;
    };
    const inTwoSteps = async (): Promise<string> => {
      const { ok } = await ctx.elicit.confirm({ env: "one" });
      return `${String(ok)} ${String((await ctx.elicit.confirm({ env: "two" })).ok)}`;
    };
    return (await Promise.all([late(), inTwoSteps()])).join(" ");
  });
  const first = await server.asked();
  assert.is(first.keys.length, 1);
  assert.is(
    await finish(server, (key) => (key.startsWith("name") ? hi() : yes())),
    "Ada true true",
  );
});

test("the same question may be asked again in a run, and each has its own answer", async () => {
  const server = new AskingServer(async (_input, ctx) => {
    const names = await Promise.all([ctx.elicit.name(), ctx.elicit.name()]);
    return names.map(({ name }) => name).join(" and ");
  });
  const questions = await server.asked();
  const [first = "", second] = questions.keys;
  assert.is(second, `${first}_2`);
  const both = replying(questions, (key) => accept({ name: key === first ? "Ada" : "Bob" }));
  assert.is(await server.answered(both), "Ada and Bob");
});

test("an answer to one text never confirms another text", async () => {
  let env = "staging";
  for (const options of [{}, { key: "sure" }]) {
    env = "staging";
    const server = new AskingServer(async (_input, ctx) => {
      const asked = env;
      const { ok } = await ctx.elicit.confirm({ env: asked }, options);
      return `${asked}: ${String(ok)}`;
    });
    const first = await server.asked();
    env = "production";
    const second = await server.asked(replying(first, yes));
    assert.match(JSON.stringify(second.inputRequests), /Deploy to production\?/);
    assert.is(await server.answered(replying(second, yes)), "production: true");
  }
});

test("an answer that came before its question is used if its name is the key of the question", async () => {
  const server = new AskingServer(async (_input, ctx) => {
    const { name } = await ctx.elicit.name({}, { key: "user_name" });
    return `Hello, ${name}!`;
  });
  const unasked = { user_name: hi(), other: accept({ foo: "bar" }) };
  assert.is(await server.answered({ inputResponses: unasked }), "Hello, Ada!");
});

test("one key for two questions of a run is a mistake of the handler", async () => {
  const server = new AskingServer(async (_input, ctx) => {
    await Promise.all([
      ctx.elicit.name({}, { key: "same" }),
      ctx.elicit.confirm({ env: "x" }, { key: "same" }),
    ]).catch(() => undefined);
    return "swallowed";
  });
  assert.match(await server.answered(), /^Internal error/);
  assert.match(server.engine.lines.join(""), /The key \\"same\\" was used for two questions/);
  const odd = new AskingServer((_input, ctx) => ctx.elicit.name({}, { key: "__proto__" }));
  assert.match(await odd.answered(), /^Internal error/);
});

test("answers that do not fit the form are asked for again, three times", async () => {
  const server = new AskingServer(async (_input, ctx) => (await ctx.elicit.name()).name);
  const responses = [accept({ name: "A" }), accept({}), { action: "perhaps" }];
  let questions = await server.asked();
  for (const response of responses) {
    questions = await server.asked(replying(questions, () => response));
  }
  const last = replying(questions, () => accept({ name: "B" }));
  assert.match(
    await server.answered(last),
    /^No answer to "Who are you\?" in 4 attempts: name: must NOT have fewer than 2 characters/,
  );
  const right = replying(questions, () => accept({ name: "Bob", admin: true }));
  assert.is(await server.answered(right), "Bob");
});

test("the answer to a form has only the members of the form", async () => {
  const server = new AskingServer(async (_input, ctx) => JSON.stringify(await ctx.elicit.name()));
  const more = replying(await server.asked(), () => accept({ name: "Ada", admin: true }));
  assert.is(await server.answered(more), '{"name":"Ada"}');
});

test("a client that comes back without an answer is asked again", async () => {
  const server = new AskingServer(async (_input, ctx) => (await ctx.elicit.name()).name);
  const { requestState, keys } = await server.asked();
  for (const inputResponses of [undefined, {}, { wrong: hi() }]) {
    const again = await server.asked({
      requestState,
      ...(inputResponses && { inputResponses }),
    });
    assert.equal(again.keys, keys);
  }
});

test("a call may have at most eight rounds", async () => {
  const server = new AskingServer(async ({ rounds }, ctx) => {
    for (let round = 0; round < Number(rounds); round++) {
      await ctx.elicit.confirm({ env: String(round) });
    }
    return "done";
  });
  assert.is(await finish(server, yes, { arguments: { rounds: 8 } }), "done");
  assert.is(
    await finish(server, yes, { arguments: { rounds: 9 } }),
    "The call asked in more than 8 rounds",
  );
});

test("state is refused if it was changed, is of another call or caller, or has expired", async () => {
  const server = new AskingServer(async (_input, ctx) => (await ctx.elicit.name()).name);
  const ada = { principal: "ada", scopes: [] };
  const sent = { arguments: { a: 1, b: [2] }, authentication: ada };
  const questions = await server.asked(sent);
  const reply = { ...sent, ...replying(questions, hi) };
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
  const reply = { ...sent, ...replying(await server.asked(sent), hi) };
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
  const reply = replying(await new AskingServer(handler, older).asked(), hi);
  assert.is(await new AskingServer(handler, newer, older).answered(reply), "Ada");
  const newest = replying(await new AskingServer(handler, newer, older).asked(), hi);
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

test("a client is not asked what it does not support", async () => {
  const asks: [AskingHandler, capabilities: object, required: object][] = [
    [(_input, ctx) => ctx.elicit.name(), {}, { elicitation: { form: {} } }],
    [
      (_input, ctx) => ctx.elicit.name(),
      { elicitation: { url: {} } },
      { elicitation: { form: {} } },
    ],
    [
      (_input, ctx) => ctx.elicit.pay({ what: "x" }),
      { elicitation: {} },
      { elicitation: { url: {} } },
    ],
    [(_input, ctx) => ctx.sample({ messages: [], maxTokens: 1 }), { roots: {} }, { sampling: {} }],
    [
      (_input, ctx) => ctx.sample({ messages: [], maxTokens: 1, tools: [] }),
      { sampling: {} },
      { sampling: { tools: {} } },
    ],
    [(_input, ctx) => ctx.roots().catch(() => "swallowed"), {}, { roots: {} }],
  ];
  for (const [handler, capabilities, requiredCapabilities] of asks) {
    const server = new AskingServer(handler);
    try {
      await server.call({ capabilities });
      assert.unreachable();
    } catch (error) {
      const { code, data } = error as { code: number; data: unknown };
      assert.equal([code, data], [-32021, { requiredCapabilities }]);
    }
    const older = await server.call({ capabilities, era: "legacy" });
    assert.ok(older["isError"]);
  }
});

/** Is never called. It has code that must not compile. */
export async function typesOfQuestions(ctx: AskingContext): Promise<void> {
  (await ctx.elicit.confirm({ env: "x" })).ok satisfies boolean;
  (await ctx.elicit.name()).name satisfies string;
  (await ctx.elicit.name({}, { key: "k" })).name satisfies string;
  (await ctx.elicit.pay({ what: "x" })) satisfies true;
  const perhaps = await ctx.elicit.name({}, { optional: true });
  // @ts-expect-error the user may have declined
  void perhaps.name;
  // @ts-expect-error the message has a placeholder
  await ctx.elicit.confirm();
  // @ts-expect-error the placeholder has another name
  await ctx.elicit.confirm({ environment: "x" });
  // @ts-expect-error the manifest has no such question
  await ctx.elicit.other();
  (await ctx.once("date", () => new Date())) satisfies string;
}

test("a handler can see what the client supports before it asks", async () => {
  const server = new AskingServer((_input, ctx) => JSON.stringify(ctx.can));
  const none = { elicit: false, elicitUrl: false, sample: false, roots: false };
  const seen = async (capabilities: object): Promise<unknown> =>
    JSON.parse(await server.answered({ capabilities }));
  assert.equal(await seen({}), none);
  assert.equal(await seen({ elicitation: {} }), { ...none, elicit: true });
  assert.equal(await seen({ elicitation: { url: {} } }), { ...none, elicitUrl: true });
  assert.equal(await seen(allCapabilities), {
    elicit: true,
    elicitUrl: true,
    sample: true,
    roots: true,
  });
});

test("a step runs once in a chain of runs", async () => {
  let taken = 0;
  const ids = new Set<string>();
  const server = new AskingServer(async (_input, ctx) => {
    ids.add(ctx.runId);
    const { at } = await ctx.once("create", () => {
      taken += 1;
      return { at: new Date(0), nothing: undefined };
    });
    await ctx.once("nothing", () => undefined);
    await ctx.elicit.name();
    await ctx.elicit.confirm({ env: "x" });
    return at;
  });
  assert.is(
    await finish(server, (key) => (key.startsWith("name") ? hi() : yes())),
    new Date(0).toJSON(),
  );
  assert.is(taken, 1);
  assert.is(ids.size, 1);
});

test("a step that fails runs again, and a step that is running is waited for", async () => {
  let failures = 0;
  let slow = 0;
  const server = new AskingServer(async (_input, ctx) => {
    const failing = ctx.once("fail", () => {
      failures += 1;
      throw new Error("not yet");
    });
    await failing.catch(() => undefined);
    const step = async (): Promise<number> => {
      await turn();
      await turn();
      return (slow += 1);
    };
    const [first, second] = await Promise.all([
      ctx.once("slow", step),
      ctx.once("slow", step),
      ctx.elicit.name(),
    ]);
    return `${first} ${second}`;
  });
  assert.is(await finish(server, hi), "1 1");
  assert.is(slow, 1);
  assert.is(failures, 2);
});

test("logs and progress are not repeated when the handler is run again", async () => {
  const server = new AskingServer(async (_input, ctx) => {
    ctx.log.info("one");
    await ctx.progress(1);
    await ctx.once("step", () => void ctx.log.info("in the step"));
    const { name } = await ctx.elicit.name();
    ctx.log.info("two");
    await ctx.progress(2);
    const { ok } = await ctx.elicit.confirm({ env: name });
    ctx.log.info("three");
    await ctx.progress(3);
    return String(ok);
  });
  let tries = 0;
  const answer = await finish(server, (key) => {
    if (key.startsWith("confirm")) return yes();
    return (tries += 1) === 1 ? accept({}) : hi();
  });
  assert.is(answer, "true");
  assert.equal(server.told, ["one", 1, "in the step", "two", 2, "three", 3]);
  const written = server.engine.lines.map(
    (line) => (JSON.parse(line) as { message: string }).message,
  );
  assert.equal(written, ["one", "in the step", "two", "three"]);
});

test("log entries of a run that takes another path are not lost", async () => {
  let isDown = false;
  const server = new AskingServer(async (_input, ctx) => {
    if (isDown) {
      ctx.log.error("the database is down");
      return "sorry";
    }
    return (await ctx.elicit.name()).name;
  });
  const questions = await server.asked();
  isDown = true;
  assert.is(await server.answered(replying(questions, hi)), "sorry");
  assert.equal(server.told, ["the database is down"]);
});

test("a handler that goes on after its run has ended asks nothing more", async () => {
  const late: unknown[] = [];
  const server = new AskingServer(async (_input, ctx) => {
    const background = async (): Promise<void> => {
      for (let i = 0; i < 5; i++) await turn();
      late.push(await ctx.once("late", () => "taken").catch(isSuspend));
      late.push(await ctx.elicit.confirm({ env: "late" }).catch(isSuspend));
    };
    await Promise.all([ctx.elicit.name(), background()]);
    return "done";
  });
  const { keys } = await server.asked();
  assert.is(keys.length, 1);
  for (let i = 0; i < 10; i++) await turn();
  assert.equal(late, [true, true]);
});

test.run();
