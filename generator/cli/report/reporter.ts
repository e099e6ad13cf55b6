import type { Diagnostic } from "../../model/diagnostic.js";
import { printable, printableJson, printableJsonLine } from "../../text/printable.js";
import { painter, type Paint, type Terminal } from "../terminal.js";
import { diagnosticsText, type Sources } from "./diagnostics-text.js";
import { githubAnnotations } from "./github.js";
import type { PathFrame } from "./repository-path.js";
import { sarifLog } from "./sarif.js";

/** `json` prints one document for the whole run. The others differ in the form of the diagnostics. */
export type ReportFormat = "text" | "json" | "github" | "sarif";

export interface ReporterOptions {
  readonly format: ReportFormat;
  readonly quiet: boolean;
  /** True if colours are used where the terminal has them. */
  readonly color: boolean;
  /** The most diagnostics to show. If absent, the default of the format. */
  readonly maxDiagnostics?: number;
  readonly paths: PathFrame;
  /** With `--json`, for one of several runs: its document becomes the `report` in a line with this `event`. */
  readonly event?: string;
}

const usualMaximum = 20;
const sarifMaximum = 1_000;

/** Prints the results of a run, as text for people or in a format for programs. */
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

  /** True if the command may ask a person at the terminal. */
  get mayAsk(): boolean {
    return this.#options.format === "text" && !this.#options.quiet;
  }

  /** The diagnostics that are shown and the number of the others, for a document of `--json`. */
  counted(diagnostics: readonly Diagnostic[]): { diagnostics: Diagnostic[]; omitted: number } {
    const { format, maxDiagnostics } = this.#options;
    const maximum = maxDiagnostics ?? (format === "sarif" ? sarifMaximum : usualMaximum);
    // Reports have fixes as edits of the text, and not the rules that they come from.
    const shown = diagnostics.slice(0, maximum).map(({ mend: _mend, ...diagnostic }) => diagnostic);
    return { diagnostics: shown, omitted: diagnostics.length - shown.length };
  }

  /**
   * Prints the problems of a run: for people on stderr, in the formats of other programs on stdout. With `--json`,
   * it prints nothing, since the document contains them.
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

  /** Prints text on stdout. Not with `--quiet`, nor in a format for programs. */
  text(text: string): void {
    const { format, quiet } = this.#options;
    if (format === "text" && !quiet) this.#out(text);
  }

  /** Prints the text that the user asked for on stdout, even with `--quiet`. */
  answer(text: string): void {
    if (this.#options.format === "text") this.#out(text);
  }

  /** Prints the one JSON document of a run with `--json`. */
  document(value: object): void {
    const { format, event } = this.#options;
    if (format !== "json") return;
    this.#out(
      event === undefined ? printableJson(value) : printableJsonLine({ event, report: value }),
    );
  }

  /** A reporter that prints everything on stderr, where stdout belongs to somebody else. */
  get onStderr(): Reporter {
    return new Reporter({ ...this.#terminal, out: this.#terminal.err }, this.#options);
  }

  /** What a report prints on stdout and stderr, without printing it. */
  printed(report: (reporter: Reporter) => void): { readonly out: string; readonly err: string } {
    const printed = { out: "", err: "" };
    const out = (text: string): void => void (printed.out += text);
    const err = (text: string): void => void (printed.err += text);
    report(new Reporter({ ...this.#terminal, out, err }, this.#options));
    return printed;
  }

  /** Shows the progress of a long run: a line on a terminal's stderr that the next output replaces. */
  progress(text: string): void {
    const { columns } = this.#terminal;
    if (columns === undefined || !this.mayAsk) return;
    const line = printable(text).slice(0, columns - 1);
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
