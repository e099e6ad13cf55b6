import type { Readable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { testText } from "../expectation.js";

const longestTail = 4_000;
/** Milliseconds to wait for the last words of a server that has just died. */
const patience = 500;
/** What a server logs whose handler wants a service that the tests do not give. */
const MISSING_SERVICE = /needs ctx\.services\.\w+: give it in test\/services\.ts/;

/** What a test's server has written to stderr, to be read when the test fails. */
export class ServerStderr {
  #tail = "";
  readonly #stream: Readable;
  readonly #ended: Promise<void>;

  constructor(stream: Readable) {
    this.#stream = stream;
    this.#ended = new Promise((resolve) => {
      stream.once("end", resolve).once("close", resolve);
    });
    stream.on("data", (text: Buffer | string) => {
      this.#tail = (this.#tail + String(text)).slice(-longestTail);
    });
  }

  /** The first group of the pattern, once it is written. @throws Error when the stream ends without it */
  async find(pattern: RegExp): Promise<string> {
    const found = new Promise<string>((resolve) => {
      const look = (): void => {
        const text = pattern.exec(this.#tail)?.[1];
        if (text !== undefined) resolve(text);
      };
      this.#stream.on("data", look);
      look();
    });
    const text = await Promise.race([found, this.#ended]);
    if (text === undefined) throw new Error("the server did not start");
    return text;
  }

  /** The service that a handler has wanted in vain since the last call of this, in words. */
  async missingService(): Promise<string | undefined> {
    // What was written before an answer is read by the end of the turn in which the answer is.
    await nextTurn();
    const found = MISSING_SERVICE.exec(this.#tail)?.[0];
    if (found !== undefined) this.#tail = "";
    return found;
  }

  /** Runs a step of a test; when it fails, the error says what the server wrote last. */
  async explain<Value>(run: () => Promise<Value>): Promise<Value> {
    try {
      return await run();
    } catch (error) {
      await Promise.race([this.#ended, delay(patience)]);
      if (error instanceof Error) error.message += this.#lastWords();
      throw error;
    }
  }

  #lastWords(): string {
    const tail = this.#tail.trim();
    if (tail === "") return "\nThe server wrote nothing to stderr.";
    return ["\nThe server's stderr:", ...tail.split("\n").map(testText)].join("\n    ");
  }
}
