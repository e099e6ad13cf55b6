import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { packageRoot } from "../../../text/package-root.js";
import { startHttp } from "../../harness/clients/project-clients.js";
import { buildProject } from "../../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { triedClients } from "./tried-clients/clients.js";
import { clientsPage, type Trial } from "./tried-clients/page.js";
import { tryClient } from "./tried-clients/run-client.js";

/**
 * Drives clients of npm against the server of examples/conformance, records what came of it, and writes the page
 * `examples/CLIENTS.md` from that.
 *
 *   npm run measure:clients -- mastra
 *
 * Arguments are parts of names of clients; the results of the others stay as they were recorded.
 */
const record = new URL("generator/testing/fixtures/tried-clients.json", packageRoot);
const parts = process.argv.slice(2);
const isChosen = (client: string): boolean =>
  parts.length === 0 || parts.some((part) => client.includes(part));

const folder = await copyUserFiles(
  fileURLToPath(new URL("examples/conformance/", packageRoot)),
  "tried",
);
await mcpwright(folder, "generate");
await installShared(folder);
await buildProject(folder);
const { url, stop } = await startHttp(folder);
const former = JSON.parse(await readFile(record, "utf8").catch(() => "[]")) as Trial[];
const trials: Trial[] = former.filter(({ client }) => !isChosen(client));
try {
  const args = [join(folder, "dist/src/main.js"), "--stdio"];
  for (const tried of triedClients.filter(({ client }) => isChosen(client))) {
    const found = await tryClient(tried, { url, command: process.execPath, args });
    for (const one of found) console.log(JSON.stringify(one));
    trials.push(...found);
  }
} finally {
  await stop();
  await rm(folder, { recursive: true, force: true });
}
const order = triedClients.map(({ client, packages }) => `${client} ${packages[client]}`);
const placeOf = ({ client, version }: Trial): number => order.indexOf(`${client} ${version}`);
trials.sort((one, other) => placeOf(one) - placeOf(other));
await writeFile(record, await format(JSON.stringify(trials), { parser: "json" }));
const page = await format(clientsPage(trials), { parser: "markdown" });
await writeFile(new URL("examples/CLIENTS.md", packageRoot), page);
