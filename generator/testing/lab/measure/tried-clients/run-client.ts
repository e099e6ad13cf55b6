import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { installQuietly } from "../../../harness/runner/programs.js";
import { nodeFolder } from "../../../harness/runner/node-programs.js";
import type { TriedClient } from "./tried-client.js";
import type { Outcomes, Step, Trial } from "./page.js";

const execute = promisify(execFile);

/** A text that a good answer to the step contains. */
const EXPECTED: Readonly<Record<Step, string>> = {
  initialize: "conformance",
  "list tools": "test_simple_text",
  call: "This is a simple text response for testing.",
  "error of a tool": "This tool intentionally returns an error for testing",
  "read a resource": "static text resource",
  "get a prompt": "simple prompt",
};

/** A client that has not ended by then hangs. */
const LIMIT_MS = 600_000;

/** The module of the model that stands in for the one of a client, for its driver. */
const standIn = new URL("stand-in-model.js", import.meta.url).href;

/** The server, as it listens and as it is started over stdio. */
export interface TriedServer {
  readonly url: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** A client that is installed, with the Node.js that runs it. */
export interface InstalledClient {
  readonly tried: TriedClient;
  readonly folder: string;
  readonly node: string;
}

/** Installs a client into a folder of its own. */
export async function installClient(tried: TriedClient, folder: string): Promise<InstalledClient> {
  await mkdir(folder, { recursive: true });
  const about = { private: true, type: "module", dependencies: tried.packages };
  await writeFile(join(folder, "package.json"), JSON.stringify(about));
  await installQuietly(folder);
  const { node } = tried;
  return {
    ...{ tried, folder },
    node: node === undefined ? process.execPath : join(await nodeFolder(node), "node"),
  };
}

/** Drives a client over each of its transports. */
export async function tryClient(
  { tried, folder, node }: InstalledClient,
  server: TriedServer,
): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const transport of tried.transports) {
    const home = join(folder, `home-${transport}`);
    await mkdir(home);
    const given = { ...server, transport, home, standIn };
    await writeFile(join(folder, "drive.mjs"), driver(tried, given));
    const outcomes = await drive(node, folder, home);
    const version = tried.packages[tried.client] ?? "";
    const { stdout } = await execute(node, ["--version"]);
    const ran = { client: tried.client, version, transport, node: stdout.trim().slice(1) };
    trials.push({ ...ran, outcomes });
  }
  return trials;
}

/** The module that drives a client. It prints what came of a step as soon as it is known. */
function driver({ program }: TriedClient, given: object): string {
  return `const { url, command, args, transport, home, standIn } = ${JSON.stringify(given)};
const expected = ${JSON.stringify(EXPECTED)};
const say = (name, outcome) => console.log("outcome " + JSON.stringify([name, outcome]));
async function step(name, action) {
  try {
    const answer = JSON.stringify(await action()) ?? "";
    say(name, answer.includes(expected[name]) ? "ok" : "unexpected answer: " + answer.slice(0, 150));
  } catch (error) {
    say(name, String(error?.message ?? error).split("\\n")[0].slice(0, 200));
  }
}
${program}
console.log("done");
process.exit(0);
`;
}

async function drive(node: string, folder: string, home: string): Promise<Outcomes> {
  // Some read the settings of editors in the home folder.
  const env = { ...process.env, HOME: home };
  const options = { cwd: folder, env, timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
  const { stdout, stderr } = await execute(node, ["drive.mjs"], options).catch(
    (error: { readonly stdout?: string; readonly stderr?: string }) => error,
  );
  const lines = (stdout ?? "").split("\n").filter((line) => line.startsWith("outcome "));
  if (lines.length === 0) console.error(stderr);
  else if (!/^done$/m.test(stdout ?? ""))
    throw new Error(`a client did not end\n${stdout}\n${stderr}`);
  const found = lines.map((line) => JSON.parse(line.slice("outcome ".length)) as [Step, string]);
  return found.length === 0
    ? { initialize: "the client did not start" }
    : Object.fromEntries(found);
}
