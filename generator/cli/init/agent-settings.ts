import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import {
  UnusableSettings,
  withServer,
  type Input,
} from "../../../templates/runtime/clients/edit-settings.js";
import { readTextFile, replaceTextFile } from "../../../templates/runtime/clients/replace-file.js";
import { clientEntries } from "../../5-emit/project/client-entries.js";
import { jsonText, READABLE_WIDTH } from "../../5-emit/project/json-text.js";
import { agentSettingsKept } from "../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { Place } from "../../model/place.js";
import type { ServerModel } from "../../model/server-model.js";

/** What was done for the clients of coding agents. Paths are relative to the project. */
export interface AgentSettings {
  /** The files that were added to, with the names of the servers that each got. */
  readonly added: readonly AddedServers[];
  readonly problems: readonly Diagnostic[];
}

export interface AddedServers {
  readonly file: string;
  readonly names: readonly string[];
}

/** The name of the server that \`mcpwright mcp\` starts, in settings. */
const AUTHOR = "mcpwright";

/** The settings of clients in a project: where their servers are, and what starts \`mcpwright mcp\` for the project. */
const AUTHOR_ENTRIES: readonly (readonly [file: string, entry: JsonObject])[] = [
  [".mcp.json", { mcpServers: { [AUTHOR]: authorLaunch(".") } }],
  [
    ".vscode/mcp.json",
    { servers: { [AUTHOR]: { type: "stdio", ...authorLaunch("${workspaceFolder}") } } },
  ],
  [".cursor/mcp.json", { mcpServers: { [AUTHOR]: authorLaunch("${workspaceFolder}") } }],
];

/** @param root the project's folder, as the client writes it */
function authorLaunch(root: string): JsonObject {
  return { command: "mcpwright", args: ["mcp", "--root", root] };
}

/**
 * Adds the server to the project's own settings of coding agents: `.mcp.json`, `.vscode/mcp.json` and
 * `.cursor/mcp.json`, by the entries that SERVER.md shows, and \`mcpwright mcp\`, by which agents change its manifest. Whatever is
 * there stays, an entry of the same name too.
 *
 * @param place the place on the command line that asks for it
 * @param folder the project's folder, absolute
 */
export async function addAgentSettings(
  place: Place,
  folder: string,
  model: ServerModel,
): Promise<AgentSettings> {
  const added: AddedServers[] = [];
  const problems: Diagnostic[] = [];
  for (const [file, entry] of projectEntries(model)) {
    try {
      const names = await addEntry(folder, file, entry);
      if (names.length > 0) added.push({ file, names });
    } catch (error) {
      problems.push(agentSettingsKept(place, { path: file, reason: reasonOf(error) }));
    }
  }
  return { added, problems };
}

/** What each file of settings in the project gets: the server, over stdio where it has that, and `mcpwright mcp`. */
function projectEntries(model: ServerModel): Map<string, JsonObject> {
  const byFile = new Map<string, JsonObject>();
  for (const { file, entry } of clientEntries(model)) {
    if (file.startsWith(".") && !byFile.has(file)) byFile.set(file, entry);
  }
  for (const [file, author] of AUTHOR_ENTRIES) {
    const entry = byFile.get(file) ?? {};
    const lists = Object.entries(author).map(([key, servers]) => {
      const own = (entry[key] ?? {}) as JsonObject;
      // The server comes first, and keeps its name where it is called mcpwright itself.
      return [key, { ...own, ...(servers as JsonObject), ...own }];
    });
    byFile.set(file, { ...entry, ...(Object.fromEntries(lists) as JsonObject) });
  }
  return byFile;
}

/** Adds servers to a file of settings. @returns the names of those that it had not */
async function addEntry(folder: string, file: string, entry: JsonObject): Promise<string[]> {
  const path = join(folder, file);
  const before = await readTextFile(path);
  if (before.bytes === undefined) {
    await mkdir(dirname(path), { recursive: true });
    await requireInside(folder, dirname(path));
    await writeFile(path, `${jsonText(entry, READABLE_WIDTH)}\n`, { flag: "wx" });
    return serversOf(entry).map(({ name }) => name);
  }
  await requireInside(folder, before.path);
  const { text, names } = withEntry(before.text, entry);
  if (names.length > 0) await replaceTextFile(before, text);
  return names;
}

/** The servers of an entry, each with the key of its list. */
function serversOf({ inputs: _inputs, ...lists }: JsonObject) {
  return Object.entries(lists).flatMap(([key, servers]) =>
    Object.entries(isJsonObject(servers) ? servers : {}).flatMap(([name, settings]) =>
      isJsonObject(settings) ? [{ key, name, settings }] : [],
    ),
  );
}

/** A file of settings with the servers of an entry that it has not, and the inputs that they need. */
function withEntry(before: string, entry: JsonObject): { text: string; names: string[] } {
  let text = before;
  const names: string[] = [];
  for (const { key, name, settings } of serversOf(entry)) {
    const root = parseTree(text, [], { allowTrailingComma: true });
    if (root && findNodeAtLocation(root, [key, name]) !== undefined) continue;
    const inputs = name === AUTHOR ? [] : inputsOf(entry["inputs"] ?? []);
    text = withServer(text, { key, name, settings, inputs });
    names.push(name);
  }
  return { text, names };
}

/** TypeScript sees JSON here; the compiler's own entries have their inputs in this form. */
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
