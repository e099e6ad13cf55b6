import type { Diagnostic } from "../../model/diagnostic.js";
import { printable, printableJsonLine } from "../../text/printable.js";
import { shownPath } from "../compile-manifest.js";
import type { Sources } from "../report/diagnostics-text.js";
import { Reporter, type ReporterOptions } from "../report/reporter.js";
import type { CommandContext } from "../command.js";
import { painter, type Paint, type Terminal } from "../terminal.js";

/** Says a warning once, for as long as each run that can find it finds it again. */
class RepeatingReporter extends Reporter {
  #before = new Set<string>();

  override diagnostics(diagnostics: readonly Diagnostic[], sources: Sources): void {
    const keyOf = ({ code, file, message }: Diagnostic): string => `${code} ${file} ${message}`;
    const before = this.#before;
    // Where something is wrong, a run may not have come to what it warned of.
    const isWrong = diagnostics.some(({ severity }) => severity === "error");
    this.#before = new Set([...(isWrong ? before : []), ...diagnostics.map(keyOf)]);
    const isNew = (found: Diagnostic): boolean =>
      found.severity === "error" || !before.has(keyOf(found));
    super.diagnostics(diagnostics.filter(isNew), sources);
  }
}

/** What `dev` says, all the time that it runs: everything on stderr, since stdout is the server's. */
export class DevReporter {
  /** For one generation; its document is a line of the event `generated`. */
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

  /** A line about what is going on; left out under `--quiet`. */
  line(text: string): void {
    if (this.#isJson || this.#isQuiet) return;
    this.#say(`${this.#paint("dim", "mcpwright:")} ${printable(text)}\n`);
  }

  /** Problems, for people; programs get them in the document of the event. */
  problems(diagnostics: readonly Diagnostic[], sources: Sources = new Map()): void {
    this.#reporter.diagnostics(diagnostics, sources);
  }

  /** One document of `--json`. */
  event(event: string, value: object): void {
    if (this.#isJson) this.#say(printableJsonLine({ event, ...value }));
  }

  /** The diagnostics that are shown, and how many are not, as a document carries them. */
  counted(diagnostics: readonly Diagnostic[]): object {
    return this.#reporter.counted(diagnostics);
  }

  /** A path as people know it. */
  shown(path: string): string {
    return shownPath(this.generation.folder, path);
  }
}
