import type { RunningServer } from "../server/create-server.js";
import { describeError } from "../engine/describe-error.js";
import { drainMs, noticeMs, servicesMs, writeMs, type RunningTransport } from "./transport.js";

/** Exit statuses of the process. Shells use the last two for processes that a signal ended. */
export const exitStatus = { success: 0, failure: 1, usage: 2, interrupted: 130, terminated: 143 };

/** Closes the transports, then the server, then the services, once, and ends the process. */
export class ShutDown {
  readonly #server: RunningServer;
  readonly #closeServices: () => unknown;
  readonly #transports: RunningTransport[] = [];
  #stopping = false;
  #isWorker = false;

  constructor(server: RunningServer, closeServices: () => unknown) {
    this.#server = server;
    this.#closeServices = closeServices;
  }

  /** Adds a transport, which is closed before the process ends. */
  add(transport: RunningTransport): void {
    this.#transports.push(transport);
  }

  /**
   * Shuts down on SIGINT, on SIGTERM and after an uncaught exception. An unhandled rejection is only logged.
   * @param isWorker Whether a primary process decides when to end at once. Otherwise, a second signal does that.
   */
  listen(isWorker = false): void {
    const { log } = this.#server;
    this.#isWorker = isWorker;
    process.on("SIGINT", () => this.#onSignal("SIGINT", exitStatus.interrupted));
    process.on("SIGTERM", () => this.#onSignal("SIGTERM", exitStatus.terminated));
    process.on("unhandledRejection", (reason) => {
      log.error("unhandled rejection", { error: describeError(reason) });
    });
    process.on("uncaughtException", (error) => {
      log.error("uncaught exception", { error: describeError(error) });
      this.run("uncaught exception", exitStatus.failure);
    });
  }

  /** Lets running calls finish, closes everything, and exits. */
  run(reason: string, status = exitStatus.success): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#server.log.info("stopping", { reason });
    // A transport may wait up to three times for what it has written.
    const limitMs = noticeMs + drainMs + servicesMs + 3 * writeMs;
    setTimeout(() => process.exit(exitStatus.failure), limitMs).unref();
    void this.#closeAll().then((closed) => process.exit(closed ? status : exitStatus.failure));
  }

  #onSignal(signal: NodeJS.Signals, status: number): void {
    if (this.#stopping && !this.#isWorker) process.exit(status);
    this.run(signal);
  }

  async #closeAll(): Promise<boolean> {
    try {
      await Promise.all(this.#transports.map((transport) => transport.close()));
      await this.#server.close();
      await this.#closeServices();
      return true;
    } catch (error) {
      this.#server.log.error("could not stop cleanly", { error: describeError(error) });
      return false;
    }
  }
}
