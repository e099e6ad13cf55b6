import { existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import {
  badOptionValue,
  badServerName,
  initFailed,
  initTargetExists,
  installFailed,
} from "../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Change } from "../../model/plan.js";
import type { ServerModel } from "../../model/server-model.js";
import { printable } from "../../text/printable.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { askStarter, type GivenAnswers } from "../init/ask-starter.js";
import {
  nameProblem,
  OTHER_STARTERS,
  starterManifest,
  toolProblem,
  defaultTool,
  type Starter,
} from "../init/starter.js";
import { writeStarter } from "../init/write-starter.js";
import { placeOf, type Invocation } from "../options.js";
import { install, packageManagerOf, writeNeededSettings } from "../package-manager.js";
import { failed } from "../report/failed.js";
import { Reporter } from "../report/reporter.js";
import type { Command, CommandContext } from "../command.js";
import { transportsOf } from "../specification.js";

/**
 * `mcpwright init`: writes a commented starter manifest, makes the project from it, and installs its packages. On a
 * terminal, it asks for everything that the options do not say. It overwrites no file.
 */
export const init: Command = async (context) => {
  const { invocation, folder, reporter } = context;
  const target = resolve(folder, invocation.positionals[0] ?? "");
  const given = givenAnswers(context, suggestedName(target));
  const manifest = join(target, "mcp.yaml");
  const place = placeOf(invocation, "argument");
  // Checked before the first question, and again when the file is written.
  const problems = existsSync(manifest)
    ? [initTargetExists(place, { path: manifest })]
    : problemsOf(invocation, given);
  if (problems.length > 0) return failed(context, problems, exitStatus.wrong);

  const starter = await completeStarter(context, given);
  if (starter === undefined) return exitStatus.interrupted;
  const problem = writeStarter(place, target, await starterManifest(starter));
  if (problem !== undefined) {
    const status = problem.code === initFailed.entry.code ? exitStatus.failed : exitStatus.wrong;
    return failed(context, [problem], status);
  }
  const written = printable(relative(folder, manifest));
  if (!invocation.flags.has("only-manifest")) return makeProject(context, target, written);
  reporter.text(`Wrote ${written}. Next:\n\n  ${inFolder(context, target)}mcpwright generate\n`);
  reporter.document({ ok: true, exitCode: exitStatus.done, manifest, diagnostics: [] });
  return exitStatus.done;
};

/** Makes the project of a new manifest and installs its packages. Says what was done, and at last how to start it. */
async function makeProject(
  context: CommandContext,
  target: string,
  written: string,
): Promise<ExitStatus> {
  const { invocation, terminal, reporter } = context;
  const { generateProject } = await import("./generate.js");
  const {
    status,
    diagnostics,
    model,
    changes = [],
  } = await generateProject(generation(context, join(target, "mcp.yaml")));
  reporter.text(`Wrote ${written}, a commented manifest.\n`);
  const report = { manifest: join(target, "mcp.yaml"), ...reporter.counted(diagnostics) };
  if (status !== exitStatus.done) {
    reporter.document({ ok: false, exitCode: status, ...report });
    return status;
  }
  const created = changes.filter(({ op }) => op === "create");
  reporter.text(
    `Made ${created.length} files from it; \`mcpwright generate\` does so after changes.\n`,
  );
  const kept = await tellAgents(context, target, model);
  const manager = packageManagerOf(target, terminal.env["npm_config_user_agent"]);
  writeNeededSettings(manager, target);
  const isInstalled = !invocation.flags.has("no-install");
  if (isInstalled) reporter.progress(`${manager} install …`);
  const reason = isInstalled ? await install(manager, target, terminal.env) : undefined;
  const there = inFolder(context, target);
  if (reason !== undefined) {
    const place = placeOf(invocation, "argument");
    const command = `${there}${manager} install`;
    return failed(context, [installFailed(place, { manager, reason, command })], exitStatus.failed);
  }
  reporter.text(
    isInstalled ? `Installed its packages with ${manager}.\n` : "Installed no packages.\n",
  );
  reporter.text(leftToWrite(created, manager));
  const first = isInstalled ? "" : `${manager} install && `;
  reporter.text(`Start it: ${there}${first}${manager} run dev\n`);
  const all = reporter.counted([...diagnostics, ...kept]);
  reporter.document({ ok: true, exitCode: exitStatus.done, ...report, ...all });
  return exitStatus.done;
}

/** With `--agents`, adds the server, and `mcpwright mcp`, to the project's settings of coding agents. Returns the problems, which it reports. */
async function tellAgents(
  { invocation, reporter }: CommandContext,
  target: string,
  model: (() => ServerModel) | undefined,
): Promise<readonly Diagnostic[]> {
  if (!invocation.flags.has("agents") || model === undefined) return [];
  const { addAgentSettings } = await import("../init/agent-settings.js");
  const { added, problems } = await addAgentSettings(
    placeOf(invocation, "agents"),
    target,
    model(),
  );
  reporter.diagnostics(problems, new Map());
  const wordsOf = ({ names }: (typeof added)[number]): string => names.join(" and ");
  for (const words of new Set(added.map(wordsOf))) {
    const files = added.flatMap((one) => (wordsOf(one) === words ? [one.file] : []));
    reporter.text(`Added ${words} to ${files.join(", ")}.\n`);
  }
  return problems;
}

/** The run of `generate` for a new manifest, which prints problems only. */
function generation(
  { invocation, terminal, folder }: CommandContext,
  manifest: string,
): CommandContext {
  const isJson = invocation.flags.has("json");
  const reporter = new Reporter(
    { ...terminal, out: () => undefined },
    {
      format: isJson ? "json" : "text",
      quiet: true,
      color: !invocation.flags.has("no-color"),
      paths: { folder, repository: folder },
    },
  );
  const own = { positionals: [relative(folder, manifest)], flags: new Set<never>() };
  return {
    invocation: { ...invocation, command: "generate", ...own, values: new Map() },
    ...{ terminal, folder, reporter },
  };
}

/** What a person has still to write. */
function leftToWrite(created: readonly Change[], manager: string): string {
  const [first, ...others] = created.filter(({ owner }) => owner === "handler");
  if (first === undefined) return "Nothing is left to write: the manifest says what it does.\n";
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `Yours to write: ${first.path}${more}; until then \`${manager} run mock\` answers with examples.\n`;
}

/** The start of a command line that changes to the project's folder. */
function inFolder({ folder }: CommandContext, target: string): string {
  const inside = relative(folder, target);
  return inside === "" ? "" : `cd ${shellWord(printable(inside))} && `;
}

function givenAnswers({ invocation }: CommandContext, suggestedName: string): GivenAnswers {
  const { values } = invocation;
  const name = values.get("name");
  const transports = transportsOf(values.get("transport") ?? "");
  const toolName = values.get("tool");
  const template = values.get("template");
  const other = OTHER_STARTERS.find((starter) => starter === template);
  const tool = other ?? (toolName === undefined ? undefined : { ...defaultTool, name: toolName });
  return {
    suggestedName,
    ...(name !== undefined && { name }),
    ...(transports !== undefined && { transports }),
    ...(tool !== undefined && { tool }),
    isMinimal: template === "minimal",
  };
}

function problemsOf(invocation: Invocation, { name, tool }: GivenAnswers): Diagnostic[] {
  const problems: Diagnostic[] = [];
  if (name !== undefined && nameProblem(name) !== undefined) {
    problems.push(badServerName(placeOf(invocation, "name"), { found: name }));
  }
  if (tool !== undefined && typeof tool !== "string" && toolProblem(tool) !== undefined) {
    const expected = "the name of a tool, such as get_forecast";
    const place = placeOf(invocation, "tool");
    problems.push(badOptionValue(place, { option: "--tool", expected, found: tool.name }));
  }
  return problems;
}

/** A path, quoted for a shell if it needs quotes. */
function shellWord(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Asks the person at the terminal for missing answers. Without a terminal, uses the suggestions. */
async function completeStarter(
  { terminal, reporter }: CommandContext,
  given: GivenAnswers,
): Promise<Starter | undefined> {
  if (!reporter.mayAsk || terminal.openQuestions === undefined) {
    const { suggestedName, name = suggestedName, transports, tool = defaultTool } = given;
    return { name, transports: transports ?? new Set(["stdio"]), tool };
  }
  const questions = terminal.openQuestions();
  try {
    return await askStarter(questions, terminal.out, given);
  } finally {
    questions.close();
  }
}

/** A package name from the folder's name, without the characters that npm refuses. */
function suggestedName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+|-+$/g, "");
  return nameProblem(name) === undefined ? name : "my-server";
}
