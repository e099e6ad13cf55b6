import type { Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { messageIn } from "../connections/incoming-message.js";
import { parseMessage } from "../engine/message-json.js";
import { answerToRefused, invalidMessage } from "../engine/protocol-errors.js";
import type { RequestObserver } from "../observe/request-observer.js";

/** The SDK's transport over one client's lines. Each is a message. */
export class LineTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #output: Writable;
  readonly #observer: RequestObserver | undefined;
  #isClosed = false;

  /** @param observer Observes the lines that are refused; undefined if nothing observes requests. */
  constructor(output: Writable, observer: RequestObserver | undefined) {
    this.#output = output;
    this.#observer = observer;
  }

  start(): Promise<void> {
    this.#output.on("error", (error) => {
      if (this.#isClosed) return;
      this.onerror?.(error);
      void this.close();
    });
    return Promise.resolve();
  }

  /** Takes a line of the client. A line that is not JSON is ignored. */
  receive(line: Buffer): void {
    if (this.#isClosed) return;
    let value: unknown;
    try {
      value = parseMessage(line.toString());
    } catch (error) {
      return this.onerror?.(error as Error);
    }
    const message = messageIn(value);
    if (message !== undefined) return this.onmessage?.(message);
    const { code, message: reason } = invalidMessage;
    this.#observer?.refuse("stdio", { status: 400, reason, code }, value);
    const answer = answerToRefused(value, invalidMessage);
    if (answer !== undefined) this.send(answer).catch(() => undefined);
  }

  /** Resolves when the message is written. */
  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("the client is gone"));
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error == null) resolve();
        else reject(error);
      });
    });
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.onclose?.();
    return Promise.resolve();
  }
}
