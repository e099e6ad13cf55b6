import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { maskingOf } from "../backends/masking.js";
import type { BackendsOfKind } from "../backends/backends.js";
import { clientOf, outcomeOfCall, RecordingCall, textOf } from "../samples/remote-calls.js";
import { REMOTE_PROGRAM } from "../samples/remote-program.js";
import { withTickingClock } from "../samples/stopped-clock.js";
import { isRunning } from "../samples/processes.js";
import { until } from "../samples/until.js";
import { at } from "../selection/selection.js";
import type { Logger } from "../observe/log.js";
import type { RemoteServerDefinition } from "./definition.js";
import { programTransport } from "./program-transport.js";
import { createServers } from "./remote-servers.js";

/** These tests run a real program that is an MCP server. */
const test = suite("remote programs");
const SECRET = "s3cret-word";
const opened: BackendsOfKind[] = [];
let folder = "";

test.before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "remote-programs-")));
});

test.after(async () => {
  for (const servers of opened) await servers.close();
  await rm(folder, { recursive: true, force: true });
});

const commandOf = (parameters: readonly string[]): string[] => [
  ...[process.execPath, "-e", REMOTE_PROGRAM, "--"],
  ...parameters,
];

function open(
  members: Partial<RemoteServerDefinition> = {},
  parameters: readonly string[] = [],
  warning: Logger["warning"] = () => undefined,
  resultLength = 1_000_000,
): BackendsOfKind {
  const definition = {
    env: [{ name: "TOKEN", type: "string", required: true, secret: true }],
    programTransport,
    servers: [
      {
        name: "other",
        kind: "program" as const,
        command: commandOf(parameters),
        env: { A_TOKEN: { env: "TOKEN" }, PLAIN: "yes" },
        ...members,
      },
    ],
  };
  const log = { ...new RecordingCall().log, warning };
  const options = { env: { TOKEN: SECRET }, root: folder, log };
  const servers = createServers(definition, options, { resultLength });
  opened.push(servers);
  return servers;
}

test("requests for tools, prompts and resources share one connection", async () => {
  const servers = open({ cwd: "." });
  const { parts } = await clientOf(servers).callTool("echo", { a: [1, "x"] });
  assert.equal(parts, {
    content: [{ type: "text", text: '{"a":[1,"x"]}' }],
    structuredContent: { a: [1, "x"] },
    meta: { "a/b": 1 },
  });
  assert.equal(
    [await outcomeOfCall(servers, "count"), await outcomeOfCall(servers, "count")],
    ["1", "2"],
  );
  const { messages, description } = await clientOf(servers).getPrompt("p", { city: "Oslo" });
  assert.is(description, "d");
  assert.match(JSON.stringify(messages), "Oslo");
  assert.equal(await clientOf(servers).readResource("a:///{id}{?q}", { id: "x/y", q: "é" }), [
    { mimeType: "text/plain", meta: { m: 1 }, text: "a:///x%2Fy?q=%C3%A9" },
    { uri: "a:///x%2Fy?q=%C3%A9/more", blob: "AQID" },
  ]);
  assert.is(await clientOf(servers).readResource("a:///none"), undefined);
  assert.is(await outcomeOfCall(servers, "cwd"), folder);
  const env = JSON.parse(await outcomeOfCall(servers, "environment")) as Record<string, string>;
  assert.equal(env, { PATH: "", HOME: "", A_TOKEN: "[masked]", PLAIN: "yes" });
});

test("a call gets its progress reports and log messages", async () => {
  const servers = open();
  const call = new RecordingCall();
  assert.is(textOf(await clientOf(servers, call).callTool("talks", {})), "done");
  const isReport = (entry: unknown): boolean => typeof (entry as unknown[])[0] === "number";
  const reports = call.records.filter(isReport);
  const messages = call.records.filter((entry) => !isReport(entry));
  assert.equal(reports, [
    [1, 2, "step"],
    [2, 2, "step"],
  ]);
  assert.equal(messages, [
    ["info", "first"],
    ["error", "a message of another server", { data: { second: 2 } }],
  ]);
});

test("of a flood of progress reports a call gets the first and the latest ones", async () => {
  const call = new RecordingCall();
  assert.is(textOf(await clientOf(open(), call).callTool("floods", {})), "flooded");
  const reports = call.records as [number][];
  assert.ok(reports.length < 500, `${reports.length} of 3000`);
  assert.equal([reports[99]?.[0], reports.at(-1)?.[0]], [100, 3_000]);
});

test("a flood of log messages is bounded for all calls of a server, and counted in one line of the log", async () => {
  const lines: unknown[] = [];
  const servers = open({}, [], (...line) => lines.push(line));
  const calls = [new RecordingCall(), new RecordingCall()];
  for (const call of calls) {
    assert.is(textOf(await clientOf(servers, call).callTool("chatters", {})), "chattered");
  }
  const passedOn = calls.map(({ records }) => records.length);
  const total = (passedOn[0] ?? 0) + (passedOn[1] ?? 0);
  // At most 1,024 messages at once, and 32 more in each second.
  assert.ok(total >= 1_024 && total < 2_000, passedOn.join());
  assert.equal(lines, [
    [
      "messages of another server were dropped, as too many came",
      { upstream: "other", dropped: 1 },
    ],
  ]);
  // The only message of this call is as long as thousands of others.
  const long = new RecordingCall();
  await clientOf(open(), long).callTool("chatters", { length: 300_000 });
  assert.is(long.records.length, 0);
});

test("while a program floods its client, the server does other work", async () => {
  const sdk = await import("@modelcontextprotocol/client");
  const definition = { name: "other", kind: "program", command: commandOf([]) } as const;
  const settings = { env: {}, root: folder, masking: maskingOf({}, {}), maxBytes: 1_000_000 };
  const { transport } = programTransport(definition, settings).open(sdk, () => undefined);
  let [most, inTurn, isOver] = [0, 0, false];
  const nextTurn = (): void => {
    most = Math.max(most, inTurn);
    inTurn = 0;
    if (!isOver) setImmediate(nextTurn);
  };
  transport.onmessage = (message) => {
    inTurn += 1;
    isOver = "result" in message;
  };
  await transport.start();
  await withTickingClock(1, async () => {
    const params = { name: "changes" };
    await transport.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    nextTurn();
    await until(() => isOver);
  });
  await transport.close();
  // Each message takes a millisecond, by the clock of this test, and a slice of work takes ten.
  assert.ok(most <= 12, `${most} of 3000 messages without a break`);
});

test("errors are passed on without secrets, and requests of the server to its client are refused", async () => {
  const servers = open();
  const expectedAnswers = {
    fails: "ToolError: no [masked]",
    refuses: "ToolError: The upstream other answered with an error: not [masked]",
    secret: "it is [masked]",
    asks: "refused with -32601",
    junk: "after junk",
    strange: "ToolError: The upstream other answered with what is no result of that request.",
  };
  for (const [name, expected] of Object.entries(expectedAnswers)) {
    assert.is(await outcomeOfCall(servers, name), expected);
  }
});

test("calls fail when the program ends, and the next call starts it again", async () => {
  const servers = open();
  const died =
    "ToolError: The upstream other ended before it answered; its last words: out of [masked].";
  assert.is(await outcomeOfCall(servers, "count"), "1");
  assert.is(await outcomeOfCall(servers, "dies"), died);
  assert.is(await outcomeOfCall(servers, "count"), "1");
  const calls = ["silent", "silent", "dies"].map((name) => outcomeOfCall(servers, name));
  assert.equal(await Promise.all(calls), [died, died, died]);
  assert.is(await outcomeOfCall(servers, "count"), "1");
});

test("a call that is cancelled or takes too long ends at once, and the program is notified", async () => {
  const servers = open({ timeoutMs: 3_000 });
  const call = new RecordingCall();
  const waiting = clientOf(servers, call).callTool("silent", {});
  waiting.catch(() => undefined);
  assert.is(await outcomeOfCall(servers, "count"), "1");
  call.cancel(new Error("enough"));
  assert.is(await waiting.catch(({ message }: Error) => message), "enough");
  const timeOut = "ToolError: The upstream other did not answer within 3000 ms.";
  assert.is(await outcomeOfCall(servers, "silent"), timeOut);
  const notifications = JSON.parse(await outcomeOfCall(servers, "cancelled")) as unknown[];
  assert.is(notifications.length, 2);
});

test("a program gets at most 64 calls at once, and others wait for a place or their end", async () => {
  const servers = open({ timeoutMs: 20_000 });
  assert.is(await outcomeOfCall(servers, "count"), "1");
  const silent = Array.from({ length: 64 }, () => new RecordingCall());
  const unanswered = silent.map((call) =>
    clientOf(servers, call)
      .callTool("silent", {})
      .catch(({ message }: Error) => message),
  );
  const impatient = new RecordingCall();
  const given = clientOf(servers, impatient).callTool("count", {});
  given.catch(() => undefined);
  let outcome: string | undefined;
  const next = outcomeOfCall(servers, "count").then((text) => (outcome = text));
  // Meanwhile another program starts and answers.
  assert.is(await outcomeOfCall(open(), "count"), "1");
  impatient.cancel(new Error("gone"));
  assert.is(await given.catch(({ message }: Error) => message), "gone");
  assert.is(outcome, undefined);
  silent[0]?.cancel(new Error("enough"));
  // The program has counted neither more nor less than the calls that had a place.
  assert.is(await next, "2");
  for (const call of silent) call.cancel(new Error("enough"));
  assert.equal(new Set(await Promise.all(unanswered)), new Set(["enough"]));
});

test("a message that is too long or has no end ends the program", async () => {
  const servers = open();
  const tooLong =
    "ToolError: The upstream other sends a message of more than 1000000 bytes. It had begun to answer: the call may have been carried out, so it must not be repeated blindly.";
  for (const name of ["huge", "endless"]) assert.is(await outcomeOfCall(servers, name), tooLong);
  assert.is(await outcomeOfCall(servers, "count"), "1");
});

test("a long message is not copied again for each of its parts", async () => {
  const { concat } = Buffer;
  let copied = 0;
  Buffer.concat = (...given) => {
    const bytes = concat(...given);
    copied += bytes.length;
    return bytes;
  };
  try {
    const servers = open({}, [], undefined, 3_000_000);
    assert.is((await outcomeOfCall(servers, "huge")).length, 2_000_000);
  } finally {
    Buffer.concat = concat;
  }
  assert.ok(copied < 3 * 2_000_000, `${copied} bytes were copied`);
});

test("an absent program is an error, and a program that ends at an unknown message is started again", async () => {
  const missing = open({ command: ["/nowhere/at-all"] });
  assert.is(
    await outcomeOfCall(missing, "echo"),
    "ToolError: The upstream other is a program that is not there.",
  );
  assert.is(await outcomeOfCall(open({}, ["brittle"]), "count"), "1");
});

test("the program and the processes that it started end with the server", async () => {
  const servers = open({}, ["stubborn"]);
  const ids = JSON.parse(await outcomeOfCall(servers, "starts")) as number[];
  assert.is(ids.length, 2);
  await servers.close();
  for (const id of ids) await until(async () => !(await isRunning(id)));
  assert.match(await outcomeOfCall(servers, "count"), "ToolError: The upstream other");
});

test("no program is started in mock mode", async () => {
  const servers = [{ name: "other", kind: "program" as const }];
  const mocked = createServers({ servers }, { root: folder, mock: true }, { resultLength: 1 });
  assert.match(await outcomeOfCall(mocked, "echo"), "The upstream other is not asked in mock mode");
});

test("a result may be selected from structured content, or from a text that is JSON", async () => {
  const servers = open({ cwd: "." });
  const select = (content: unknown): unknown => ({ first: at(content, "a") });
  const selected = await clientOf(servers).callTool("echo", { a: [1, "x"] }, { select });
  assert.equal(selected, { first: [1, "x"] });
  const ofText = (number: unknown): unknown => ({ number });
  assert.equal(await clientOf(servers).callTool("count", {}, { select: ofText }), { number: 1 });
});

test.run();
