import type { Readable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { testText } from "../expectation.js";

const maxTailLength = 4_000;
/** Time to wait for the last lines of a server that has just ended, in milliseconds. */
const patience = 500;
/** Finds the log entry of a handler that needs a service which the tests do not have. */
const MISSING_SERVICE = /needs ctx\.services\.\w+: give it in test\/services\.ts/;

/** The stderr of a test's server, for the messages of tests that fail. */
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
      this.#tail = (this.#tail + String(text)).slice(-maxTailLength);
    });
  }

  /** Resolves with the first group of the pattern when it is written. @throws Error if the stream ends before */
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

  /** Returns a description of the missing service that a handler needed since the last call of this method. */
  async missingService(): Promise<string | undefined> {
    // Lines that were written before an answer are read in the same turn of the event loop as the answer.
    await nextTurn();
    const found = MISSING_SERVICE.exec(this.#tail)?.[0];
    if (found !== undefined) this.#tail = "";
    return found;
  }

  /** Runs a step of a test. If it fails, the error has the last lines of the server. */
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
