import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { serverEnvironment, type ServerContract } from "../contract.js";

/** How long a server may go on when its client is closed, in milliseconds. */
const PATIENCE = 4_000;

/** What a server has written to stdout, and how it ended. */
export interface EndedServer {
  readonly status: number | null;
  readonly lines: readonly string[];
}

/**
 * The built server as a process with `--stdio`, which a client connects to. The SDK's transport of this kind starts the
 * server twice, first to find out the protocol version, and tells neither what the server wrote nor how it ended.
 */
export class StdioProcess implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly stderr: Readable;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #status: Promise<number | null>;
  readonly #lines: string[] = [];
  /** The beginning of the line that is not complete. */
  #rest = "";

  constructor(contract: ServerContract) {
    const { folder, entry } = contract.project;
    this.#child = spawn(process.execPath, [...entry, "--stdio"], {
      cwd: fileURLToPath(folder),
      env: serverEnvironment(contract),
      stdio: "pipe",
    });
    this.stderr = this.#child.stderr;
    this.#status = new Promise((resolve) => this.#child.once("close", resolve));
  }

  /** The SDK takes a transport with `pid` and `stderr` for one over stdio. */
  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  async start(): Promise<void> {
    const { stdin, stdout } = this.#child;
    this.#child.once("error", (error) => this.onerror?.(error));
    // A server that has ended accepts no input. Its exit status and stderr are more helpful.
    stdin.on("error", () => undefined);
    stdout.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    void this.#status.then(() => this.onclose?.());
  }

  #read(text: string): void {
    const parts = text.split("\n");
    for (const part of parts.slice(0, -1)) {
      this.#receive(this.#rest + part);
      this.#rest = "";
    }
    this.#rest += parts.at(-1);
  }

  #receive(line: string): void {
    this.#lines.push(line);
    try {
      this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await new Promise((resolve) =>
      this.#child.stdin.write(`${JSON.stringify(message)}\n`, resolve),
    );
  }

  /** Ends the server's input, and waits until the server has ended. */
  async end(): Promise<EndedServer> {
    this.#child.stdin.end();
    const status = await this.#status;
    return { status, lines: this.#rest === "" ? this.#lines : [...this.#lines, this.#rest] };
  }

  async close(): Promise<void> {
    const limit = setTimeout(() => this.#child.kill("SIGKILL"), PATIENCE);
    await this.end();
    clearTimeout(limit);
  }
}
