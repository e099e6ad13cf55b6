import { spawn, type ChildProcess, type Control } from "node:child_process";
import { existsSync } from "node:fs";
import { isBuiltin } from "node:module";
import { abortSignalOf, orStopped } from "../backends/stop-signal.js";
import { TurnQueue } from "../backends/turn-queue.js";
import type { Awaitable } from "../engine/awaitable.js";
import type { StopSignal } from "../engine/cancellation.js";
import { ToolError } from "../engine/errors.js";
import type {
  DatabaseConnections,
  DatabaseSettings,
  Statement,
  StatementResult,
} from "./definition.js";
import {
  DatabaseFailure,
  refusal,
  SettingError,
  timeOut,
  tooLong,
  unreachable,
  withoutValues,
} from "./failures.js";
import {
  sqliteProgram,
  type SqliteAnswer,
  type SqliteOrder,
  type SqliteRequest,
} from "./sqlite-program.js";

/** The signal by which a process ends itself if a statement needs too much memory. */
const OUT_OF_MEMORY = "SIGTERM";

/** How much memory a process may need for a statement: for SQLite itself, and for each byte of `maxBytes`. */
const MEMORY_FOR_STATEMENT = 256 * 2 ** 20;
const MEMORY_PER_BYTE = 8;

/** The length of an answer that a process announces before it sends it, in bytes: most answers are shorter. */
const ANNOUNCED_BYTES = 65_536;

/**
 * Matches the statements that a read-only connection may run. Others are refused because `attach` opens other files
 * and `vacuum into` writes them even if the database is opened read-only.
 */
const READ_STATEMENT = /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(?:select|with|values|explain)\b/i;

/** The connections to a SQLite database, whose statements run in processes of their own. */
export function openSqlite(settings: DatabaseSettings): DatabaseConnections {
  return new SqliteConnections(settings);
}

/** Processes that keep the database open: up to `poolSize` that read, and one that writes. */
class SqliteConnections implements DatabaseConnections {
  readonly #settings: DatabaseSettings;
  readonly #readers: ProcessPool;
  readonly #writer: ProcessPool;

  constructor(settings: DatabaseSettings) {
    const { definition, location } = settings;
    this.#settings = settings;
    const start = (readOnly: boolean) => () =>
      new SqliteProcess(location, readOnly, definition.timeoutMs);
    this.#readers = new ProcessPool(start(true), definition.poolSize);
    this.#writer = new ProcessPool(start(false), 1);
  }

  async run(statement: Statement, stop: StopSignal): Promise<StatementResult> {
    const { text, values, write, maxRows, maxBytes, memory } = statement;
    const { name } = this.#settings.definition;
    this.#checkFile("");
    if (!write && !READ_STATEMENT.test(text)) throw refusal(name, "it may only read");
    const signal = abortSignalOf(stop);
    const maxMemory = MEMORY_FOR_STATEMENT + MEMORY_PER_BYTE * maxBytes;
    // The process that writes is not kept for an answer that waits for memory, nor does a statement write twice.
    const announces = memory !== undefined && !write;
    const limits = { maxRows, maxBytes, maxMemory, announces };
    const request = { text, ...limits, values: Array.isArray(values) ? {} : values };
    const answer = await this.#ask(request as SqliteRequest, statement, signal);
    if (answer === undefined) throw unreachable(name);
    if (answer === "out of memory") throw outOfMemory(name, maxMemory);
    if ("isTooLong" in answer) throw tooLong(name, statement);
    if ("error" in answer) {
      const message = withoutValues(answer.error, statement);
      throw refusal(name, this.#settings.masking.text(message));
    }
    const { rows, isCut, changed } = answer;
    return { rows, isCut, ...(write && rows.length === 0 && { changed }) };
  }

  /**
   * Sends a request to a process. A long answer is received when there is memory for it. If it has to wait, the process
   * does other work, and runs the statement again afterwards.
   */
  async #ask(
    request: SqliteRequest,
    { write, memory }: Statement,
    signal: AbortSignal,
  ): Promise<ReceivedAnswer> {
    const { name, timeoutMs } = this.#settings.definition;
    const pool = write ? this.#writer : this.#readers;
    const reserve: Reserve = (bytes) => memory?.foresee(bytes);
    for (;;) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const answer = await pool
        .run(request, reserve, AbortSignal.any([signal, timeout]))
        .catch((error: unknown) => {
          if (signal.aborted) throw signal.reason;
          throw timeout.aborted ? timeOut(name, timeoutMs) : error;
        });
      if (typeof answer !== "object" || !("admission" in answer)) return answer;
      await orStopped(answer.admission, signal);
    }
  }

  /** The path is for operators: callers of tools do not get it. */
  async check(): Promise<void> {
    this.#checkFile(`: ${this.#settings.location}`);
  }

  /** @param path follows the sentence that says that the file is absent */
  #checkFile(path: string): void {
    const { definition, location, variable } = this.#settings;
    // The module is not loaded here, because Node.js would write a warning into the server's log.
    if (!isBuiltin("node:sqlite")) {
      throw new SettingError(`the database ${definition.name} needs Node.js 22.13 or newer`);
    }
    if (existsSync(location)) return;
    const origin = variable === "" ? "" : ` (${variable})`;
    throw new DatabaseFailure(
      `The file of the database ${definition.name}${origin} is not there${path || "."}`,
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#readers.close(), this.#writer.close()]);
  }
}

function outOfMemory(name: string, maxMemory: number): ToolError {
  const limit = `${Math.round(maxMemory / 2 ** 20)} MiB`;
  return new ToolError(
    `The database ${name} needed more than ${limit} of memory for the statement.`,
  );
}

/** What the process answers; undefined if it ended by itself, for example because the file is no database. */
type Outcome = SqliteAnswer | "out of memory" | undefined;

/** An answer that was received. */
type ReceivedAnswer = Exclude<Outcome, { readonly announced: number }>;

/** Says that an answer was not received, since it has to wait for memory. */
interface Deferral {
  readonly admission: Promise<void>;
}

/** Reserves memory for an answer of this length. @returns a promise only if it has to wait */
type Reserve = (bytes: number) => Awaitable<void>;

/** A pool of processes. A process is started when all others are busy, up to the pool's size. */
class ProcessPool {
  readonly #start: () => SqliteProcess;
  readonly #size: number;
  readonly #all = new Set<SqliteProcess>();
  readonly #idle: SqliteProcess[] = [];
  readonly #turns = new TurnQueue();

  constructor(start: () => SqliteProcess, size: number) {
    this.#start = start;
    this.#size = size;
  }

  /** @throws the reason of the signal */
  async run(
    request: SqliteRequest,
    reserve: Reserve,
    signal: AbortSignal,
  ): Promise<ReceivedAnswer | Deferral> {
    const process = await this.#take(signal);
    try {
      const answer = await orStopped(process.run(request, reserve), signal);
      if (typeof answer === "object") this.#idle.push(process);
      else this.#all.delete(process);
      return answer;
    } catch (error) {
      this.#all.delete(process);
      void process.end();
      throw error;
    } finally {
      this.#turns.next();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((process) => process.end()));
  }

  async #take(signal: AbortSignal): Promise<SqliteProcess> {
    for (;;) {
      const process = this.#idle.pop() ?? this.#startAnother();
      if (process !== undefined) return process;
      await this.#turns.wait(signal);
    }
  }

  #startAnother(): SqliteProcess | undefined {
    if (this.#all.size >= this.#size) return undefined;
    const process = this.#start();
    this.#all.add(process);
    return process;
  }
}

/** A process that runs one statement at a time. It gets no environment variables of the server. */
class SqliteProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  /** Receives the answer to the statement that runs. */
  #onAnswer: (answer: Outcome) => void = () => undefined;

  constructor(path: string, readOnly: boolean, timeoutMs: number) {
    // esbuild adds calls of its helper `__name`, which the source text of the function does not include.
    const nameHelper = "const __name = (value) => value;";
    const parameters = [path, readOnly, timeoutMs, ANNOUNCED_BYTES, OUT_OF_MEMORY].map((value) =>
      JSON.stringify(value),
    );
    const call = `(${sqliteProgram.toString()})(${parameters.join(", ")});`;
    this.#child = spawn(process.execPath, ["--no-warnings", "-e", nameHelper + call], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
      env: {},
    });
    this.#child.on("message", (answer) => this.#onAnswer(answer as SqliteAnswer));
    this.#ended = new Promise((resolve) => {
      const end = (outcome: Outcome): void => {
        this.#onAnswer(outcome);
        resolve();
      };
      this.#child.once("error", () => end(undefined));
      this.#child.once("exit", (_status, signal) =>
        end(signal === OUT_OF_MEMORY ? "out of memory" : undefined),
      );
    });
    this.#keepServerRunning(false);
  }

  async run(request: SqliteRequest, reserve: Reserve): Promise<ReceivedAnswer | Deferral> {
    this.#keepServerRunning(true);
    const answer = await this.#ask(request);
    const received =
      typeof answer === "object" && "announced" in answer
        ? await this.#receive(reserve(answer.announced))
        : answer;
    this.#keepServerRunning(false);
    return received;
  }

  /** Receives the announced answer if there is memory for it. Otherwise the process drops it. */
  async #receive(admission: Awaitable<void>): Promise<ReceivedAnswer | Deferral> {
    if (!(admission instanceof Promise)) return (await this.#ask("send")) as ReceivedAnswer;
    // Who runs the statement may be gone when it fails.
    admission.catch(ignore);
    this.#child.send("drop" satisfies SqliteOrder, ignore);
    return { admission };
  }

  #ask(message: SqliteRequest | SqliteOrder): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#onAnswer = resolve;
      this.#child.send(message, (error) => error && resolve(undefined));
    });
  }

  async end(): Promise<void> {
    this.#keepServerRunning(true);
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  #keepServerRunning(isBusy: boolean): void {
    const method = isBusy ? "ref" : "unref";
    this.#child[method]();
    // On Bun, the channel has no such methods, and keeps no process alive.
    (this.#child.channel as Partial<Control> | null | undefined)?.[method]?.();
  }
}

function ignore(): void {}
