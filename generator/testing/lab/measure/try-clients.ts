import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { packageRoot } from "../../../text/package-root.js";
import { buildProject } from "../../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { triedClients } from "./tried-clients/clients.js";
import type { DriveJob } from "./tried-clients/drive-clients.js";
import { clientsPage, type Trial } from "./tried-clients/page.js";
import { installClient, type InstalledClient } from "./tried-clients/run-client.js";

/**
 * Drives clients of npm against the server of examples/conformance, records what came of it, and writes the page
 * `examples/CLIENTS.md` from that. All are installed first. Then they run in a network namespace of Linux that has the
 * loopback only, with nothing of this process's environment, so that none of them can reach anything else.
 *
 *   npm run measure:clients -- mastra
 *
 * Arguments are parts of names of clients; the results of the others stay as they were recorded.
 */
const record = new URL("generator/testing/fixtures/tried-clients.json", packageRoot);
const parts = process.argv.slice(2);
const isChosen = (client: string): boolean =>
  parts.length === 0 || parts.some((part) => client.includes(part));

const project = await copyUserFiles(
  fileURLToPath(new URL("examples/conformance/", packageRoot)),
  "tried",
);
const folder = await mkdtemp(join(tmpdir(), "mcpwright-clients-"));
const former = JSON.parse(await readFile(record, "utf8").catch(() => "[]")) as Trial[];
const trials: Trial[] = former.filter(({ client }) => !isChosen(client));
try {
  await mcpwright(project, "generate");
  await installShared(project);
  await buildProject(project);
  const clients: InstalledClient[] = [];
  for (const tried of triedClients.filter(({ client }) => isChosen(client))) {
    clients.push(await installClient(tried, join(folder, String(clients.length))));
  }
  trials.push(...(await driveWithoutNetwork(clients)));
} finally {
  await rm(project, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
const order = triedClients.map(({ client, packages }) => `${client} ${packages[client]}`);
const placeOf = ({ client, version }: Trial): number => order.indexOf(`${client} ${version}`);
trials.sort((one, other) => placeOf(one) - placeOf(other));
await writeFile(record, await format(JSON.stringify(trials), { parser: "json" }));
const page = await format(clientsPage(trials), { parser: "markdown" });
await writeFile(new URL("examples/CLIENTS.md", packageRoot), page);

/** @throws Error if `unshare` of util-linux is missing, or may not make a network namespace */
async function driveWithoutNetwork(clients: readonly InstalledClient[]): Promise<readonly Trial[]> {
  const [file, results] = [join(folder, "job.json"), join(folder, "results.json")];
  const home = join(folder, "home");
  await mkdir(home);
  const job: DriveJob = { project, clients, results };
  await writeFile(file, JSON.stringify(job));
  const program = fileURLToPath(new URL("tried-clients/drive-clients.js", import.meta.url));
  const command = 'ip link set lo up && exec "$@"';
  const words = ["-rn", "sh", "-c", command, "sh", process.execPath, program, file];
  const child = spawn("unshare", words, {
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: "inherit",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`driving the clients ended with ${code}`);
  return JSON.parse(await readFile(results, "utf8")) as Trial[];
}
