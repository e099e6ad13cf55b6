import type { Worker } from "node:cluster";
import type { Socket } from "node:net";
import type { Logger } from "../observe/log.js";
import type { FromWorker, ToWorker } from "./messages.js";
import { passLines } from "./lines.js";

/** The shortest and the longest pause before a worker is replaced, in milliseconds. It doubles with each failure. */
const pauseMs = { shortest: 100, longest: 30_000 };

/** A worker that has served for this time has not failed at its start, in milliseconds. */
const stableMs = 10_000;

/** How often it is checked whether workers have said that they are not stuck, in milliseconds. */
const checkingMs = 1_000;

/** A worker that is silent over so many checks is stuck: its event loop does nothing else meanwhile. */
const maxSilentChecks = 30;

/** The place of a worker, which another one takes when it ends. */
interface Place {
  readonly number: number;
  worker: Worker | undefined;
  /** When its worker began to serve; undefined before. */
  servedAt: number | undefined;
  /** How many of its workers have ended, one after the other, before they were stable. */
  failures: number;
  silentChecks: number;
  replacing: NodeJS.Timeout | undefined;
}

/** The settings of a supervisor, and the functions that it calls. */
export interface SupervisorOptions {
  readonly count: number;
  readonly log: Logger;
  /** Starts a worker. */
  fork(): Worker;
  /** Writes lines of a worker's stderr. */
  write(lines: string): void;
  received(worker: number, message: FromWorker): void;
  /** Called when a worker has ended. */
  left(worker: number): void;
}

/** How a worker ended that has never served. */
export interface FailedStart {
  readonly status: number;
}

/** Starts workers, replaces those that end or are stuck, and stops all of them. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #places: readonly Place[];
  readonly #checking: NodeJS.Timeout;
  /** The message that tells workers to stop; undefined until they must. */
  #stopMessage: ToWorker | undefined;
  /** Whether a worker has served, so that workers that end are replaced. */
  #hasServed = false;
  #hasFailed = false;
  /** Called with the place when a worker begins to serve or has ended. */
  #changed: (place: Place, status?: number) => void = () => undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.count }, (_, index) => ({
      number: index + 1,
      worker: undefined,
      servedAt: undefined,
      failures: 0,
      silentChecks: 0,
      replacing: undefined,
    }));
    this.#checking = setInterval(() => this.#endStuck(), checkingMs).unref();
  }

  /**
   * Starts the first worker, which finds out whether the server can be started, and then the others.
   * @returns undefined when all serve, or how the first one ended
   */
  async start(): Promise<FailedStart | undefined> {
    const [first, ...others] = this.#places;
    if (first === undefined) return undefined;
    const failed = await new Promise<FailedStart | undefined>((resolve) => {
      this.#changed = (place, status) => {
        if (place.servedAt !== undefined) resolve(undefined);
        else if (status !== undefined) resolve({ status });
      };
      this.#fork(first);
    });
    if (failed !== undefined || this.#stopMessage !== undefined) return failed;
    await new Promise<void>((resolve) => {
      this.#changed = () => {
        if (this.#places.every(({ servedAt }) => servedAt !== undefined)) resolve();
      };
      for (const place of others) this.#fork(place);
      this.#changed(first);
    });
    return undefined;
  }

  /** Sends a message to a worker. It is lost if the worker has ended. */
  send(worker: number, message: ToWorker): void {
    const process = this.#places[worker - 1]?.worker?.process;
    if (process?.connected === true) process.send(message, () => undefined);
  }

  /** Hands a connection to a worker. @returns whether the worker serves */
  hand(worker: number, socket: Socket): boolean {
    const place = this.#places[worker - 1];
    const process = place?.worker?.process;
    if (place?.servedAt === undefined || process?.connected !== true) return false;
    const message: ToWorker = { kind: "connection" };
    process.send(message, socket, (error) => {
      if (error !== null) socket.destroy();
    });
    return true;
  }

  /**
   * Tells all workers to stop, and waits until they have ended.
   * @param limitMs the time after which workers that still run are killed
   * @returns whether all ended by themselves, without an error
   */
  async stop(message: ToWorker, limitMs: number): Promise<boolean> {
    this.#stopMessage = message;
    clearInterval(this.#checking);
    const deadline = setTimeout(() => this.kill(), limitMs);
    const ended = new Promise<void>((resolve) => {
      this.#changed = () => {
        if (this.#places.every(({ worker }) => worker === undefined)) resolve();
      };
    });
    for (const place of this.#places) {
      clearTimeout(place.replacing);
      this.send(place.number, message);
      this.#changed(place);
    }
    await ended;
    clearTimeout(deadline);
    return !this.#hasFailed;
  }

  /** Ends all workers at once. */
  kill(): void {
    for (const { worker } of this.#places) worker?.process.kill("SIGKILL");
  }

  #fork(place: Place): void {
    const worker = this.#options.fork();
    Object.assign(place, { worker, servedAt: undefined, silentChecks: 0, replacing: undefined });
    const { stderr } = worker.process;
    if (stderr !== null) passLines(stderr, (lines) => this.#options.write(lines));
    worker.on("message", (message: FromWorker) => {
      place.silentChecks = 0;
      if (message.kind === "serving") {
        place.servedAt = performance.now();
        this.#hasServed = true;
        this.#changed(place);
      } else this.#options.received(place.number, message);
      // Messages from before it listened are lost.
      const isStarting = message.kind === "question" && message.about === "hello";
      if (isStarting && this.#stopMessage !== undefined) this.send(place.number, this.#stopMessage);
    });
    // A worker whose program cannot be started, or that ends while it is sent something, also exits.
    worker.on("error", () => undefined);
    worker.process.once("exit", (code, signal) => this.#ended(place, code, signal));
  }

  #ended(place: Place, code: number | null, signal: NodeJS.Signals | null): void {
    const servedMs = place.servedAt === undefined ? 0 : performance.now() - place.servedAt;
    Object.assign(place, { worker: undefined, servedAt: undefined });
    this.#options.left(place.number);
    // A signal to the whole group may end a worker that has not begun to listen for it.
    if (code !== 0 && signal !== "SIGTERM" && signal !== "SIGINT") this.#hasFailed = true;
    if (this.#stopMessage === undefined && this.#hasServed)
      this.#replace(place, servedMs, { code, signal });
    this.#changed(place, code ?? 1);
  }

  #replace(place: Place, servedMs: number, end: object): void {
    place.failures = servedMs >= stableMs ? 0 : place.failures + 1;
    const { shortest, longest } = pauseMs;
    const inMs = Math.min(longest, shortest * 2 ** Math.max(0, place.failures - 1));
    const { log } = this.#options;
    log.error("a worker has ended, and another one replaces it", {
      worker: place.number,
      ...end,
      inMs,
    });
    this.#hasFailed = false;
    place.replacing = setTimeout(() => this.#fork(place), inMs);
  }

  #endStuck(): void {
    for (const place of this.#places) {
      if (place.servedAt === undefined || ++place.silentChecks < maxSilentChecks) continue;
      this.#options.log.error("a worker does nothing any more, and is ended", {
        worker: place.number,
      });
      place.worker?.process.kill("SIGKILL");
    }
  }
}
