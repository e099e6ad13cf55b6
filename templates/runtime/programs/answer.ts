import { ToolError } from "../engine/errors.js";
import type { Masking } from "../backends/masking.js";

/** What a program printed. */
export class ProgramAnswer {
  /** Its exit status. */
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

  /** Its output as text; where it was cut, a notice follows. */
  text(): string {
    const text = this.#masking.text(this.#stdout.text());
    return this.#stdout.isCut ? `${text}\n${this.#notice()}` : text;
  }

  /** The lines of its output; where it was cut, the last is a notice. */
  lines(): string[] {
    const lines = this.text().split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    return lines;
  }

  /** Its output as a value of JSON. @throws ToolError where it is none, or was cut */
  json<Value = unknown>(): Value {
    if (this.#stdout.isCut) {
      throw new ToolError(
        `The program ${this.#program} printed more than ${this.#maxBytes} bytes.`,
      );
    }
    try {
      return this.#masking.parsed(this.#stdout.text()) as Value;
    } catch {
      throw new ToolError(`The program ${this.#program} printed something that is no JSON.`);
    }
  }

  #notice(): string {
    return `[cut after ${this.#maxBytes} bytes]`;
  }
}
