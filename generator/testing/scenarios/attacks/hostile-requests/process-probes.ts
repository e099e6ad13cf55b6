import { once } from "node:events";
import type { ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { patience } from "../../../../../templates/runtime/samples/until.js";
import { DemoServer, requestBody, spawnDemo, textOf } from "./demo-server.js";
import type { Probes } from "./probes.js";
import { shortOrLong } from "../../../harness/runner/test-length.js";

interface StdioRun {
  readonly out: string;
  readonly err: string;
  readonly status: number | null;
}

/** Runs the server over stdio on this input, until it ends by itself. */
async function runStdio(
  folder: string,
  input: readonly (string | Buffer)[],
  whileRunning: (child: ChildProcess) => void = () => undefined,
): Promise<StdioRun> {
  const child = spawnDemo(folder, ["--stdio"]);
  let [out, err] = ["", ""];
  child.stdout?.on("data", (data: Buffer) => (out += data.toString()));
  child.stderr?.on("data", (data: Buffer) => (err += data.toString()));
  child.stdin?.on("error", () => undefined);
  const exited = once(child, "exit");
  const closed = once(child, "close");
  whileRunning(child);
  for (const piece of input) child.stdin?.write(piece);
  child.stdin?.end();
  const watchdog = setTimeout(() => child.kill("SIGKILL"), patience);
  const [status] = (await exited) as [number | null];
  clearTimeout(watchdog);
  await closed;
  return { out, err, status };
}

const line = (method: string, params = {}, id = 1): string =>
  `${requestBody(method, params, id)}\n`;
const echo = (text: string, id: number): string =>
  line("tools/call", { name: "echo", arguments: { text } }, id);

interface Message {
  readonly id?: unknown;
  readonly error?: object;
}

function messagesOf({ out }: StdioRun): Message[] {
  const lines = out.trim().split("\n");
  return lines.map((text) => JSON.parse(text) as Message);
}

const MIB = 1_048_576;

/** The process: stdio, signals, errors that nobody caught. */
export const processProbes: Probes = {
  R59: async (_server, folder) => {
    const [atLimit, overLimit] = [Buffer.alloc(10 * MIB, "a"), Buffer.alloc(12 * MIB, "a")];
    const odd = await runStdio(folder, [
      // Line ends of Windows, and noise between messages.
      ...[echo("one", 1), echo("two", 2)].map((text) => text.replace("\n", "\r\n")),
      ...[echo("three", 3), Buffer.from([0, 255, 254, 10]), "}{\n", echo("four", 4)],
      ...[atLimit, "\n", echo("five", 5), echo("six", 6)],
      ...[overLimit, "\n", echo("seven", 7), echo("eight", 8)],
      // 12 MB without a line end.
      overLimit,
    ]);
    const messages = messagesOf(odd);
    const errors = messages.filter(({ error }) => error !== undefined);
    assert.is(errors.length, 2, "only of the long lines that ended");
    for (const { error } of errors) {
      assert.match(JSON.stringify(error), /{"code":-32000,"message":"Message too large/);
    }
    const ids = messages.map(({ id }) => id).filter((id) => typeof id === "number");
    // Answers have no order.
    assert.equal(ids.sort(), [1, 2, 3, 4, 5, 6, 7, 8], "after each the connection goes on");
    assert.is(odd.status, 0);
    // In short, the run above: it has lines that are too long, and one without an end.
    if (shortOrLong(true, false)) return;
    const glued = `${echo("a", 1).trim()}${echo("b", 2)}`;
    const endless = await runStdio(folder, [glued, atLimit]);
    assert.is(endless.status, 0, "two messages on one line, and 10 MB without a line end");
    const cut = [echo("one", 1), echo("two", 2), '{"jsonrpc":"2.0","id":5,'];
    const deaf = await runStdio(folder, cut, (child) => child.stdout?.destroy());
    assert.ok(deaf.status === 0 || deaf.status === 1, "stdout closed, and an end in mid-message");
  },
  R61: async (_server, folder) => {
    const server = await DemoServer.start(folder);
    const calls = Array.from({ length: 100 }, () => server.call("hold", { file: "go-100" }));
    await server.untilLogged('"waiting"', 100);
    server.child.kill("SIGTERM");
    await server.untilLogged('"stopping"');
    await writeFile(join(folder, "go-100"), "");
    const answers = await Promise.all(calls);
    assert.ok(
      answers.every((answer) => textOf(answer) === "released"),
      "all are answered",
    );
    assert.is(await ended(server.child), 0);

    const hasty = await DemoServer.start(folder);
    void hasty.call("hold", { file: "never" }).catch(() => undefined);
    await hasty.untilLogged('"waiting"');
    hasty.child.kill("SIGTERM");
    await hasty.untilLogged('"stopping"');
    hasty.child.kill("SIGTERM");
    assert.is(await ended(hasty.child), 143, "the second signal ends it at once");
    // That it ends where the parent is gone, and its end of stdin closes, is seen at each input of R59.
  },
  R62: async (_server, folder) => {
    const server = await DemoServer.start(folder);
    assert.is(textOf(await server.call("fail", { how: "late" })), "answered");
    await server.untilLogged("unhandled rejection");
    assert.is(textOf(await server.call("echo", { text: "still here" })), "still here");
    const running = server.call("hold", { file: "go-1" });
    await server.untilLogged('"waiting"');
    const last = server.call("fail", { how: "uncaught" });
    await server.untilLogged("uncaught exception");
    await writeFile(join(folder, "go-1"), "");
    const answers = await Promise.all([running, last]);
    assert.equal(answers.map(textOf), ["released", "answered"], "what runs is finished");
    assert.is(await ended(server.child), 1);
  },
};

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}
