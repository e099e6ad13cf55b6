import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { access } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { freePort } from "./free-port.js";

/** The path at which Debian installs Redis. */
const PROGRAM = "/usr/bin/redis-server";

/** A Redis server for tests on a free port of this machine. It writes nothing to disk. */
export class LocalRedis {
  readonly #port: number;
  readonly #settings: readonly string[];
  #server: ChildProcess;

  private constructor(port: number, settings: readonly string[]) {
    this.#port = port;
    this.#settings = settings;
    this.#server = this.#spawn();
  }

  /** Why Redis cannot run on this machine; undefined if it can. */
  static async whyWithout(): Promise<string | undefined> {
    return access(PROGRAM).then(
      () => undefined,
      () => "redis-server is not installed",
    );
  }

  /** @param settings further arguments of the program, for example `--maxmemory 1mb` */
  static async start(...settings: readonly string[]): Promise<LocalRedis> {
    const redis = new LocalRedis(await freePort(), settings);
    await redis.#wait();
    return redis;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Suspends the process: connections stay open, but nothing is answered. */
  pause(): void {
    this.#server.kill("SIGSTOP");
  }

  resume(): void {
    this.#server.kill("SIGCONT");
  }

  /** Sends a command, whose words are separated by spaces. @returns the reply of Redis */
  async send(command: string): Promise<string> {
    return ask(this.#port, command);
  }

  /** Kills the process. Its data is lost. */
  async stop(): Promise<void> {
    const ended = once(this.#server, "exit");
    if (!this.#server.kill("SIGKILL")) return;
    await ended;
  }

  /** Starts the process again after {@link stop}, on the same port. */
  async startAgain(): Promise<void> {
    this.#server = this.#spawn();
    await this.#wait();
  }

  #spawn(): ChildProcess {
    const flags = ["--bind", "127.0.0.1", "--port", String(this.#port), "--dir", tmpdir()];
    const volatile = ["--save", "", "--appendonly", "no"];
    return spawn(PROGRAM, [...flags, ...volatile, ...this.#settings], { stdio: "ignore" });
  }

  async #wait(): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const answer = await ask(this.#port, "PING").catch(() => "");
      if (answer.startsWith("+PONG")) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error("Redis has not started");
  }
}

function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`${command}\r\n`));
    socket.on("error", reject);
    socket.on("data", (data) => {
      resolve(data.toString());
      socket.destroy();
    });
  });
}
