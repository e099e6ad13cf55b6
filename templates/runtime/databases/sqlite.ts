import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { isBuiltin } from "node:module";
import { abortSignalOf, orStopped } from "../backends/stop-signal.js";
import type { StopSignal } from "../engine/cancellation.js";
import { ToolError } from "../engine/errors.js";
import type { DatabaseConnections, DatabaseSettings, Found, Statement } from "./definition.js";
import { refusal, SettingError, timeOut, unreachable, withoutValues } from "./failures.js";
import { sqliteProgram, type SqliteAnswer, type SqliteQuestion } from "./sqlite-program.js";

/**
 * What a read-only connection may run. `attach` would open other files, and `vacuum into` write them, also
 * where the database itself is opened for reading only.
 */
const READS = /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(?:select|with|values|explain)\b/i;

export function openSqlite(settings: DatabaseSettings): DatabaseConnections {
  return new SqliteConnections(settings);
}

/** Processes that hold the database open: some that read, and one that writes. */
class SqliteConnections implements DatabaseConnections {
  readonly #settings: DatabaseSettings;
  readonly #readers: ProcessPool;
  readonly #writer: ProcessPool;

  constructor(settings: DatabaseSettings) {
    const { definition, place } = settings;
    this.#settings = settings;
    const start = (readOnly: boolean) => () =>
      new SqliteProcess(place, readOnly, definition.timeoutMs);
    this.#readers = new ProcessPool(start(true), definition.poolSize);
    this.#writer = new ProcessPool(start(false), 1);
  }

  async run(statement: Statement, stop: StopSignal): Promise<Found> {
    const { text, values, write, maxRows } = statement;
    const { name, timeoutMs } = this.#settings.definition;
    await this.check();
    if (!write && !READS.test(text)) throw refusal(name, "it may only read");
    const signal = abortSignalOf(stop);
    const limit = AbortSignal.timeout(timeoutMs);
    const question = { text, maxRows, values: Array.isArray(values) ? {} : values };
    const pool = write ? this.#writer : this.#readers;
    const answer = await pool
      .ask(question as SqliteQuestion, AbortSignal.any([signal, limit]))
      .catch((error: unknown) => {
        if (signal.aborted) throw signal.reason;
        throw limit.aborted ? timeOut(name, timeoutMs) : error;
      });
    if (answer === undefined) throw unreachable(name);
    if ("error" in answer) {
      const words = withoutValues(answer.error, statement);
      throw refusal(name, this.#settings.masking.text(words));
    }
    const { rows, isCut, changed } = answer;
    return { rows, isCut, ...(write && rows.length === 0 && { changed }) };
  }

  async check(): Promise<void> {
    const { definition, place, variable } = this.#settings;
    // Loading it would bring Node.js's warning into the server's log.
    if (!isBuiltin("node:sqlite")) {
      throw new SettingError(`the database ${definition.name} needs Node.js 22.13 or newer`);
    }
    if (existsSync(place)) return;
    const named = variable === "" ? "" : ` (${variable})`;
    throw new ToolError(`The file of the database ${definition.name}${named} is not there.`);
  }

  async close(): Promise<void> {
    await Promise.all([this.#readers.close(), this.#writer.close()]);
  }
}

/** Processes that are started when all others are busy, up to a number. */
class ProcessPool {
  readonly #start: () => SqliteProcess;
  readonly #size: number;
  readonly #all = new Set<SqliteProcess>();
  readonly #idle: SqliteProcess[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor(start: () => SqliteProcess, size: number) {
    this.#start = start;
    this.#size = size;
  }

  /** Undefined where the process ended by itself. @throws the reason of the signal */
  async ask(question: SqliteQuestion, signal: AbortSignal): Promise<SqliteAnswer | undefined> {
    const process = await this.#take(signal);
    try {
      const answer = await orStopped(process.ask(question), signal);
      if (answer !== undefined) this.#idle.push(process);
      else this.#all.delete(process);
      return answer;
    } catch (error) {
      this.#all.delete(process);
      void process.end();
      throw error;
    } finally {
      this.#waiting.shift()?.();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((process) => process.end()));
  }

  async #take(signal: AbortSignal): Promise<SqliteProcess> {
    for (;;) {
      const process = this.#idle.pop() ?? this.#another();
      if (process !== undefined) return process;
      await this.#turn(signal);
    }
  }

  /** Waits until a process may be free. */
  async #turn(signal: AbortSignal): Promise<void> {
    let next = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      next = resolve;
    });
    this.#waiting.push(next);
    try {
      await orStopped(turn, signal);
    } catch (error) {
      const index = this.#waiting.indexOf(next);
      if (index >= 0) this.#waiting.splice(index, 1);
      else this.#waiting.shift()?.();
      throw error;
    }
  }

  #another(): SqliteProcess | undefined {
    if (this.#all.size >= this.#size) return undefined;
    const process = this.#start();
    this.#all.add(process);
    return process;
  }
}

/** One process, which gets nothing of the server's environment. It answers one question at a time. */
class SqliteProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  /** Takes the answer to the question that was asked. */
  #answered: (answer: SqliteAnswer | undefined) => void = () => undefined;

  constructor(path: string, readOnly: boolean, timeoutMs: number) {
    // esbuild names functions by a function that a text does not bring along.
    const named = "const __name = (value) => value;";
    const call = `(${sqliteProgram.toString()})(${JSON.stringify(path)}, ${readOnly}, ${timeoutMs});`;
    this.#child = spawn(process.execPath, ["--no-warnings", "-e", named + call], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
      env: {},
    });
    this.#child.on("message", (answer) => this.#answered(answer as SqliteAnswer));
    this.#ended = new Promise((resolve) => {
      const end = (): void => {
        this.#answered(undefined);
        resolve();
      };
      this.#child.once("error", end);
      this.#child.once("exit", end);
    });
    this.#keepServerRunning(false);
  }

  /** Undefined where the process ended by itself, as it does where the file is no database. */
  async ask(question: SqliteQuestion): Promise<SqliteAnswer | undefined> {
    this.#keepServerRunning(true);
    const answer = await new Promise<SqliteAnswer | undefined>((resolve) => {
      this.#answered = resolve;
      this.#child.send(question, (error) => error && resolve(undefined));
    });
    this.#keepServerRunning(false);
    return answer;
  }

  async end(): Promise<void> {
    this.#keepServerRunning(true);
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  #keepServerRunning(isBusy: boolean): void {
    const change = isBusy ? "ref" : "unref";
    this.#child[change]();
    this.#child.channel?.[change]();
  }
}
