import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { bundledProgram } from "../../../../../templates/runtime/samples/bundled-program.js";

const PROGRAM = await bundledProgram(new URL("./guarded-server.js", import.meta.url));

/** A process of the guarded server. */
export class ServerProcess {
  readonly child: ChildProcess;
  readonly logLines: string[] = [];
  readonly #urls = new Map<string, string>();
  #serving: () => void = () => undefined;
  readonly #started: Promise<void>;

  private constructor(servedAs: string, flags: readonly string[]) {
    this.child = spawn(process.execPath, [PROGRAM, ...flags], {
      env: { ...process.env, SERVED_AS: servedAs },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.child.stdin?.on("error", () => undefined);
    this.#started = new Promise((resolve, reject) => {
      this.#serving = resolve;
      this.child.once("exit", () => reject(new Error(this.logLines.join("\n"))));
    });
    createInterface({ input: this.child.stderr! }).on("line", (line) => this.#read(line));
  }

  static async start(servedAs: string, flags: readonly string[]): Promise<ServerProcess> {
    const server = new ServerProcess(servedAs, flags);
    await server.#started;
    return server;
  }

  /** The URL of a transport. */
  url(transport: string): URL {
    return new URL(this.#urls.get(transport) ?? "");
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The lines of the log that report a failure, or hold the place of an error in the code. */
  get failures(): readonly string[] {
    return this.logLines.filter((line) => /"level":"error"|\\n {4}at |node:internal/.test(line));
  }

  async stop(): Promise<void> {
    if (!this.isAlive) return;
    const exited = once(this.child, "exit");
    this.child.kill();
    await exited;
  }

  #read(line: string): void {
    this.logLines.push(line);
    const [, transport, url] =
      /"serving","transport":"(\w+)"(?:,"url":"([^"]+)")?/.exec(line) ?? [];
    if (transport === undefined) return;
    if (url !== undefined) this.#urls.set(transport, url);
    // The listener is the last to say that it serves; its transports follow each other in one turn.
    setImmediate(this.#serving);
  }
}
