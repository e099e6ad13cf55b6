import type { Diagnostic } from "../../model/diagnostic.js";
import { printable, printableJsonLine } from "../../text/printable.js";
import { shownPath } from "../compile-manifest.js";
import type { Sources } from "../report/diagnostics-text.js";
import { Reporter, type ReporterOptions } from "../report/reporter.js";
import type { CommandContext } from "../command.js";
import { painter, type Paint, type Terminal } from "../terminal.js";

/** Reports a warning once, and again only after a run that did not have it. */
class RepeatingReporter extends Reporter {
  #reported = new Set<string>();

  override diagnostics(diagnostics: readonly Diagnostic[], sources: Sources): void {
    const keyOf = ({ code, file, message }: Diagnostic): string => `${code} ${file} ${message}`;
    const reported = this.#reported;
    // A run with an error may have ended before it could find its warnings again.
    const hasError = diagnostics.some(({ severity }) => severity === "error");
    this.#reported = new Set([...(hasError ? reported : []), ...diagnostics.map(keyOf)]);
    const isNew = (diagnostic: Diagnostic): boolean =>
      diagnostic.severity === "error" || !reported.has(keyOf(diagnostic));
    super.diagnostics(diagnostics.filter(isNew), sources);
  }
}

/** Reports what `dev` does. Everything goes to stderr, since stdout belongs to the server. */
export class DevReporter {
  /** The context of each run of `generate`. Its `--json` document becomes an event `generated`. */
  readonly generation: CommandContext;
  readonly #reporter: Reporter;
  readonly #isJson: boolean;
  readonly #isQuiet: boolean;
  readonly #paint: Paint;
  readonly #say: (text: string) => void;

  constructor(context: CommandContext) {
    const { terminal, invocation, folder } = context;
    const { flags, values } = invocation;
    this.#isJson = flags.has("json");
    this.#isQuiet = flags.has("quiet");
    this.#say = terminal.err;
    const color = !flags.has("no-color");
    this.#paint = painter(color && terminal.color.err);
    const streams: Terminal = {
      ...terminal,
      out: terminal.err,
      color: { out: terminal.color.err, err: terminal.color.err },
    };
    const maximum = values.get("max-diagnostics");
    const options: ReporterOptions = {
      format: this.#isJson ? "json" : "text",
      quiet: this.#isQuiet,
      color,
      ...(maximum !== undefined && { maxDiagnostics: Number(maximum) }),
      paths: { folder, repository: folder },
      event: "generated",
    };
    this.#reporter = new Reporter(streams, options);
    const reporter = new RepeatingReporter(streams, options);
    this.generation = { ...context, terminal: streams, reporter };
  }

  /** Prints a line about the progress of `dev`. Prints nothing with `--quiet` or `--json`. */
  line(text: string): void {
    if (this.#isJson || this.#isQuiet) return;
    this.#say(`${this.#paint("dim", "mcpwright:")} ${printable(text)}\n`);
  }

  /** Prints problems for people. Programs get them in the document of the event. */
  problems(diagnostics: readonly Diagnostic[], sources: Sources = new Map()): void {
    this.#reporter.diagnostics(diagnostics, sources);
  }

  /** Prints one document of `--json`, in one line. */
  event(event: string, value: object): void {
    if (this.#isJson) this.#say(printableJsonLine({ event, ...value }));
  }

  /** The diagnostics that are shown and the number of the others, for a document of `--json`. */
  counted(diagnostics: readonly Diagnostic[]): object {
    return this.#reporter.counted(diagnostics);
  }

  /** A path as it is shown to people. */
  shown(path: string): string {
    return shownPath(this.generation.folder, path);
  }
}
