import { ToolError } from "../engine/errors.js";
import {
  exactJson,
  exactResult,
  parseMarked,
  TooDeepError,
  withRoundedNumbers,
} from "../backends/exact-json.js";
import type { Masking } from "../backends/masking.js";

/** The exit status and the output of a program. */
export class ProgramAnswer {
  /** The exit status. */
  readonly status: number;
  readonly #program: string;
  readonly #stdout: { text(): string; readonly isCut: boolean };
  readonly #maxBytes: number;
  readonly #masking: Masking;

  constructor(
    program: string,
    output: {
      readonly status: number;
      readonly stdout: { text(): string; readonly isCut: boolean };
      readonly maxBytes: number;
    },
    masking: Masking,
  ) {
    this.status = output.status;
    this.#program = program;
    this.#stdout = output.stdout;
    this.#maxBytes = output.maxBytes;
    this.#masking = masking;
  }

  /** The output as text. If it was cut, a notice follows. */
  text(): string {
    const text = this.#masking.text(this.#stdout.text());
    return this.#stdout.isCut ? `${text}\n${this.#notice()}` : text;
  }

  /** The lines of the output. If it was cut, the last line is a notice. */
  lines(): string[] {
    const lines = this.text().split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    return lines;
  }

  /** The output as `JSON.parse` reads it. @throws ToolError if it is no JSON, or was cut */
  json<Value = unknown>(): Value {
    return withRoundedNumbers(this.#markedJson()) as Value;
  }

  /** The output as JSON on one line, with all digits of its numbers. @throws ToolError if it is no JSON, or was cut */
  jsonText(): string {
    return exactJson(this.#markedJson());
  }

  /**
   * The result of a tool with an output schema. A text beside it has the digits of numbers that JavaScript rounds.
   *
   * @throws ToolError if the output is no JSON, or was cut
   */
  result<Value = unknown>(): Value {
    return exactResult(this.#markedJson(), "") as Value;
  }

  #markedJson(): unknown {
    if (this.#stdout.isCut) {
      throw new ToolError(
        `The program ${this.#program} printed more than ${this.#maxBytes} bytes.`,
      );
    }
    try {
      return parseMarked(this.#stdout.text(), this.#masking);
    } catch (error) {
      const what =
        error instanceof TooDeepError
          ? "JSON that is nested too deeply"
          : "something that is no JSON";
      throw new ToolError(`The program ${this.#program} printed ${what}.`);
    }
  }

  #notice(): string {
    return `[cut after ${this.#maxBytes} bytes]`;
  }
}
