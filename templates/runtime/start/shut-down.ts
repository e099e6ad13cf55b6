import type { RunningServer } from "../server/create-server.js";
import { describeError } from "../engine/describe-error.js";
import { drainMs, noticeMs, servicesMs, type RunningTransport } from "./transport.js";

/** Exit statuses of the process; the last two are what shells expect after a signal. */
export const exitStatus = { success: 0, failure: 1, usage: 2, interrupted: 130, terminated: 143 };

/** Closes transports, server and services in order, once, and ends the process. */
export class ShutDown {
  readonly #server: RunningServer;
  readonly #closeServices: () => unknown;
  readonly #transports: RunningTransport[] = [];
  #stopping = false;

  constructor(server: RunningServer, closeServices: () => unknown) {
    this.#server = server;
    this.#closeServices = closeServices;
  }

  /** A transport to close when the process ends. */
  add(transport: RunningTransport): void {
    this.#transports.push(transport);
  }

  /**
   * Ends the process on SIGINT and SIGTERM, at once if it is the second signal, and after an
   * exception that nobody caught. A rejection that nobody waits for is only logged.
   */
  listen(): void {
    const { log } = this.#server;
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
    const limitMs = noticeMs + drainMs + servicesMs;
    setTimeout(() => process.exit(exitStatus.failure), limitMs).unref();
    void this.#closeAll().then((closed) => process.exit(closed ? status : exitStatus.failure));
  }

  #onSignal(signal: NodeJS.Signals, status: number): void {
    if (this.#stopping) process.exit(status);
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
