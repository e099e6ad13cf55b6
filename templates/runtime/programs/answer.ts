import type { ContentBlock } from "@modelcontextprotocol/server";
import { text } from "../engine/content.js";
import { ToolError } from "../engine/errors.js";
import {
  exactJson,
  exactResult,
  parseMarked,
  TooDeepError,
  withRoundedNumbers,
} from "../backends/exact-json.js";
import type { Masking } from "../backends/masking.js";
import { passedOn, type Offer } from "../tools/result.js";

/** How the output of a program becomes the result of a tool with an output schema. */
export interface OutputOptions {
  /** The form of the output; JSON by default. */
  readonly output?: "text" | "json" | "lines";
  /** Whether an output that breaks the schema is an error without the output. */
  readonly strict?: boolean;
}

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
   * The result of a tool with an output schema: the value of the output. A text beside it has the digits of numbers that
   * JavaScript rounds. Where the output breaks the schema, is no JSON or was cut, the caller gets it as text with a
   * notice, unless this is strict: the program has run.
   *
   * @throws ToolError if this is strict, and JSON is due but the output is no JSON, or was cut
   */
  result<Value = unknown>({ output = "json", strict = false }: OutputOptions = {}): Value {
    if (output !== "json") {
      const value = output === "text" ? this.text() : this.lines();
      return passedOn({ value, shown: () => [text(this.text())] }, strict) as Value;
    }
    return passedOn(this.#offeredJson(), strict) as Value;
  }

  #offeredJson(): Offer {
    const read = this.#readJson();
    if (!("problem" in read)) {
      const { marked } = read;
      return { value: exactResult(marked, ""), shown: () => [text(exactJson(marked))] };
    }
    const { problem, error } = read;
    const isEmpty = this.#stdout.text() === "";
    const shown = (): ContentBlock[] => [
      text(isEmpty ? `exit status ${this.status}` : this.text()),
    ];
    return { error, shown, problem: isEmpty ? "it is empty" : problem };
  }

  #markedJson(): unknown {
    return expectRead(this.#readJson());
  }

  /** The marked value of the output, or why it has none. */
  #readJson(): MarkedJson {
    const printed = (what: string): ToolError =>
      new ToolError(`The program ${this.#program} printed ${what}.`);
    if (this.#stdout.isCut) {
      const length = `${this.#maxBytes} bytes`;
      return { problem: `it was cut after ${length}`, error: printed(`more than ${length}`) };
    }
    try {
      return { marked: parseMarked(this.#stdout.text(), this.#masking) };
    } catch (error) {
      return error instanceof TooDeepError
        ? { problem: "it is nested too deeply", error: printed("JSON that is nested too deeply") }
        : { problem: "it is no JSON", error: printed("something that is no JSON") };
    }
  }

  #notice(): string {
    return `[cut after ${this.#maxBytes} bytes]`;
  }
}

type MarkedJson =
  { readonly marked: unknown } | { readonly problem: string; readonly error: ToolError };

function expectRead(read: MarkedJson): unknown {
  if ("problem" in read) throw read.error;
  return read.marked;
}
