import type { Diagnostic } from "../../model/diagnostic.js";
import { printableJson, printableJsonLine } from "../../text/printable.js";
import { painter, type Paint, type Terminal } from "../terminal.js";
import { diagnosticsText, type Sources } from "./diagnostics-text.js";
import { githubAnnotations } from "./github.js";
import type { PathFrame } from "./repository-path.js";
import { sarifLog } from "./sarif.js";

/** `json` is one document for the whole run; the others differ in how they show diagnostics. */
export type ReportFormat = "text" | "json" | "github" | "sarif";

export interface ReporterOptions {
  readonly format: ReportFormat;
  readonly quiet: boolean;
  /** Colours as far as the terminal has them. */
  readonly color: boolean;
  /** How many diagnostics are shown; by default what the format is good for. */
  readonly maxDiagnostics?: number;
  readonly paths: PathFrame;
  /** Under `--json`: the run is one of several, and its document the `report` of a line with this `event`. */
  readonly event?: string;
}

const usualMaximum = 20;
const sarifMaximum = 1_000;

/** Says what happened, as text for people or in a format for programs. */
export class Reporter {
  /** Colours of stdout. */
  readonly paint: Paint;
  readonly #terminal: Terminal;
  readonly #options: ReporterOptions;
  #progressWidth = 0;

  constructor(terminal: Terminal, options: ReporterOptions) {
    this.#terminal = terminal;
    this.#options = options;
    this.paint = painter(options.color && terminal.color.out);
  }

  /** Whether a person at the terminal may be asked something. */
  get mayAsk(): boolean {
    return this.#options.format === "text" && !this.#options.quiet;
  }

  /** The diagnostics that are shown, and how many are not, as the JSON documents carry them. */
  counted(diagnostics: readonly Diagnostic[]): { diagnostics: Diagnostic[]; omitted: number } {
    const { format, maxDiagnostics } = this.#options;
    const maximum = maxDiagnostics ?? (format === "sarif" ? sarifMaximum : usualMaximum);
    const shown = diagnostics.slice(0, maximum);
    return { diagnostics: shown, omitted: diagnostics.length - shown.length };
  }

  /**
   * All problems of a run: for people on stderr, in the formats of other programs on stdout. Under
   * `--json` they are part of the document instead.
   */
  diagnostics(diagnostics: readonly Diagnostic[], sources: Sources): void {
    const { format, paths } = this.#options;
    const { diagnostics: shown, omitted } = this.counted(diagnostics);
    if (format === "github") this.#out(githubAnnotations(shown, omitted, paths));
    if (format === "sarif") this.#out(printableJson(sarifLog(shown, omitted, paths)));
    if (format === "text" && shown.length > 0) {
      this.#clearProgress();
      const { color, columns } = this.#terminal;
      const paint = painter(this.#options.color && color.err);
      const style = { paint, ...(columns !== undefined && { columns }) };
      this.#terminal.err(diagnosticsText(shown, omitted, sources, style));
    }
  }

  /** Ordinary words on stdout, left out under `--quiet` and where a program reads. */
  text(text: string): void {
    const { format, quiet } = this.#options;
    if (format === "text" && !quiet) this.#out(text);
  }

  /** What the command was asked for, on stdout also under `--quiet`. */
  answer(text: string): void {
    if (this.#options.format === "text") this.#out(text);
  }

  /** The one JSON document of a `--json` run. */
  document(value: object): void {
    const { format, event } = this.#options;
    if (format !== "json") return;
    this.#out(
      event === undefined ? printableJson(value) : printableJsonLine({ event, report: value }),
    );
  }

  /** How far a long run is: one line on a terminal's stderr, replaced by the next and gone in the end. */
  progress(text: string): void {
    const { columns } = this.#terminal;
    if (columns === undefined || !this.mayAsk) return;
    const line = text.slice(0, columns - 1);
    this.#terminal.err(`\r${line.padEnd(this.#progressWidth)}`);
    this.#progressWidth = line.length;
  }

  #out(text: string): void {
    this.#clearProgress();
    if (text !== "") this.#terminal.out(text);
  }

  #clearProgress(): void {
    if (this.#progressWidth > 0) this.#terminal.err(`\r${" ".repeat(this.#progressWidth)}\r`);
    this.#progressWidth = 0;
  }
}
