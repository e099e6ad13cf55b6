import { existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import {
  badOptionValue,
  badServerName,
  initFailed,
  initTargetExists,
} from "../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { printable } from "../../text/printable.js";
import { exitStatus } from "../exit-status.js";
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
import { failed } from "../report/failed.js";
import type { Command, CommandContext } from "../command.js";
import { transportsOf } from "../specification.js";

/**
 * `mcpwright init`: writes a commented starter manifest, and its schema for editors. On a terminal, it asks for
 * everything that the options do not say. It overwrites no file.
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
  const inside = relative(folder, target);
  const next = `${inside === "" ? "" : `cd ${shellWord(printable(inside))} && `}mcpwright generate && npm install`;
  const written = printable(relative(folder, manifest));
  reporter.text(`Wrote ${written}. Next:\n\n  ${next}\n`);
  reporter.document({ ok: true, exitCode: exitStatus.done, manifest, diagnostics: [] });
  return exitStatus.done;
};

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
