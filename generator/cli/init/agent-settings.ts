import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import {
  UnusableSettings,
  withServer,
  type Input,
} from "../../../templates/runtime/clients/edit-settings.js";
import { readTextFile, replaceTextFile } from "../../../templates/runtime/clients/replace-file.js";
import { clientEntries, type ClientEntry } from "../../5-emit/project/client-entries.js";
import { jsonText, READABLE_WIDTH } from "../../5-emit/project/json-text.js";
import { agentSettingsKept } from "../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { Place } from "../../model/place.js";
import type { ServerModel } from "../../model/server-model.js";

/** What was done for the clients of coding agents. Paths are relative to the project. */
export interface AgentSettings {
  /** The files that the server was added to. */
  readonly added: readonly string[];
  readonly problems: readonly Diagnostic[];
}

/**
 * Adds the server to the project's own settings of coding agents: `.mcp.json`, `.vscode/mcp.json` and
 * `.cursor/mcp.json`, by the entries that SERVER.md shows. Whatever is there stays, an entry of the same name too.
 *
 * @param place the place on the command line that asks for it
 * @param folder the project's folder, absolute
 */
export async function addAgentSettings(
  place: Place,
  folder: string,
  model: ServerModel,
): Promise<AgentSettings> {
  const added: string[] = [];
  const problems: Diagnostic[] = [];
  for (const entry of projectEntries(model)) {
    try {
      if (await addEntry(folder, entry)) added.push(entry.file);
    } catch (error) {
      problems.push(agentSettingsKept(place, { path: entry.file, reason: reasonOf(error) }));
    }
  }
  return { added, problems };
}

/** One entry for each client whose settings lie in the project: the one over stdio, where there is one. */
function projectEntries(model: ServerModel): ClientEntry[] {
  const byFile = new Map<string, ClientEntry>();
  for (const entry of clientEntries(model)) {
    if (entry.file.startsWith(".") && !byFile.has(entry.file)) byFile.set(entry.file, entry);
  }
  return [...byFile.values()];
}

/** Adds one entry to its file. @returns false if the file has an entry of that name already */
async function addEntry(folder: string, { file, entry }: ClientEntry): Promise<boolean> {
  const path = join(folder, file);
  const before = await readTextFile(path);
  if (before.bytes === undefined) {
    await mkdir(dirname(path), { recursive: true });
    await requireInside(folder, dirname(path));
    await writeFile(path, `${jsonText(entry, READABLE_WIDTH)}\n`, { flag: "wx" });
    return true;
  }
  await requireInside(folder, before.path);
  const text = withEntry(before.text, entry);
  if (text === before.text) return false;
  await replaceTextFile(before, text);
  return true;
}

/** The text of a file of settings with the server of an entry, and the inputs that it needs, unless it has one of that name. */
function withEntry(text: string, { inputs = [], ...lists }: JsonObject): string {
  let edited = text;
  for (const [key, servers] of Object.entries(lists)) {
    for (const [name, settings] of Object.entries(isJsonObject(servers) ? servers : {})) {
      const root = parseTree(edited, [], { allowTrailingComma: true });
      const isThere = root && findNodeAtLocation(root, [key, name]) !== undefined;
      if (isThere || !isJsonObject(settings)) continue;
      edited = withServer(edited, { key, name, settings, inputs: inputsOf(inputs) });
    }
  }
  return edited;
}

// The compiler's own entries have them in this form.
const inputsOf = (inputs: JsonValue): Input[] => inputs as unknown as Input[];

/** @throws Error if a path leads out of the project's folder, through a symbolic link */
async function requireInside(folder: string, path: string): Promise<void> {
  const [root, real] = await Promise.all([realpath(folder), realpath(path)]);
  if (real !== root && !real.startsWith(root + sep)) throw new Error("it leads out of the project");
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return error instanceof UnusableSettings ? message : (code ?? message);
}
