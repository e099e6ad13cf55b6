import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { BackendsOfKind } from "../backends/backends.js";
import { clientOf, outcomeOfCall, RecordingCall, textOf } from "../samples/remote-calls.js";
import { REMOTE_PROGRAM } from "../samples/remote-program.js";
import { isRunning } from "../samples/processes.js";
import { until } from "../samples/until.js";
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

function open(
  members: Partial<RemoteServerDefinition> = {},
  ...parameters: string[]
): BackendsOfKind {
  const definition = {
    env: [{ name: "TOKEN", type: "string", required: true, secret: true }],
    programTransport,
    servers: [
      {
        name: "other",
        kind: "program" as const,
        command: [process.execPath, "-e", REMOTE_PROGRAM, "--", ...parameters],
        env: { A_TOKEN: { env: "TOKEN" }, PLAIN: "yes" },
        ...members,
      },
    ],
  };
  const options = { env: { TOKEN: SECRET }, root: folder };
  const servers = createServers(definition, options, { resultLength: 1_000_000 });
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

test("a call gets its progress reports and log messages, at most 10,000 of them", async () => {
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
  const flooded = new RecordingCall();
  assert.is(textOf(await clientOf(servers, flooded).callTool("floods", {})), "flooded");
  assert.is(flooded.records.length, 10_000);
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

test("a message that is too long or has no end ends the program", async () => {
  const servers = open();
  const tooLong = "ToolError: The upstream other sends a message of more than 1000000 bytes.";
  for (const name of ["huge", "endless"]) assert.is(await outcomeOfCall(servers, name), tooLong);
  assert.is(await outcomeOfCall(servers, "count"), "1");
});

test("an absent program is an error, and a program that ends at an unknown message is started again", async () => {
  const missing = open({ command: ["/nowhere/at-all"] });
  assert.is(
    await outcomeOfCall(missing, "echo"),
    "ToolError: The upstream other is a program that is not there.",
  );
  assert.is(await outcomeOfCall(open({}, "brittle"), "count"), "1");
});

test("the program and the processes that it started end with the server", async () => {
  const servers = open({}, "stubborn");
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

test.run();
