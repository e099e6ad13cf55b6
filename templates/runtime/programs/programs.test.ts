import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ServerDefinition } from "../engine/definition.js";
import { isRunning } from "../samples/processes.js";
import { createPrograms, type ProgramOptions, type Programs } from "./programs.js";

/** Programs that this machine has, run for real. */
const test = suite("programs");
let folder = "";

test.before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "programs-")));
});

test.after(async () => {
  await rm(folder, { recursive: true, force: true });
});

const SECRET = "s3cret-word";
const definition = {
  env: [{ name: "TOKEN", type: "string", required: true, secret: true }],
} as unknown as ServerDefinition;

function programs(signal = new AbortController().signal): Programs {
  const made = createPrograms(definition, { root: folder, env: { TOKEN: SECRET } });
  return made.bind({ signal }) as Programs;
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

/** Texts that a shell, a careless program or the system would take for something else. */
const HOSTILE_TEXTS = [
  ...["$(touch hostile)", "`touch hostile`", "; touch hostile", "&& touch hostile", "|| true"],
  ...["| tee hostile", "> hostile", "< /etc/passwd", "& touch hostile", "\ntouch hostile\n"],
  ...["*", "?", "~", "~root", "$HOME", "${PATH}", "%PATH%", "!!", "#", "\\", "'", '"', "''", '""'],
  ...["-", "--", "-rf", "--help", "--output=hostile", "@file", "{a,b}", "[a-z]", "a b", "\t", ""],
  ...["\r\n", "\u00a0", "\u2028", "é😀", "\u202e", "\u001b[2J", "x".repeat(100_000), "=", "a=b"],
];

test("every text is one argument as it is, and no shell reads it", async () => {
  let tried = 0;
  for (const place of [0, 1, 2]) {
    const all = HOSTILE_TEXTS.map((text) =>
      ["a", "b", "c"].map((one, at) => (at === place ? text : one)),
    );
    // One run for all texts of a place: each is an argument of its own.
    const given = place === 2 ? all.flat() : all.map((texts) => texts[place]);
    const printed = await textOf([process.execPath, "-e", PRINT_ARGV, "--", ...given]);
    assert.equal(JSON.parse(printed), given);
    tried += HOSTILE_TEXTS.length;
  }
  assert.ok(tried >= 120, String(tried));
  assert.equal(await readFile(join(folder, "hostile")).catch(() => "absent"), "absent");
});

test("lists are as many arguments as they have items, and what is absent is none", async () => {
  const given = ["a", ["b", "c"], [], undefined, null, 4, true, ["", null]];
  const printed = await textOf([process.execPath, "-e", PRINT_ARGV, "--", ...given]);
  assert.equal(JSON.parse(printed), ["a", "b", "c", "4", "true", ""]);
  assert.match(
    await failureOf(["echo", { a: 1 }]),
    "ToolError: An argument of the program echo is",
  );
  assert.match(await failureOf(["echo", [["a"]]]), "ToolError: An argument of the program echo is");
  assert.match(await failureOf(["echo", "a\0b"]), "has the character NUL");
});

test("a program gets the variables that are named and PATH, its folder and its input", async () => {
  process.env["NOT_NAMED"] = "x";
  const script =
    "process.stdout.write(JSON.stringify([Object.keys(process.env).sort(), process.cwd(), require('fs').readFileSync(0, 'utf8')]))";
  const given = { env: { LANG: "C", NONE: undefined, N: 1 }, cwd: ".", stdin: { a: "ü" } };
  const printed = await textOf([process.execPath, "-e", script], given);
  assert.equal(JSON.parse(printed), [["LANG", "N", "PATH"], folder, '{"a":"ü"}']);
  delete process.env["NOT_NAMED"];
});

test("output is cut at a whole character, and statuses are what the body says", async () => {
  assert.is(await textOf(["printf", "%s", "aüb"], { maxBytes: 2 }), "a\n[cut after 2 bytes]");
  assert.equal((await programs().run(["printf", "%s\\n", "a", "b"])).lines(), ["a", "b"]);
  assert.equal((await programs().run(["printf", "%s", "[1]"])).json(), [1]);
  const exact = await programs().run(["printf", "%s", "[ 9007199254740993 ]"]);
  assert.is(exact.jsonText(), "[9007199254740993]");
  assert.equal(exact.json(), [9007199254740992]);
  const cut = await programs().run(["printf", "%s", "[1]"], { maxBytes: 2 });
  assert.throws(() => cut.json(), "The program printf printed more than 2 bytes.");
  const other = await programs().run(["printf", "%s", "no"]);
  assert.throws(() => other.json(), "The program printf printed something that is no JSON.");
  const status = ["sh", "-c", 'echo "$1" >&2; exit 3', "sh", `about ${SECRET}`] as const;
  assert.is(
    await failureOf(status),
    "ToolError: The program sh ended with status 3: about [masked]",
  );
  assert.is((await programs().run(status, { okStatus: [0, 3] })).status, 3);
  assert.is(await textOf(["echo", SECRET]), "[masked]\n");
});

test("a program that cannot run is told in a sentence", async () => {
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

/** A program that ignores SIGTERM, as does the one that it starts; both hold the output open. */
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

/** The processes of a stubborn program, once both run. */
async function pidsIn(file: string): Promise<number[]> {
  for (;;) {
    const pids = (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean);
    if (pids.length === 2) return pids.map(Number);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function untilGone(pids: readonly number[]): Promise<void> {
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

test("all processes of a program are gone after a time-out and a cancellation", async () => {
  const late = stubborn("late");
  const message = await failureOf(late.command, { env: late.env, timeoutMs: 1_500 });
  assert.match(message, "did not end within 1500 ms.");
  for (const pid of await pidsIn(late.pids)) assert.not(await isRunning(pid));

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
  for (const pid of pids) assert.not(await isRunning(pid));
});

test("what a program leaves behind ends with it, and does not hold up its answer", async () => {
  const file = join(folder, "left");
  const script = `sleep 1000 & echo $! > "$1"; echo done`;
  assert.is(await textOf(["sh", "-c", script, "sh", file]), "done\n");
  await untilGone([Number(await readFile(file, "utf8"))]);
});

/** Runs a stubborn program in a process of its own. */
async function serverOf(
  name: string,
): Promise<{ pids: number[]; server: ReturnType<typeof spawn> }> {
  const { command, env, pids } = stubborn(name);
  const module = fileURLToPath(new URL("programs.js", import.meta.url));
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

test("all processes of a program are gone when its server ends, also by SIGKILL", async () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const { pids, server } = await serverOf(signal);
    server.kill(signal);
    await once(server, "exit");
    await untilGone(pids);
  }
});

test("closing ends what runs", async () => {
  const { command, env, pids } = stubborn("closed");
  const made = createPrograms(definition, { root: folder, env: {} });
  const { run } = made.bind({ signal: new AbortController().signal }) as Programs;
  const ended = run(command, { env }).catch((error: Error) => error.message);
  const all = await pidsIn(pids);
  await made.close();
  assert.match(String(await ended), "was ended by SIG");
  await untilGone(all);
});

test.run();
