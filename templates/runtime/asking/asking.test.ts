import { test } from "uvu";
import * as assert from "uvu/assert";
import { setImmediate as turn } from "node:timers/promises";
import { isSuspend } from "./run.js";
import { InputRefused } from "./input-refused.js";
import {
  accept,
  allCapabilities,
  answerOf,
  AskingServer,
  confirmed,
  modelAnswer,
  named,
  replying,
  type AskingContext,
  type AskingHandler,
} from "../samples/asking.js";

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
  assert.is(await server.answered(replying(questions, named)), "Hello, Ada!");
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
      if (key.startsWith("sample_")) return modelAnswer;
      if (key.startsWith("roots_")) return { roots };
      return key === "payment" ? { action: "accept" } : named();
    }),
  );
  assert.equal(JSON.parse(answer), ["Ada", true, modelAnswer.content, roots]);
});

test("several rounds keep the answers of the earlier ones", async () => {
  const server = new AskingServer(async (_input, ctx) => {
    const { name } = await ctx.elicit.name();
    const { ok } = await ctx.elicit.confirm({ env: name });
    return `${name} ${String(ok)} ${ctx.runId}`;
  });
  const first = await server.asked();
  const second = await server.asked(replying(first, named));
  assert.match(second.keys[0] ?? "", /^confirm_/);
  assert.is.not(second.requestState, first.requestState);
  const answer = await server.answered(replying(second, confirmed));
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
    await answerOf(server, (key) => (key.startsWith("name") ? named() : confirmed())),
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
    const second = await server.asked(replying(first, confirmed));
    assert.match(JSON.stringify(second.inputRequests), /Deploy to production\?/);
    assert.is(await server.answered(replying(second, confirmed)), "production: true");
  }
});

test("an answer that came before its question is used if its name is the key of the question", async () => {
  const server = new AskingServer(async (_input, ctx) => {
    const { name } = await ctx.elicit.name({}, { key: "user_name" });
    return `Hello, ${name}!`;
  });
  const unasked = { user_name: named(), other: accept({ foo: "bar" }) };
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
  for (const inputResponses of [undefined, {}, { wrong: named() }]) {
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
  assert.is(await answerOf(server, confirmed, { arguments: { rounds: 8 } }), "done");
  assert.is(
    await answerOf(server, confirmed, { arguments: { rounds: 9 } }),
    "The call asked in more than 8 rounds",
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

test.run();
