import { statSync } from "node:fs";
import { resolve } from "node:path";
import { confineTo } from "../1-load/boundary.js";
import { badOptionValue } from "../model/catalogue/command-line.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { printableLines } from "../text/printable.js";
import type { Command } from "./command.js";
import { check } from "./commands/check.js";
import { generate } from "./commands/generate.js";
import { validate } from "./commands/validate.js";
import { exitStatus, type ExitStatus } from "./exit-status.js";
import { commandHelp, generalHelp } from "./help.js";
import { parseCommandLine, placeOf, type Invocation } from "./options.js";
import { failed } from "./report/failed.js";
import { Reporter, type ReportFormat } from "./report/reporter.js";
import type { CommandName } from "./specification.js";
import type { Terminal } from "./terminal.js";
import { mcpwrightVersion } from "./version.js";

/** The commands. The frequent ones share most of their modules; the others are loaded when they are called. */
const commandModules: Readonly<Record<CommandName, () => Command | Promise<Command>>> = {
  init: async () => (await import("./commands/init.js")).init,
  validate: () => validate,
  generate: () => generate,
  plan: async () => (await import("./commands/plan.js")).plan,
  check: () => check,
  diff: async () => (await import("./commands/diff.js")).diff,
  dev: async () => (await import("./commands/dev.js")).dev,
  preview: async () => (await import("./commands/preview.js")).preview,
  import: async () => (await import("./commands/import.js")).importCommand,
  mcp: async () => (await import("./commands/mcp.js")).mcp,
  split: async () => (await import("./commands/split.js")).split,
  record: async () => (await import("./commands/record.js")).record,
  explain: async () => (await import("./commands/explain.js")).explain,
  reference: async () => (await import("./commands/reference.js")).reference,
};

/**
 * Runs one command line and returns its exit status. Never throws: an exception is a bug, which is printed with
 * the request to report it, and gives status 70.
 */
export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitStatus> {
  try {
    const parsed = parseCommandLine(argv);
    if (parsed.kind === "version") terminal.out(`${mcpwrightVersion()}\n`);
    else if (parsed.kind === "help") {
      terminal.out(parsed.command === undefined ? generalHelp() : commandHelp(parsed.command));
    } else if (parsed.kind === "wrong") return wrongCommandLine(argv, terminal, parsed.diagnostics);
    else return await runCommand(argv, parsed.invocation, terminal);
    return exitStatus.done;
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    terminal.err(
      `mcpwright ${mcpwrightVersion()} stopped at a bug of its own, so that the command has no result. Please report this:\n${printableLines(detail)}\n`,
    );
    return exitStatus.bug;
  }
}

async function runCommand(
  argv: readonly string[],
  invocation: Invocation,
  terminal: Terminal,
): Promise<ExitStatus> {
  const { flags, values } = invocation;
  const found = values.get("chdir") ?? "";
  const folder = resolve(terminal.cwd, found);
  const confined = terminal.env["MCPWRIGHT_ROOT"];
  confineTo(confined === undefined ? undefined : resolve(terminal.cwd, confined));
  if (values.has("chdir") && !isFolder(folder)) {
    const wrong = { option: "--chdir", expected: "a folder that exists", found };
    const diagnostic = badOptionValue(placeOf(invocation, "chdir"), wrong);
    return wrongCommandLine(argv, terminal, [diagnostic]);
  }
  const maximum = values.get("max-diagnostics");
  const reporter = new Reporter(terminal, {
    format: flags.has("json") ? "json" : formatNamed(values.get("format")),
    quiet: flags.has("quiet"),
    color: !flags.has("no-color"),
    ...(maximum !== undefined && { maxDiagnostics: Number(maximum) }),
    paths: { folder, repository: resolve(terminal.env["GITHUB_WORKSPACE"] || terminal.cwd) },
  });
  const command = await commandModules[invocation.command]();
  return command({ invocation, terminal, reporter, folder });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function formatNamed(name: string | undefined): ReportFormat {
  return name === "github" || name === "sarif" ? name : "text";
}

function wrongCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  diagnostics: readonly Diagnostic[],
): ExitStatus {
  const reporter = new Reporter(terminal, {
    format: argv.includes("--json") ? "json" : "text",
    quiet: false,
    color: !argv.includes("--no-color"),
    paths: { folder: terminal.cwd, repository: terminal.cwd },
  });
  return failed({ reporter }, diagnostics, exitStatus.wrong);
}
