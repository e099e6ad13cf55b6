import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { testText } from "../expectation.js";

const longestTail = 4_000;
/** Milliseconds to wait for the last words of a server that has just died. */
const patience = 500;
/** What a server logs that ends before it serves. */
const startFailure = "the server could not start";

/** What a test's server has written to stderr, to be read when the test fails. */
export class ServerStderr {
  #tail = "";
  readonly #stream: Readable;
  readonly #ended: Promise<void>;
  readonly #madeUp: Readonly<Record<string, string>>;

  /** @param madeUp the variables whose values the tests have made up for it */
  constructor(stream: Readable, madeUp: Readonly<Record<string, string>> = {}) {
    this.#stream = stream;
    this.#madeUp = madeUp;
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
    const written = ["\nThe server's stderr:", ...tail.split("\n").map(testText)].join("\n    ");
    return tail.includes(startFailure) ? written + this.#givenValues() : written;
  }

  #givenValues(): string {
    const values = Object.entries(this.#madeUp).map(([name, value]) => `${name}="${value}"`);
    if (values.length === 0) return "";
    return `\nTests start it with made-up values: ${values.join(", ")}. createServices in src/context.ts must start with them.`;
  }
}
