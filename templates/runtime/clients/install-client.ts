import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { UnusableSettings, withServer, type Question, type ServerEntry } from "./edit-settings.js";
import { inputId, knownClients, type KnownClient, type Machine } from "./known-clients.js";
import { readTextFile, replaceTextFile } from "./replace-file.js";

/** How clients get to this server. */
export interface InstallableServer {
  readonly name: string;
  /** Whether clients start it themselves, over stdio. */
  readonly isStarted: boolean;
  /** Whether it reads variables of the environment, which then stand in `.env` of the project. */
  readonly hasVariables: boolean;
  /** Its address, where clients do not start it. */
  readonly url?: string;
  /** The environment variable with the token that callers need, if they do. */
  readonly token?: string;
}

const USAGE = "Usage: npm run install:client -- NAME [--file PATH]";

/**
 * Adds the server to the settings of a client that is installed on this machine: what
 * `npm run install:client` runs. Says what it did, or why it did nothing.
 *
 * @param root the project's folder
 * @param args the client's name; `--file` names another file than the user's own
 * @returns the status to exit with
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
  return addTo(path, entry, client);
}

function readArguments(args: readonly string[]): { name?: string; file?: string } {
  try {
    const options = { file: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [name, ...others] = positionals;
    if (name === undefined || others.length > 0) return {};
    return { name, ...(values.file !== undefined && { file: values.file }) };
  } catch {
    return {};
  }
}

async function addTo(path: string, entry: ServerEntry, { title }: KnownClient): Promise<number> {
  try {
    const file = await readTextFile(path);
    const text = withServer(file.text, entry);
    if (text === file.text) {
      console.log(`${title} has ${entry.name} already, in ${path}`);
      return 0;
    }
    await replaceTextFile(file, text);
    const kept = file.bytes === undefined ? "" : `; what was there before is in ${file.path}.saved`;
    console.log(`${title} finds ${entry.name} in ${path} when it starts again${kept}`);
    return 0;
  } catch (error) {
    const place = error instanceof UnusableSettings ? `${path}:` : `${path}: `;
    return fail(
      `${place}${error instanceof Error ? error.message : String(error)}\nNothing was changed.`,
    );
  }
}

function fail(message: string): number {
  console.error(message);
  return 1;
}

/** What the client's file is to say; undefined where the client does not reach such a server. */
function entryFor(
  client: KnownClient,
  server: InstallableServer,
  root: string,
): ServerEntry | undefined {
  const { key, hasTypes, token } = client;
  const { name, url, isStarted } = server;
  if (isStarted) {
    const type = hasTypes ? { type: "stdio" } : {};
    return { key, name, settings: { ...type, ...startedBy(server, root) }, inputs: [] };
  }
  if (url === undefined || token === undefined) return undefined;
  const headers =
    server.token === undefined
      ? {}
      : { headers: { Authorization: `Bearer ${token(server.token)}` } };
  const settings = { ...(hasTypes && { type: "http" }), url, ...headers };
  const asks = key === "servers" && server.token !== undefined;
  return { key, name, settings, inputs: asks ? [question(server.token, name)] : [] };
}

/** With the Node.js that runs now: desktop clients may find another, or none. Secrets stay in the project. */
function startedBy({ hasVariables }: InstallableServer, root: string): object {
  const variables = hasVariables ? ["--dotenv", join(root, ".env")] : [];
  const main = join(root, "dist", "src", "main.js");
  return { command: process.execPath, args: [main, "--stdio", ...variables] };
}

function question(variable: string, name: string): Question {
  const description = `Token for ${name}`;
  return { type: "promptString", id: inputId(variable), description, password: true };
}
