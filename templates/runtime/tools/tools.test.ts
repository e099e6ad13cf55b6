import { setTimeout as delay } from "node:timers/promises";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { RequestProgress } from "../context/context.js";
import { Cancellation } from "../engine/cancellation.js";
import { text } from "../engine/content.js";
import type { ServerDefinition } from "../engine/definition.js";
import { result } from "./result.js";
import { caller, refusal, sampleEngine, type SampleEngine } from "../samples/engine.js";
import { erased, sampleServer, tool } from "../samples/server.js";

const engine = sampleEngine();

async function call(
  name: string,
  args?: unknown,
  using: SampleEngine = engine,
): Promise<CallToolResult> {
  const parameters = { name, ...(args === undefined ? {} : { arguments: args }) };
  return (await using.tools.call(parameters, caller)) as CallToolResult;
}

/** The text of an answer's first block. */
function textOf(answer: CallToolResult): string {
  const [block] = answer.content;
  return block?.type === "text" ? block.text : JSON.stringify(block);
}

/** A server with one tool, whose handler is given. */
function only(
  handler: (input: never) => unknown,
  parts: Parameters<typeof tool>[2] = {},
): Partial<ServerDefinition> {
  return { tools: [tool("only", erased(handler), parts)] };
}

async function failureOf(handler: (input: never) => unknown, parts?: Parameters<typeof tool>[2]) {
  const using = sampleEngine(only(handler, parts));
  const answer = await call("only", {}, using);
  assert.is(answer.isError, true);
  assert.not(answer.structuredContent);
  return { text: textOf(answer), lines: using.lines };
}

test("tools/list has the definitions of the table, in their order", () => {
  assert.equal(
    engine.tools.list({}).tools,
    sampleServer.tools.map(({ definition }) => definition),
  );
  assert.is(engine.tools.list({}), engine.tools.list({}), "made once");
});

test("a value is sent as structured content and as text, with defaults filled in", async () => {
  assert.equal(await call("forecast", { city: "Berlin" }), {
    content: [text('{"city":"Berlin","days":[0,1,2]}')],
    structuredContent: { city: "Berlin", days: [0, 1, 2] },
  });
  assert.equal((await call("list_numbers", { count: 2 })).structuredContent, [1, 1]);
});

test("an alias answers like its tool, and is in no list", async () => {
  const city = { city: "Berlin" };
  assert.equal(await call("weather_forecast", city), await call("forecast", city));
  assert.not(JSON.stringify(engine.tools.list({})).includes("weather_forecast"));
  assert.is(engine.tools.get("weather_forecast"), engine.tools.get("forecast"));
});

test("a handler may return text, blocks or a complete result", async () => {
  assert.equal(await call("greet", { who: "Ada" }), { content: [text("Hello, Ada!")] });
  assert.equal((await call("picture")).content[1], {
    type: "image",
    data: "AQID",
    mimeType: "image/png",
  });
  assert.equal(await call("report"), {
    content: [text("done in era modern")],
    _meta: { "example.com/steps": 2 },
  });
  const both = only(() => result({ content: "short", structuredContent: { a: 1 } }), {
    outputSchema: { type: "object" },
  });
  assert.equal(await call("only", {}, sampleEngine(both)), {
    content: [text("short")],
    structuredContent: { a: 1 },
  });
});

test("arguments are inserted into fixed content once", async () => {
  assert.is(textOf(await call("notice", { who: "{{who}} $&" })), "Dear {{who}} $&, closed.");
  assert.is(textOf(await call("notice")), "Dear , closed.");
});

test("unknown names are refused, prototypes or not, cut and escaped", async () => {
  for (const name of ["nope", "constructor", "__proto__", "toString", "valueOf", ""]) {
    assert.is(await refusal(-32602, () => call(name)), `Tool ${name} not found`);
  }
  const hostile = await refusal(-32602, () => call(`a\r\n\u001b[2J\u2028${"x".repeat(3_000_000)}`));
  assert.match(hostile, /^Tool a\\u000d\\u000a\\u001b\[2J\\u2028x+… not found$/);
  assert.ok(hostile.length < 200);
  await refusal(-32602, () => engine.tools.call({ name: 3 }, caller));
});

test("arguments that are no object, too deep or too many are refused", async () => {
  for (const args of [[], "x", 1]) await refusal(-32602, () => call("echo", args));
  const deep = JSON.parse(`{"a":${"[".repeat(500_000)}${"]".repeat(500_000)}}`);
  assert.match(await refusal(-32602, () => call("echo", deep)), /deeper than 64 levels/);
  const many = { a: Array.from({ length: 1_000_000 }, () => 0) };
  assert.match(
    await refusal(-32602, () => call("echo", many)),
    /more than 50000 elements \(limits\.elements: 50000\)$/,
  );
  const keys = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`k${i}`, 0]));
  await refusal(-32602, () => call("echo", keys));
  const proto = JSON.parse('{"a":{"__proto__":{"isAdmin":true}}}');
  assert.match(await refusal(-32602, () => call("echo", proto)), /"__proto__"/);
  assert.is(({} as { isAdmin?: boolean }).isAdmin, undefined);
  assert.is(
    textOf(await call("echo", { constructor: { prototype: 1 } })),
    '{"constructor":{"prototype":1}}',
  );
});

test("arguments that break the schema are answered with one short text", async () => {
  const wrong = await call("forecast", { city: 3, days: 99, extra: 1 });
  assert.is(wrong.isError, true);
  assert.is(
    textOf(wrong),
    "Input validation error: Invalid arguments for tool forecast: must NOT have additional " +
      "properties: extra; city: must be string; days: must be <= 14",
  );
  assert.match(textOf(await call("forecast")), /must have required property 'city'/);
  const items = only(() => "", {
    properties: { all: { type: "array", items: { type: "string" } } },
  });
  const many = { all: Array.from({ length: 40_000 }, () => 1) };
  const answer = textOf(await call("only", many, sampleEngine(items)));
  assert.match(answer, /and 39992 more$/);
  assert.ok(answer.length < 4_096);
  const longKey = await call("greet", { [`\u001b${"k".repeat(100_000)}`]: 1 });
  assert.ok(textOf(longKey).length < 4_096);
  assert.not.match(textOf(longKey), /\u001b/);
});

test("a ToolError is read by the caller, any other error is not", async () => {
  assert.equal(await call("forecast", { city: "Atlantis" }), {
    content: [text("No forecast for Atlantis")],
    isError: true,
  });
  const { text: answer, lines } = await failureOf(() => {
    throw new Error("ENOENT /home/me/.ssh/id_rsa password=hunter2");
  });
  const reference = /^Internal error \(reference ([0-9a-f]{8})\)$/.exec(answer)?.[1];
  assert.ok(reference, answer);
  const entry = JSON.parse(lines[0]!);
  assert.is(entry.reference, reference);
  assert.is(entry.tool, "only");
  assert.is(entry.requestId, 7);
  assert.match(entry.error, /hunter2/);
});

test("the answer hides the details of whatever is thrown", async () => {
  const trap = new Error("x");
  for (const key of ["stack", "message", "name"]) {
    Object.defineProperty(trap, key, {
      get() {
        throw new Error("secret");
      },
    });
  }
  const circular = new Error("loop");
  circular.cause = circular;
  for (const thrown of ["text", undefined, null, Symbol("s"), 1n, {}, trap, circular]) {
    for (const fail of [
      () => Promise.reject(thrown),
      () => {
        throw thrown;
      },
    ]) {
      assert.match((await failureOf(fail)).text, /^Internal error \(reference/);
    }
  }
});

test("a result that cannot be sent is answered with an error", async () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const outputSchema = { type: "object" };
  for (const returned of [undefined, 3, {}, { type: "text" }, [text("a"), { type: "odd" }], 1n]) {
    const { text: answer } = await failureOf(() => returned);
    assert.is(answer, "Tool only returned neither text nor content");
  }
  for (const returned of [circular, { big: 1n }]) {
    const { text: answer } = await failureOf(() => returned, { outputSchema });
    assert.is(answer, "Tool only returned a result that is not JSON");
  }
  const long = await failureOf(() => "x".repeat(33 * 1024 * 1024));
  assert.match(long.text, "Its result is too long (it has more than 33554432 characters)");
  const own = await failureOf(() => ({ own: "x".repeat(33 * 1024 * 1024) }), { outputSchema });
  assert.is(own.text, "Tool only returned too long a result");
  const meta = await failureOf(() => result({ content: "a", meta: circular }));
  assert.is(meta.text, "Tool only returned a result that is not JSON");
});

test("a value that breaks the output schema is not sent", async () => {
  const outputSchema = {
    type: "object",
    properties: { secret: { type: "string" } },
    required: ["secret"],
  };
  for (const returned of [{ secret: 12345 }, {}, undefined, "text", result({ content: "a" })]) {
    const { text: answer, lines } = await failureOf(() => returned, { outputSchema });
    assert.is(answer, "Tool only returned a result that breaks its output schema");
    assert.not.match(lines.join(""), /12345/);
  }
  const { lines } = await failureOf(() => ({ secret: 1 }), { outputSchema });
  assert.equal(JSON.parse(lines[0]!).problems, ["/secret: type"]);
});

test("of an object with content that `result` has not made, the log says how a whole result is made", async () => {
  const returned = { content: [text("2 kg")], structuredContent: { kilograms: 2 } };
  const outputSchema = { type: "object", properties: {}, required: ["kilograms"] };
  for (const parts of [{}, { outputSchema }]) {
    const { lines } = await failureOf(() => returned, parts);
    assert.match(JSON.parse(lines[0]!).problems.at(-1), "`result({ content, … })`");
  }
  for (const other of [{}, { content: "2 kg" }, { content: [{ kilograms: 2 }] }]) {
    const { lines } = await failureOf(() => other, { outputSchema });
    assert.not.match(lines[0]!, "result({");
  }
});

test("a stub names its file, and answers with its mock in mock mode", async () => {
  assert.equal(await call("stub"), {
    content: [text("Not implemented yet: write it in src/tools/stub.ts")],
    isError: true,
  });
  const mocked = sampleEngine({}, { mock: true });
  assert.is(textOf(await call("stub", {}, mocked)), "mocked");
  assert.is(textOf(await call("greet", { who: "Ada" }, mocked)), "Hello, Ada!");
});

test("a mock prefers the example whose arguments equal the call's, defaults filled in, to the first one", async () => {
  const stub = sampleServer.tools.find(({ definition }) => definition.name === "stub");
  if (stub === undefined) return assert.unreachable("the sample has a stub");
  const mocks = [
    { arguments: { city: "Rome", days: 3 }, answer: { kind: "text", text: "sunny" } },
    { arguments: { city: "Atlantis", days: 3 }, answer: { kind: "error", error: "sunk" } },
  ] as const;
  const shown = {
    ...stub,
    definition: { ...stub.definition, inputSchema: { type: "object" as const } },
    validators: () => ({ input: () => true }),
    defaults: { properties: { days: { value: 3 } } },
    mocks,
  };
  const engine = sampleEngine({ tools: [shown] }, { mock: true });
  assert.is(textOf(await call("stub", { city: "Rome" }, engine)), "sunny");
  assert.is(textOf(await call("stub", { days: 3, city: "Rome" }, engine)), "sunny");
  assert.is(textOf(await call("stub", { city: "Rome", days: 4 }, engine)), "mocked");
  assert.is(textOf(await call("stub", {}, engine)), "mocked");
  assert.equal(await call("stub", { city: "Atlantis" }, engine), {
    content: [text("sunk")],
    isError: true,
  });
});

test("a handler that takes too long is aborted, and the call is answered with an error", async () => {
  let aborted = false;
  const waiting = tool(
    "only",
    erased((_input, ctx) => {
      ctx.signal.addEventListener("abort", () => (aborted = true));
      return new Promise(() => undefined);
    }),
  );
  const using = sampleEngine({ tools: [waiting], limits: { timeoutMs: 20 } });
  const answer = await call("only", {}, using);
  assert.is(textOf(answer), "The call took longer than 0.02 s");
  assert.ok(answer.isError);
  assert.ok(aborted);
});

test("a handler that fails after its time limit does no harm", async () => {
  let fail = (): void => undefined;
  const late = only(
    () => new Promise((_resolve, reject) => (fail = () => reject(new Error("late")))),
  );
  const using = sampleEngine({ ...late, limits: { timeoutMs: 5 } });
  assert.match(textOf(await call("only", {}, using)), /longer than/);
  fail();
  // Node reports a rejection that nobody waits for before the next turn.
  await new Promise((resolve) => setImmediate(resolve));
});

test("calls beyond the limit are refused at once, until another call ends", async () => {
  const using = sampleEngine({ limits: { concurrency: 2 } });
  const running = [call("sleep", { ms: 20 }, using), call("sleep", { ms: 20 }, using)];
  const refused = await call("sleep", { ms: 20 }, using);
  const busy = "The server is busy: try again later (limits.concurrency: 2)";
  assert.equal([textOf(refused), refused.isError], [busy, true]);
  assert.equal((await Promise.all(running)).map(textOf), ["slept 20 ms", "slept 20 ms"]);
  assert.is(textOf(await call("sleep", { ms: 1 }, using)), "slept 1 ms");
});

test("the result or error of a synchronous handler is answered synchronously", () => {
  const done = sampleEngine(only(() => "done")).tools.call({ name: "only" }, caller);
  assert.equal(done, { content: [text("done")] });
  const fail = (): never => {
    throw new Error("secret");
  };
  const failed = sampleEngine(only(fail)).tools.call({ name: "only" }, caller);
  assert.match(textOf(failed as CallToolResult), "Internal error");
});

test("a handler may return any thenable", async () => {
  const later = (): PromiseLike<string> => ({
    then: (resolve, reject) => Promise.resolve("made late").then(resolve, reject),
  });
  assert.is(textOf(await call("only", {}, sampleEngine(only(later)))), "made late");
});

test("a call whose caller is already gone is cancelled from the start", async () => {
  const gone = new Cancellation();
  gone.cancel(new Error("gone"));
  let aborted: boolean | undefined;
  for (const returned of ["at once", Promise.resolve("late")]) {
    const handler = erased((_input, { signal }) => {
      aborted = signal.aborted;
      return returned;
    });
    const { tools } = sampleEngine({ tools: [tool("only", handler)] });
    const answer = await tools.call({ name: "only" }, { ...caller, signal: gone });
    assert.is(textOf(answer as CallToolResult), "The call was cancelled");
    assert.ok(aborted);
  }
});

test("a server that stops waits for its calls, then aborts them", async () => {
  const using = sampleEngine();
  const quick = call("sleep", { ms: 20 }, using);
  const slow = call("sleep", { ms: 60_000 }, using);
  await using.calls.stop(60);
  assert.is(textOf(await quick), "slept 20 ms");
  assert.is(textOf(await slow), "The server is stopping");
  assert.is(textOf(await call("greet", { who: "Ada" }, using)), "The server is stopping");
});

test("a handler gets environment, services and the caller's identity", async () => {
  const using = sampleEngine({
    tools: [
      tool(
        "only",
        erased((_input, { env, services, requestId, era }) =>
          JSON.stringify({ env, services, requestId, era }),
        ),
      ),
    ],
  });
  assert.equal(JSON.parse(textOf(await call("only", {}, using))), {
    env: { MODE: "test" },
    services: { clock: "fixed" },
    requestId: 7,
    era: "modern",
  });
});

test("nothing is sent to the caller after the call has ended", async () => {
  const sent: string[] = [];
  const using = sampleEngine({
    tools: [
      tool(
        "only",
        erased((_input, ctx) => {
          setTimeout(() => {
            ctx.log.info("late");
            void ctx.progress(2);
          }, 1);
          ctx.log.info("early");
          return "done";
        }),
      ),
    ],
  });
  await using.tools.call(
    { name: "only" },
    {
      ...caller,
      sendLog: async (_level, data) => void sent.push(String(data)),
      progress: new RequestProgress(async () => void sent.push("progress")),
    },
  );
  await delay(10);
  assert.equal(sent, ["early"]);
  assert.ok(using.lines.some((line) => line.includes("late")));
});

test("a tool's own time limit overrides the server's", async () => {
  const never = (): Promise<unknown> => new Promise(() => undefined);
  const using = sampleEngine(only(never, { timeoutMs: 1 }));
  assert.match(textOf(await call("only", {}, using)), "longer than 0.001 s");
});

test.run();
