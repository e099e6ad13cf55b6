import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { AnswerMemory } from "../context/answer-memory.js";
import type { ServerDefinition } from "../engine/definition.js";
import { ToolError } from "../engine/errors.js";
import { freeMemory } from "../samples/answer-memory.js";
import { isRunning } from "../samples/processes.js";
import { sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";
import { createPrograms, type ProgramOptions, type Programs } from "./programs.js";

/** These tests run real programs of this machine. */
const test = suite("programs");
let folder = "";

test.before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "programs-")));
});

test.after(async () => {
  await rm(folder, { recursive: true, force: true });
});

const SECRET = "s3cret-word";
const definition: ServerDefinition = {
  ...sampleServer,
  env: [{ name: "TOKEN", type: "string", required: true, secret: true }],
};

function programs(signal = new AbortController().signal): Programs {
  const serverPrograms = createPrograms(definition, { root: folder, env: { TOKEN: SECRET } });
  return serverPrograms.bind({ signal }) as Programs;
}

type Command = readonly [string, ...unknown[]];

async function textOf(command: Command, options?: ProgramOptions): Promise<string> {
  return (await programs().run(command, options)).text();
}

async function failureOf(command: Command, options?: ProgramOptions): Promise<string> {
  return textOf(command, options).then(
    (text) => `no error: ${text}`,
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

const PRINT_ARGV = "console.log(JSON.stringify(process.argv.slice(1)))";

/** Texts that have a special meaning for a shell, for options of programs, or for the system. */
const HOSTILE_TEXTS = [
  ...["$(touch hostile)", "`touch hostile`", "; touch hostile", "&& touch hostile", "|| true"],
  ...["| tee hostile", "> hostile", "< /etc/passwd", "& touch hostile", "\ntouch hostile\n"],
  ...["*", "?", "~", "~root", "$HOME", "${PATH}", "%PATH%", "!!", "#", "\\", "'", '"', "''", '""'],
  ...["-", "--", "-rf", "--help", "--output=hostile", "@file", "{a,b}", "[a-z]", "a b", "\t", ""],
  ...["\r\n", "\u00a0", "\u2028", "é😀", "\u202e", "\u001b[2J", "x".repeat(100_000), "=", "a=b"],
];

test("every text is passed unchanged as one argument, and no shell reads it", async () => {
  let tried = 0;
  for (const position of [0, 1, 2]) {
    const all = HOSTILE_TEXTS.map((text) =>
      ["a", "b", "c"].map((letter, index) => (index === position ? text : letter)),
    );
    // The program runs once for each position: each text is an argument of its own.
    const argv = position === 2 ? all.flat() : all.map((texts) => texts[position]);
    const output = await textOf([process.execPath, "-e", PRINT_ARGV, "--", ...argv]);
    assert.equal(JSON.parse(output), argv);
    tried += HOSTILE_TEXTS.length;
  }
  assert.ok(tried >= 120, String(tried));
  assert.equal(await readFile(join(folder, "hostile")).catch(() => "absent"), "absent");
});

test("each item of a list becomes an argument, and undefined and null become none", async () => {
  const values = ["a", ["b", "c"], [], undefined, null, 4, true, ["", null]];
  const output = await textOf([process.execPath, "-e", PRINT_ARGV, "--", ...values]);
  assert.equal(JSON.parse(output), ["a", "b", "c", "4", "true", ""]);
  assert.match(
    await failureOf(["echo", { a: 1 }]),
    "ToolError: An argument of the program echo is",
  );
  assert.match(await failureOf(["echo", [["a"]]]), "ToolError: An argument of the program echo is");
  assert.match(await failureOf(["echo", "a\0b"]), "has the character NUL");
});

test("a program gets only the variables of its options and PATH, its folder and its input", async () => {
  process.env["NOT_NAMED"] = "x";
  const script =
    "process.stdout.write(JSON.stringify([Object.keys(process.env).sort(), process.cwd(), require('fs').readFileSync(0, 'utf8')]))";
  const options = { env: { LANG: "C", NONE: undefined, N: 1 }, cwd: ".", stdin: { a: "ü" } };
  const output = await textOf([process.execPath, "-e", script], options);
  assert.equal(JSON.parse(output), [["LANG", "N", "PATH"], folder, '{"a":"ü"}']);
  delete process.env["NOT_NAMED"];
});

test("output is cut after a whole character, and only the statuses in okStatus are no error", async () => {
  assert.is(await textOf(["printf", "%s", "aüb"], { maxBytes: 2 }), "a\n[cut after 2 bytes]");
  assert.equal((await programs().run(["printf", "%s\\n", "a", "b"])).lines(), ["a", "b"]);
  assert.equal((await programs().run(["printf", "%s", "[1]"])).json(), [1]);
  const exact = await programs().run(["printf", "%s", "[ 9007199254740993 ]"]);
  assert.is(exact.jsonText(), "[9007199254740993]");
  assert.equal(exact.json(), [9007199254740992]);
  const name = await programs().run(["printf", "%s", "{12345678901234567890:1}"]);
  assert.throws(() => name.json(), "The program printf printed something that is no JSON.");
  const deep = await programs().run(["printf", "%s", "[".repeat(5_000) + "]".repeat(5_000)]);
  assert.throws(() => deep.json(), "The program printf printed JSON that is nested too deeply.");
  const cut = await programs().run(["printf", "%s", "[1]"], { maxBytes: 2 });
  assert.throws(() => cut.json(), "The program printf printed more than 2 bytes.");
  const invalid = await programs().run(["printf", "%s", "no"]);
  assert.throws(() => invalid.json(), "The program printf printed something that is no JSON.");
  const failing = ["sh", "-c", 'echo "$1" >&2; exit 3', "sh", `about ${SECRET}`] as const;
  assert.is(
    await failureOf(failing),
    "ToolError: The program sh ended with status 3: about [masked]",
  );
  assert.is((await programs().run(failing, { okStatus: [0, 3] })).status, 3);
  assert.is(await textOf(["echo", SECRET]), "[masked]\n");
});

test("the message says why a program cannot run", async () => {
  await writeFile(join(folder, "plain"), "no program", { mode: 0o644 });
  assert.is(
    await failureOf(["no-such-program-here"]),
    "ToolError: The program no-such-program-here is not there.",
  );
  assert.is(
    await failureOf(["echo"], { cwd: "absent" }),
    "ToolError: The folder that the program echo runs in is not there.",
  );
  assert.is(await failureOf(["./plain"]), "ToolError: The program ./plain must not be run.");
  const long = Array.from({ length: 40 }, () => "x".repeat(120_000));
  assert.match(await failureOf(["true", ...long]), "are too long");
  assert.match(await failureOf(["sh", "-c", "kill -9 $$"]), "was ended by SIGKILL");
});

/** A program that ignores SIGTERM and starts a child that does so too. Both keep the output open. */
const STUBBORN = `
  process.on("SIGTERM", () => {});
  const { spawn } = require("child_process");
  const fs = require("fs");
  if (process.argv[1] !== "child") {
    spawn(process.execPath, ["-e", process.env.SCRIPT, "child"], { stdio: "inherit" });
  }
  fs.appendFileSync(process.env.PIDS, process.pid + "\\n");
  setInterval(() => {}, 1000);
`;

/** The ids of both processes of a stubborn program, when both run. */
async function pidsIn(file: string): Promise<number[]> {
  for (;;) {
    const pids = (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean);
    if (pids.length === 2) return pids.map(Number);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A killed process closes its output a moment before the system says that it has ended. */
async function waitUntilEnded(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    while (await isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function stubborn(name: string): { command: Command; env: Record<string, string>; pids: string } {
  const pids = join(folder, name);
  return {
    command: [process.execPath, "-e", STUBBORN],
    env: { SCRIPT: STUBBORN, PIDS: pids },
    pids,
  };
}

test("all processes of a program end with a time-out and with a cancellation", async () => {
  const timedOut = stubborn("timedOut");
  const message = await failureOf(timedOut.command, { env: timedOut.env, timeoutMs: 1_500 });
  assert.match(message, "did not end within 1500 ms.");
  await waitUntilEnded(await pidsIn(timedOut.pids));

  const cancelled = stubborn("cancelled");
  const abort = new AbortController();
  const running = programs(abort.signal).run(cancelled.command, { env: cancelled.env });
  const pids = await pidsIn(cancelled.pids);
  abort.abort(new Error("cancelled"));
  const reason: unknown = await running.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.is((reason as Error).message, "cancelled");
  await waitUntilEnded(pids);
});

test("background processes of a program end with it, and do not delay its answer", async () => {
  const file = join(folder, "left");
  const script = `sleep 1000 & echo $! > "$1"; echo done`;
  assert.is(await textOf(["sh", "-c", script, "sh", file]), "done\n");
  await waitUntilEnded([Number(await readFile(file, "utf8"))]);
});

/** Starts a server process that runs a stubborn program. */
async function serverOf(
  name: string,
): Promise<{ pids: number[]; server: ReturnType<typeof spawn> }> {
  const { command, env, pids } = stubborn(name);
  const module = fileURLToPath(new URL("./programs.js", import.meta.url));
  const script = `
    import { createPrograms } from ${JSON.stringify(module)};
    const made = createPrograms({ env: [] }, { root: ".", env: {} });
    process.on("SIGTERM", () => process.exit(143));
    made.bind({ signal: new AbortController().signal })
      .run(${JSON.stringify(command)}, { env: ${JSON.stringify(env)} });
  `;
  const server = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: "inherit",
  });
  return { pids: await pidsIn(pids), server };
}

test("all processes of a program end with its server, even if the server is killed", async () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const { pids, server } = await serverOf(signal);
    server.kill(signal);
    await once(server, "exit");
    await waitUntilEnded(pids);
  }
});

test("closing ends running programs", async () => {
  const { command, env, pids } = stubborn("closed");
  const serverPrograms = createPrograms(definition, { root: folder, env: {} });
  const { run } = serverPrograms.bind({ signal: new AbortController().signal }) as Programs;
  const failure = run(command, { env }).catch((error: Error) => error.message);
  const runningPids = await pidsIn(pids);
  await serverPrograms.close();
  assert.match(String(await failure), "was ended by SIG");
  await waitUntilEnded(runningPids);
});

const print = (length: number, more = ""): readonly [string, ...string[]] => [
  ...([process.execPath, "-e"] as const),
  `process.stdout.write("x".repeat(${length}));${more}`,
];

/** The programs of a call whose memory is granted by `grant`. */
function runWaiting(): Programs & { reserved: number[]; read: number[]; grant(): void } {
  const reserved: number[] = [];
  const read: number[] = [];
  let grant = (): void => undefined;
  const memory: AnswerMemory = {
    ...freeMemory,
    growing: () => ({
      growTo: async (bytes) => {
        reserved.push(bytes);
        await new Promise<void>((resolve) => (grant = resolve));
      },
      finish: (actual) => read.push(actual),
    }),
  };
  const { signal } = new AbortController();
  const serverPrograms = createPrograms(definition, { root: folder, env: {} });
  const { run } = serverPrograms.bind({ signal }, undefined, memory) as Programs;
  return { run, reserved, read, grant: () => grant() };
}

test("long output is read when its memory is reserved, and the time until then is not the program's", async () => {
  const { run, reserved, read, grant } = runWaiting();
  await run(print(10_000), { maxBytes: 200_000 });
  assert.equal(reserved, [], "short output needs no memory");
  for (const [length, waitMs] of [
    [100_000, 4_500],
    [190_000, 0],
    [3_000_000, 0],
  ] as const) {
    const running = run(print(length), { maxBytes: 200_000, timeoutMs: 4_000 });
    await until(() => reserved.length > 0);
    await delay(waitMs);
    grant();
    const text = (await running).text();
    assert.is(text.replace(/\n.*/, "").length, Math.min(length, 200_000));
    assert.equal([reserved.splice(0), read.splice(0)], [[200_000], [Math.min(length, 200_000)]]);
  }
});

test("memory is reserved as output arrives, and not at once for the most that a program may print", async () => {
  const { run, reserved, read, grant } = runWaiting();
  const maxBytes = 30_000_000;
  const running = run(print(5_000_000), { maxBytes });
  let granted = 0;
  await until(() => {
    if (reserved.length > granted) granted = reserved.length;
    grant();
    return read.length > 0;
  });
  assert.is((await running).text().length, 5_000_000);
  assert.ok(reserved.length >= 4, String(reserved));
  assert.ok(reserved[0]! < 1_300_000, String(reserved));
  assert.ok(reserved.at(-1)! < 6_300_000, String(reserved));
  assert.equal(read, [5_000_000]);
});

test("waits for memory do not give a program more time of its own", async () => {
  const { run, reserved, grant } = runWaiting();
  const slow = `setTimeout(() => process.stdout.write("y".repeat(2000000)), 1500);
    setTimeout(() => process.stdout.write("z".repeat(2000000)), 3000);`;
  const granting = setInterval(grant, 20);
  const failure = await run(print(100_000, slow), { maxBytes: 9_000_000, timeoutMs: 2_500 }).then(
    () => "none",
    (error: Error) => error.message,
  );
  clearInterval(granting);
  assert.match(failure, "within 2500 ms");
  assert.ok(reserved.length > 1, String(reserved));
});

test("output that waits for memory after its program has ended is read", async () => {
  const { run, reserved, grant } = runWaiting();
  const running = run(print(100_000), { maxBytes: 200_000 });
  await until(() => reserved.length > 0);
  await delay(1_500);
  grant();
  assert.is((await running).text().length, 100_000);
});

test("a call without memory for the output of its program fails when that has ended", async () => {
  const file = join(folder, "ended");
  let finished: number | undefined;
  let asked = 0;
  const memory: AnswerMemory = {
    ...freeMemory,
    growing: () => ({
      growTo: () => (asked++ === 0 ? Promise.reject(new ToolError("full")) : undefined),
      finish: (actual) => (finished = actual),
    }),
  };
  const { signal } = new AbortController();
  const { run } = createPrograms(definition, { root: folder, env: {} }).bind(
    { signal },
    undefined,
    memory,
  ) as Programs;
  const command = print(3_000_000, `require("fs").writeFileSync(${JSON.stringify(file)}, "")`);
  const failure = await run(command, { maxBytes: 9_000_000 }).catch(
    (error: Error) => error.message,
  );
  assert.match(String(failure), /^The call was carried out, but the server has no memory/);
  assert.is(await readFile(file, "utf8"), "");
  assert.equal([asked, finished], [1, 0], "nothing is kept");
});

test.run();
