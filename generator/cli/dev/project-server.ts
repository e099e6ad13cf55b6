import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { endGroup } from "../type-check/process-group.js";
import { loadCheckedSources, type CheckedSources } from "./checked-sources.js";

/** Milliseconds for running calls to end, and after the second request for anything else. */
export const GRACE = 3_000;
const LAST_GRACE = 1_000;

export interface ServerCommand {
  /** The project's folder, absolute: the server runs in it. */
  readonly folder: string;
  /** Arguments of Node.js that run the server from source. */
  readonly program: readonly string[];
  /** Arguments of the server. */
  readonly parameters: readonly string[];
  /** It serves a client on stdin and stdout, so that both ends are wanted. */
  readonly hasClient: boolean;
}

export interface Ending {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs before the server. It ends the server when `dev` has gone without ending it: killed, or crashed. */
const preparation = `data:text/javascript,${encodeURIComponent(
  `process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  ${loadCheckedSources}
  process.channel?.unref();`,
)}`;

/** The server of a project as a process of its own, in a group of its own: Ctrl-C reaches `dev` alone. */
export class ProjectServer {
  readonly #child: ChildProcess;
  readonly ended: Promise<Ending>;
  #isAlive = true;
  #stopped: Promise<void> | undefined;

  /** @param sources what it runs in place of the files, which may be saved again */
  constructor({ folder, program, parameters, hasClient }: ServerCommand, sources: CheckedSources) {
    const [stdin, stdout] = hasClient
      ? (["pipe", "pipe"] as const)
      : (["ignore", "inherit"] as const);
    this.#child = spawn(process.execPath, ["--import", preparation, ...program, ...parameters], {
      cwd: folder,
      stdio: [stdin, stdout, "inherit", "ipc"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    // Where it has gone already, its end says so.
    this.#child.send(sources, () => undefined);
    this.ended = new Promise((resolve) => {
      const end = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
        this.#isAlive = false;
        resolve({ exitCode, signal });
      };
      this.#child.on("error", () => end(null, null));
      this.#child.on("close", end);
    });
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  /** The two ends for a client; absent when stdout is not for one. */
  get client(): { readonly stdin: Writable; readonly stdout: Readable } | undefined {
    const { stdin, stdout } = this.#child;
    return stdin === null || stdout === null ? undefined : { stdin, stdout };
  }

  /** Lets running calls end, for a while; returns when the process has gone. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    this.#signal("SIGTERM");
    await this.endedWithin(GRACE);
    // Generated servers take the second one as "at once".
    this.#signal("SIGTERM");
    await this.endedWithin(LAST_GRACE);
    this.kill();
    await this.ended;
  }

  /** Returns when the process has gone, at the latest after so many milliseconds. */
  async endedWithin(milliseconds: number): Promise<void> {
    const late = new AbortController();
    const timer = pause(milliseconds, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([this.ended, timer]);
    late.abort();
  }

  /** Ends it and what it started at once. */
  kill(): void {
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#isAlive) endGroup(this.#child, signal);
  }
}
