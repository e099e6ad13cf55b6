import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { UnusableSettings, withServer, type Input, type ServerEntry } from "./edit-settings.js";
import { inputId, knownClients, type KnownClient, type Machine } from "./known-clients.js";
import { readTextFile, replaceTextFile } from "./replace-file.js";

/** How clients reach this server. */
export interface InstallableServer {
  /** The name that the server gets in the client's settings. */
  readonly name: string;
  /** Whether clients start it and use stdio. */
  readonly isStarted: boolean;
  /** Whether it reads environment variables, which are then in the project's file `.env`. */
  readonly hasVariables: boolean;
  /** Its URL, if clients do not start it. */
  readonly url?: string;
  /** The environment variable with the token that callers need, if they need one. */
  readonly token?: string;
}

const USAGE = "Usage: npm run install:client -- NAME [--file PATH]";

/**
 * Adds the server to the settings of a client that is installed on this machine. `npm run install:client`
 * calls this. Prints what was changed, or why nothing was.
 *
 * @param root The project's folder.
 * @param args The client's name, and optionally `--file` with a file other than the user's own settings.
 * @returns The exit code of the process.
 */
export async function installClient(
  server: InstallableServer,
  root: string,
  args: readonly string[],
  machine: Machine = { platform: process.platform, home: homedir(), env: process.env },
): Promise<number> {
  const clients = knownClients(machine);
  const { name, file } = readArguments(args);
  const client = clients.get(name ?? "");
  if (client === undefined) {
    return fail(`${USAGE}\nNAME is one of ${[...clients.keys()].join(", ")}.`);
  }
  const entry = entryFor(client, server, root);
  if (entry === undefined) {
    return fail(
      `${client.title} takes a server over HTTP under Settings → Connectors, by its public URL.`,
    );
  }
  const path = file === undefined ? client.file : resolve(machine.env["INIT_CWD"] ?? "", file);
  return addEntry(path, entry, client);
}

function readArguments(args: readonly string[]): { name?: string; file?: string } {
  try {
    const options = { file: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [name, ...surplus] = positionals;
    if (name === undefined || surplus.length > 0) return {};
    return { name, ...(values.file !== undefined && { file: values.file }) };
  } catch {
    return {};
  }
}

async function addEntry(path: string, entry: ServerEntry, { title }: KnownClient): Promise<number> {
  try {
    const file = await readTextFile(path);
    const text = withServer(file.text, entry);
    if (text === file.text) {
      console.log(`${title} has ${entry.name} already, in ${path}`);
      return 0;
    }
    await replaceTextFile(file, text);
    const backup =
      file.bytes === undefined ? "" : `; what was there before is in ${file.path}.saved`;
    console.log(`${title} finds ${entry.name} in ${path} when it starts again${backup}`);
    return 0;
  } catch (error) {
    const prefix = error instanceof UnusableSettings ? `${path}:` : `${path}: `;
    return fail(
      `${prefix}${error instanceof Error ? error.message : String(error)}\nNothing was changed.`,
    );
  }
}

function fail(message: string): number {
  console.error(message);
  return 1;
}

/** The entry for the client's file, or undefined if the client cannot reach such a server. */
function entryFor(
  client: KnownClient,
  server: InstallableServer,
  root: string,
): ServerEntry | undefined {
  const { key, hasTypes, token } = client;
  const { name, url, isStarted } = server;
  if (isStarted) {
    const type = hasTypes ? { type: "stdio" } : {};
    return { key, name, settings: { ...type, ...startCommand(server, root) }, inputs: [] };
  }
  if (url === undefined || token === undefined) return undefined;
  const headers =
    server.token === undefined
      ? {}
      : { headers: { Authorization: `Bearer ${token(server.token)}` } };
  const settings = { ...(hasTypes && { type: "http" }), url, ...headers };
  const needsInput = key === "servers" && server.token !== undefined;
  return { key, name, settings, inputs: needsInput ? [tokenPrompt(server.token, name)] : [] };
}

/**
 * The command that starts the server. It names the Node.js of this process, since desktop clients may find
 * another one or none. Secrets stay in the project's `.env`.
 */
function startCommand({ hasVariables }: InstallableServer, root: string): object {
  const variables = hasVariables ? ["--dotenv", join(root, ".env")] : [];
  const main = join(root, "dist", "bundle.mjs");
  return {
    command: process.execPath,
    args: ["--enable-source-maps", main, "--stdio", ...variables],
  };
}

function tokenPrompt(variable: string, name: string): Input {
  const description = `Token for ${name}`;
  return { type: "promptString", id: inputId(variable), description, password: true };
}
