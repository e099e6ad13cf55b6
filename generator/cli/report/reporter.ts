import type { Diagnostic } from "../../model/diagnostic.js";
import { painter, type Paint, type Terminal } from "../terminal.js";
import { diagnosticsText, type Sources } from "./diagnostics-text.js";

export interface ReporterOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly maxDiagnostics: number;
}

/** Says what happened, as text for people or as one JSON document for programs. */
export class Reporter {
  readonly paint: Paint;
  readonly json: boolean;
  readonly #terminal: Terminal;
  readonly #options: ReporterOptions;

  constructor(terminal: Terminal, options: ReporterOptions) {
    this.#terminal = terminal;
    this.#options = options;
    this.json = options.json;
    this.paint = painter(options.color);
  }

  /** The diagnostics that are shown, and how many are not, as the JSON documents carry them. */
  counted(diagnostics: readonly Diagnostic[]): { diagnostics: Diagnostic[]; omitted: number } {
    const shown = diagnostics.slice(0, this.#options.maxDiagnostics);
    return { diagnostics: shown, omitted: diagnostics.length - shown.length };
  }

  /** Problems go to stderr; under `--json` they are part of the document instead. */
  diagnostics(diagnostics: readonly Diagnostic[], sources: Sources): void {
    if (this.json || diagnostics.length === 0) return;
    const { diagnostics: shown, omitted } = this.counted(diagnostics);
    this.#terminal.err(diagnosticsText(shown, omitted, sources, this.paint));
  }

  /** Ordinary words on stdout, left out under `--json` and `--quiet`. */
  text(text: string): void {
    if (!this.json && !this.#options.quiet) this.#terminal.out(text);
  }

  /** The one JSON document of a `--json` run. */
  document(value: object): void {
    if (this.json) this.#terminal.out(`${JSON.stringify(value, null, 2)}\n`);
  }
}
