import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import {
  ReadBuffer,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import type { CommandLine } from "./project-clients.js";

/**
 * A client's side of stdio with a server that a command starts through other processes, as package managers do. Closing it
 * ends them all: the transport of the SDK ends the first of them only, and waits for the others.
 */
export class GroupTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** Lines that are no messages, such as those that name the script. */
  readonly otherLines: string[] = [];
  /** What the processes wrote to stderr. */
  log = "";
  readonly #line: CommandLine;
  readonly #read = new ReadBuffer();
  #child: ChildProcess | undefined;

  constructor(line: CommandLine) {
    this.#line = line;
  }

  async start(): Promise<void> {
    const { command, args, folder, env } = this.#line;
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      detached: true,
    });
    this.#child = child;
    child.on("error", (error) => this.onerror?.(error));
    child.on("close", () => this.onclose?.());
    child.stdin.on("error", (error) => this.onerror?.(error));
    child.stderr.on("data", (chunk: Buffer) => (this.log += chunk.toString()));
    this.#readFrom(child.stdout);
    await once(child, "spawn");
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin as Writable;
    await new Promise<void>((resolve) => stdin.write(serializeMessage(message), () => resolve()));
  }

  /** Ends the input first, as clients do. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    child.stdin?.end();
    process.kill(-child.pid, "SIGTERM");
    await closed;
  }

  #readFrom(stdout: Readable): void {
    let rest = "";
    stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("{")) this.#read.append(Buffer.from(`${line}\n`));
        else this.otherLines.push(line);
      }
      for (let message; (message = this.#read.readMessage()) !== null;) this.onmessage?.(message);
    });
  }
}
