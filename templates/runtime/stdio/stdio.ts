import { isUtf8 } from "node:buffer";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { RequestId } from "@modelcontextprotocol/server";
import { ConnectionFastPath } from "../fast-path/connection.js";
import type { RunningServer } from "../server/create-server.js";
import { describeError } from "../engine/describe-error.js";
import { unforeseenError } from "../engine/errors.js";
import { limitInWords } from "../engine/limits.js";
import { parseMessage, withoutMark } from "../engine/message-json.js";
import { answerToRefused } from "../engine/protocol-errors.js";
import type { StdioConnection } from "./connection.js";
import { Lines } from "./lines.js";
import { WaitGroup } from "../engine/wait-group.js";
import { drainMs, writeMs, type RunningTransport } from "../start/transport.js";

/** Longest message that the fast path takes, in bytes. */
const maxFastPathBytes = 2 ** 20;

/**
 * Serves one client, who writes to `input` and reads from `output`.
 * @param onEnd Called once: when the client has closed the input and its requests are answered or `drainMs` is over,
 * or when a stream has failed or the SDK cannot be loaded.
 */
export function serveStdioClient(
  server: RunningServer,
  output: Writable,
  onEnd: () => void,
  input: Readable = process.stdin,
): RunningTransport {
  const stdio = new Stdio(server, output);
  void stdio.serve(input).then(onEnd);
  return stdio;
}

/** Serves one client; each line is a message. */
class Stdio implements RunningTransport {
  readonly #server: RunningServer;
  readonly #output: Writable;
  readonly #fastPath: ConnectionFastPath | undefined;
  /** The requests that the SDK has not answered yet. */
  readonly #unanswered = new WaitGroup<RequestId>();
  readonly #ended: Promise<void>;
  #end: () => void = () => undefined;
  #hasEnded = false;
  #unsent: (string | Buffer)[] = [];
  #connection: Promise<StdioConnection | undefined> | undefined;

  constructor(server: RunningServer, output: Writable) {
    const { fastEngine, observer } = server;
    this.#server = server;
    this.#output = output;
    this.#ended = new Promise((resolve) => (this.#end = resolve));
    void this.#ended.then(() => (this.#hasEnded = true));
    // A client that has gone away must not end the process before it is shut down.
    output.on("error", () => this.#end());
    this.#fastPath =
      fastEngine &&
      new ConnectionFastPath(fastEngine, {
        observer,
        send: (...parts) => this.#send(parts),
      });
  }

  /**
   * Resolves when the client has closed the input and its requests are answered or `drainMs` is over, or when a
   * stream has failed or the SDK cannot be loaded.
   */
  async serve(input: Readable): Promise<void> {
    const lines = new Lines(this.#server.limits.bodyBytes, {
      take: (line) => this.#receive(line),
      skip: (outline) => this.#refuse(outline.topLevelMembers()),
    });
    input.on("data", (chunk: Buffer) => this.#hasEnded || lines.add(chunk));
    input.on("error", () => this.#end());
    const closed = new Promise((resolve) => input.on("end", resolve).on("close", resolve));
    await Promise.race([closed.then(() => this.#finish()), this.#ended]);
    this.#fastPath?.close();
  }

  async close(): Promise<void> {
    await this.#server.drain(drainMs);
    await this.#answeredWithin(writeMs);
    await (await this.#connection)?.close();
    this.#write();
    await flush(this.#output);
  }

  /** Waits for answers, then ends the input of the SDK, which aborts running calls. */
  async #finish(): Promise<void> {
    await this.#answeredWithin(drainMs);
    await (await this.#connection)?.close();
  }

  async #answeredWithin(milliseconds: number): Promise<void> {
    await this.#fastPath?.answeredWithin(milliseconds);
    await this.#connection;
    await this.#unanswered.doneWithin(milliseconds);
  }

  #receive(bytes: Buffer): void {
    const received = withoutMark(bytes);
    const fastPath = this.#fastPath;
    let message: unknown;
    try {
      const line = this.#server.definition.convertMessage?.(received) ?? received;
      if (fastPath === undefined) return this.#passToSdk(line);
      message = line.length <= maxFastPathBytes && isUtf8(line) ? parse(line) : undefined;
      // The SDK ignores such lines, too.
      if (message === notJson) return;
      fastPath.take(message, () => this.#passToSdk(line));
    } catch (thrown) {
      this.#fail(thrown, message);
    }
  }

  /** Answers a message whose handling failed unforeseen, and goes on. */
  #fail(thrown: unknown, message: unknown): void {
    const { code, message: text } = unforeseenError(thrown, this.#server.log, "message failed");
    const answer = answerToRefused(message, { code, message: text });
    if (answer !== undefined) this.#send([JSON.stringify(answer)]);
  }

  /**
   * Answers a message that was too long to read.
   * @param members Its outermost members; undefined if they are not known.
   */
  #refuse(members: Readonly<Record<string, unknown>> | undefined): void {
    const { limits, refusals } = this.#server;
    const reason = `Message too large (${limitInWords(limits, "bodyBytes")})`;
    const error = { code: -32000, message: reason };
    const { id, method } = members ?? {};
    const refusal = { status: 413, reason, code: error.code };
    const exceeded = { limit: "bodyBytes" } as const;
    refusals.report("stdio", refusal, { message: members, exceeded });
    if (members !== undefined && id === undefined) return;
    const answer = JSON.stringify({ jsonrpc: "2.0", ...(isId(id) && { id }), error });
    // The message is a client's answer. The waiting question gets the error instead.
    if (isId(id) && method === undefined) this.#passToSdk(Buffer.from(`${answer}\n`));
    else this.#send([answer]);
  }

  #passToSdk(line: Buffer): void {
    this.#connection ??= this.#connect().catch((error: unknown) => {
      this.#server.log.error("the SDK could not be loaded", { error: describeError(error) });
      this.#end();
      return undefined;
    });
    // Lines that arrive while the SDK is loaded keep their order.
    void this.#connection.then((connection) => connection?.receive(line));
  }

  async #connect(): Promise<StdioConnection> {
    const { earlierMessages, handled } = this.#fastPath ?? {};
    const options = {
      unanswered: this.#unanswered,
      ...(earlierMessages && { earlierMessages }),
      ...(handled && { handled }),
    };
    const { connectStdio } = await import("./connection.js");
    return connectStdio(this.#server, this.#output, this.#end, options);
  }

  #send(parts: readonly (string | Buffer)[]): void {
    if (this.#unsent.length === 0) process.nextTick(() => this.#write());
    this.#unsent.push(...parts, "\n");
  }

  /** Writes the messages of one turn of the event loop together, since each write is a system call. */
  #write(): void {
    const parts = this.#unsent;
    this.#unsent = [];
    if (parts.length === 0 || !this.#output.writable) return;
    const isText = parts.every((part) => typeof part === "string");
    this.#output.write(isText ? parts.join("") : Buffer.concat(parts.map(toBytes)));
  }
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

function toBytes(part: string | Buffer): Buffer {
  return typeof part === "string" ? Buffer.from(part) : part;
}

const notJson = Symbol();

function parse(line: Buffer): unknown {
  try {
    return parseMessage(line.toString());
  } catch {
    return notJson;
  }
}

/** Resolves when the output is written, when it has closed, or after `writeMs`. */
async function flush(output: Writable): Promise<void> {
  if (output.destroyed) return;
  const closed = once(output, "close").catch(() => undefined);
  output.end();
  await Promise.race([closed, delay(writeMs)]);
}
