import { mkdir, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../../2-validate/validate.js";
import { manifestSchema } from "../../5-emit/fixed-files.js";
import { renderTemplate } from "../../5-emit/project/templates.js";
import {
  badServerName,
  commandLinePlace,
  initFailed,
  initTargetExists,
} from "../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import type { Command, CommandContext } from "../run.js";

/** `mcpwright init`: a commented starter manifest, and its schema for editors. Never overwrites. */
export const init: Command = async (context) => {
  const { invocation, folder, reporter } = context;
  const target = resolve(folder, invocation.positionals[0] ?? "");
  const manifest = join(target, "mcp.yaml");
  const name = invocation.values.get("name") ?? (await askName(context, nameOf(target)));
  const content = await starterManifest(context, name);
  if (!isValid(content)) {
    return failed(context, [badServerName(commandLinePlace(0), { found: name })], exitStatus.wrong);
  }
  const problem = await write(target, content);
  if (problem !== undefined) {
    const status = problem.code === initFailed.entry.code ? exitStatus.failed : exitStatus.wrong;
    return failed(context, [problem], status);
  }
  const inside = relative(folder, target);
  const next = `${inside === "" ? "" : `cd ${inside} && `}npx mcpwright generate`;
  reporter.text(`Wrote ${relative(folder, manifest)} and its schema. Next:\n\n  ${next}\n`);
  reporter.document({ ok: true, exitCode: exitStatus.done, manifest, diagnostics: [] });
  return exitStatus.done;
};

function failed(
  { reporter }: CommandContext,
  diagnostics: readonly Diagnostic[],
  exitCode: ExitStatus,
): ExitStatus {
  reporter.diagnostics(diagnostics, new Map());
  reporter.document({ ok: false, exitCode, ...reporter.counted(diagnostics) });
  return exitCode;
}

/** On a terminal a person is asked; elsewhere the suggestion holds. */
async function askName(
  { terminal, reporter }: CommandContext,
  suggestion: string,
): Promise<string> {
  if (!terminal.interactive || reporter.json) return suggestion;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await lines.question(`Name of the server (${suggestion}): `)).trim() || suggestion;
  } finally {
    lines.close();
  }
}

/** The folder's name, as far as npm allows it. */
function nameOf(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+|-+$/g, "");
  return name === "" ? "my-server" : name;
}

function starterManifest({ invocation }: CommandContext, name: string): Promise<string> {
  const template = invocation.values.get("template") ?? "minimal";
  const words = name.replace(/^@.*\//, "").split(/[-._]+/);
  return renderTemplate(template === "full" ? "starter-full.yaml" : "starter-minimal.yaml", {
    name,
    title: words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" "),
    http: invocation.values.get("transport") === "http",
  });
}

/** Only the name can make a starter manifest wrong. */
function isValid(content: string): boolean {
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(content));
  if (manifest === undefined) return false;
  const { diagnostics } = validateManifest(manifest);
  return !diagnostics.some(({ severity }) => severity === "error");
}

async function write(target: string, content: string): Promise<Diagnostic | undefined> {
  const manifest = join(target, "mcp.yaml");
  try {
    await mkdir(target, { recursive: true });
    await writeFile(manifest, content, { flag: "wx" });
    // Ours by its name and generated again by every run; one that is there already will do.
    await writeFile(join(target, "mcp.schema.json"), await manifestSchema(), { flag: "wx" }).catch(
      ignoreExisting,
    );
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === "EEXIST") return initTargetExists(commandLinePlace(1), { path: manifest });
    return initFailed(commandLinePlace(1), { path: manifest, reason: code });
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
