import { spawn, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** How a process ended. */
export interface ProcessEnd {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** How a process ended that was to meet a fault. */
export interface FaultyEnd extends ProcessEnd {
  readonly isMet: boolean;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
  /** Sends this signal after this time from the start, in milliseconds. */
  readonly end?: { readonly signal: NodeJS.Signals; readonly after: number };
}

/** Runs a program to its end, whatever that is. */
export function runToEnd(
  program: string,
  parameters: readonly string[],
  { end, env, ...options }: RunOptions = {},
): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, { ...options, env: { ...process.env, ...env } });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const timer = end && setTimeout(() => child.kill(end.signal), end.after);
    child.on("close", (status, signal) => {
      clearTimeout(timer);
      resolve({ status, signal, output });
    });
  });
}

/** One way to have a process meet something at its N-th call of a kind. */
export interface Injection {
  readonly name: string;
  /** Has the process killed, or a call fail; `for good`: all later ones too. */
  readonly kind: "kill" | "fail" | "fail for good";
  /** Error code of a call that fails. */
  readonly code?: string;
  /** Every run makes such a call, so that a run without it means that nothing was injected. */
  readonly isMetAlways?: boolean;
  run(at: number, node: readonly string[], cwd: string): Promise<FaultyEnd>;
}

/** System calls by which a run writes. */
const CALLS = ["mkdir", "write", "fchmod", "fsync", "rename", "unlink", "rmdir"];
/**
 * Errors, each with the calls that can meet it. Not EAGAIN, which no file gives: libuv takes it for a
 * wake-up that is under way when it writes to its own event, and the process then sleeps for ever.
 */
const ERRORS: Readonly<Record<string, readonly string[]>> = {
  ENOSPC: ["mkdir", "write", "fsync", "rename"],
  EIO: CALLS,
  EDQUOT: ["write"],
  EINTR: ["write", "fsync"],
  EACCES: ["mkdir", "unlink"],
  EXDEV: ["rename"],
};

export function hasStrace(): boolean {
  const { status } = spawnSync("strace", ["-f", "-qq", "-o", "/dev/null", "true"]);
  return status === 0;
}

function withStrace(name: string, call: string, action: (at: number) => string): Injection["run"] {
  return async (at, node, cwd) => {
    const log = `${cwd}.strace`;
    const inject = ["-e", `trace=${call}`, "-e", `inject=${call}:${action(at)}`];
    const parameters = ["-f", "-qq", "-o", log, ...inject, process.execPath, ...node];
    const end = await runToEnd("strace", parameters, { cwd });
    if (/^strace: /m.test(end.output)) throw new Error(`${name}: ${end.output}`);
    const text = await readFile(log, "utf8");
    const isMet = text.includes("(INJECTED)") || text.includes("killed by SIGKILL");
    return { ...end, isMet };
  };
}

/** A kill at every system call that writes, and errors at some of them, once and for good. */
export function straceInjections(): Injection[] {
  const kills = CALLS.map((call): Injection => {
    const name = `SIGKILL at ${call}`;
    const isMetAlways = call === "mkdir" || call === "rename";
    const run = withStrace(name, call, (at) => `signal=SIGKILL:when=${at}`);
    return { name, kind: "kill", isMetAlways, run };
  });
  // Node.js also prints with `write`, so the call that always fails is another one.
  const failures = Object.entries(ERRORS).flatMap(([code, calls]) =>
    calls.flatMap((call): Injection[] => {
      const name = `${code} at ${call}`;
      const once = withStrace(name, call, (at) => `error=${code}:when=${at}`);
      const always = withStrace(name, call, (at) => `error=${code}:when=${at}+`);
      const injections: Injection[] = [{ name: `${name}, once`, kind: "fail", code, run: once }];
      // libuv tries again whatever a signal interrupted: for ever, if every try is.
      if (call === "write" || code === "EINTR") return injections;
      return [
        ...injections,
        { name: `${name}, for good`, kind: "fail for good", code, run: always },
      ];
    }),
  );
  return [...kills, ...failures];
}

/** Kills without `strace`: the process ends itself at a call of `node:fs`. */
export function selfKills(): Injection[] {
  const preload = fileURLToPath(new URL("./self-killing.js", import.meta.url));
  const run: Injection["run"] = async (at, node, cwd) => {
    const env = { KILL_AT: String(at) };
    const end = await runToEnd(process.execPath, ["--import", preload, ...node], { cwd, env });
    return { ...end, isMet: end.signal === "SIGKILL" };
  };
  return [{ name: "SIGKILL at a call of node:fs", kind: "kill", isMetAlways: true, run }];
}
