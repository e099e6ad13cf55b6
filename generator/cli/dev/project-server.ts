import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { endGroup } from "../type-check/process-group.js";
import { loadCheckedSources, type CheckedSources } from "./checked-sources.js";

/** Milliseconds that running calls have to finish after the first signal. */
export const GRACE = 3_000;
/** Milliseconds that the process has to end after the second signal. */
const LAST_GRACE = 1_000;

/** How a project's server is started. */
export interface ServerCommand {
  /** The project's folder, in which the server runs. Absolute. */
  readonly folder: string;
  /** Options of Node.js that let it run TypeScript, and load packages before the sources are there. */
  readonly nodeOptions: readonly string[];
  /** The server's module and its constant arguments. */
  readonly program: readonly string[];
  /** Further arguments of the server. */
  readonly parameters: readonly string[];
  /** True if the server serves a client on stdin and stdout. */
  readonly hasClient: boolean;
}

/** How a process ended. Both are null if it could not be started. */
export interface Ending {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that Node.js runs first. It ends the server if `dev` was killed or crashed without stopping it. */
const preparation = moduleUrl(`
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  ${loadCheckedSources}
`);

/** A program that Node.js runs before the server's module. It waits for the sources. */
const wait = moduleUrl(`
  import { sourcesArrived } from ${JSON.stringify(preparation)};
  await sourcesArrived;
  process.channel?.unref();
`);

function moduleUrl(program: string): string {
  return `data:text/javascript,${encodeURIComponent(program)}`;
}

/**
 * The server of a project as a child process. It is in its own process group, so that Ctrl-C reaches only `dev`. The process
 * is started early, and loads Node.js, tsx and the runtime while the project is still checked; `run` lets it load the
 * project.
 */
export class ProjectServer {
  readonly #child: ChildProcess;
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ending>;
  #isAlive = true;
  #stopped: Promise<void> | undefined;

  constructor({ folder, nodeOptions, program, parameters, hasClient }: ServerCommand) {
    const [stdin, stdout] = hasClient
      ? (["pipe", "pipe"] as const)
      : (["ignore", "inherit"] as const);
    const options = ["--import", preparation, ...nodeOptions, "--import", wait];
    this.#child = spawn(process.execPath, [...options, ...program, ...parameters], {
      cwd: folder,
      stdio: [stdin, stdout, "inherit", "ipc"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.ended = new Promise((resolve) => {
      const end = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
        this.#isAlive = false;
        resolve({ exitCode, signal });
      };
      this.#child.on("error", () => end(null, null));
      this.#child.on("close", end);
    });
  }

  /**
   * Lets the process run the server.
   *
   * @param sources the texts that it runs instead of the files, which may have changed since they were checked
   */
  run(sources: CheckedSources): void {
    // If the process has already ended, `ended` reports that.
    this.#child.send(sources, () => undefined);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  /** The streams for a client. Undefined if the server does not serve a client on stdin and stdout. */
  get client(): { readonly stdin: Writable; readonly stdout: Readable } | undefined {
    const { stdin, stdout } = this.#child;
    return stdin === null || stdout === null ? undefined : { stdin, stdout };
  }

  /** Stops the server and gives running calls some time to finish. Returns when the process has ended. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    this.#signal("SIGTERM");
    await this.endedWithin(GRACE);
    // A generated server ends at once at the second signal.
    this.#signal("SIGTERM");
    await this.endedWithin(LAST_GRACE);
    this.kill();
    await this.ended;
  }

  /** Waits until the process has ended, but no longer than the given time. */
  async endedWithin(milliseconds: number): Promise<void> {
    const late = new AbortController();
    const timer = pause(milliseconds, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([this.ended, timer]);
    late.abort();
  }

  /** Ends the process and all processes that it started at once. */
  kill(): void {
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#isAlive) endGroup(this.#child, signal);
  }
}
