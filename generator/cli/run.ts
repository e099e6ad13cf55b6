import { resolve } from "node:path";
import type { Diagnostic } from "../model/diagnostic.js";
import { exitStatus, type ExitStatus } from "./exit-status.js";
import { commandHelp, generalHelp } from "./help.js";
import { parseCommandLine, type Invocation } from "./options.js";
import { Reporter } from "./report/reporter.js";
import type { CommandName } from "./specification.js";
import type { Terminal } from "./terminal.js";
import { mcpwrightVersion } from "./version.js";

/** A command: does its work, reports through the reporter, and says how it ended. */
export type Command = (context: CommandContext) => Promise<ExitStatus>;

export interface CommandContext {
  readonly invocation: Invocation;
  readonly terminal: Terminal;
  readonly reporter: Reporter;
  /** Folder that relative paths start from. */
  readonly folder: string;
}

/** Loaded when they are called, so that `validate` never pays for the compiler. */
const commandModules: Readonly<Record<CommandName, () => Promise<Command>>> = {
  init: async () => (await import("./commands/init.js")).init,
  validate: async () => (await import("./commands/validate.js")).validate,
  generate: async () => (await import("./commands/generate.js")).generate,
  plan: async () => (await import("./commands/plan.js")).plan,
  check: async () => (await import("./commands/check.js")).check,
  explain: async () => (await import("./commands/explain.js")).explain,
};

/** Runs one command line. Never throws: a bug ends with status 70 and asks to be reported. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitStatus> {
  try {
    const parsed = parseCommandLine(argv);
    if (parsed.kind === "version") terminal.out(`${mcpwrightVersion()}\n`);
    else if (parsed.kind === "help") {
      terminal.out(parsed.command === undefined ? generalHelp() : commandHelp(parsed.command));
    } else if (parsed.kind === "wrong") return wrongCommandLine(argv, terminal, parsed.diagnostics);
    else return await runCommand(parsed.invocation, terminal);
    return exitStatus.done;
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    terminal.err(
      `mcpwright ${mcpwrightVersion()} has a bug; nothing was decided on its ground. Please report this:\n${detail}\n`,
    );
    return exitStatus.bug;
  }
}

async function runCommand(invocation: Invocation, terminal: Terminal): Promise<ExitStatus> {
  const command = await commandModules[invocation.command]();
  const reporter = new Reporter(terminal, {
    json: invocation.flags.has("json"),
    quiet: invocation.flags.has("quiet"),
    color: terminal.color && !invocation.flags.has("no-color"),
    maxDiagnostics: Number(invocation.values.get("max-diagnostics") ?? 20),
  });
  const folder = resolve(terminal.cwd, invocation.values.get("chdir") ?? "");
  return command({ invocation, terminal, reporter, folder });
}

function wrongCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  diagnostics: readonly Diagnostic[],
): ExitStatus {
  const json = argv.includes("--json");
  const reporter = new Reporter(terminal, { json, quiet: false, color: false, maxDiagnostics: 20 });
  reporter.diagnostics(diagnostics, new Map());
  reporter.document({ ok: false, exitCode: exitStatus.wrong, ...reporter.counted(diagnostics) });
  return exitStatus.wrong;
}
