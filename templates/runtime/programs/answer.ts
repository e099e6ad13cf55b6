import { ToolError } from "../engine/errors.js";
import { exactJson, exactResult, markedJson, rounded } from "../backends/exact-json.js";
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

  /** Its output as `JSON.parse` reads it. @throws ToolError where it is no JSON, or was cut */
  json<Value = unknown>(): Value {
    return rounded(this.#marked()) as Value;
  }

  /** The same on one line, with all digits of its numbers. */
  jsonText(): string {
    return exactJson(this.#marked());
  }

  /** The same as what a tool with an output schema returns. A text beside it has the digits of rounded numbers. */
  result<Value = unknown>(): Value {
    return exactResult(this.#marked(), "") as Value;
  }

  #marked(): unknown {
    if (this.#stdout.isCut) {
      throw new ToolError(
        `The program ${this.#program} printed more than ${this.#maxBytes} bytes.`,
      );
    }
    try {
      return this.#masking.parsed(markedJson(this.#stdout.text()));
    } catch {
      throw new ToolError(`The program ${this.#program} printed something that is no JSON.`);
    }
  }

  #notice(): string {
    return `[cut after ${this.#maxBytes} bytes]`;
  }
}
