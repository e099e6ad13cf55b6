import { readFile, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { startHttp } from "../../../harness/clients/project-clients.js";
import type { Trial } from "./page.js";
import { tryClient, type InstalledClient } from "./run-client.js";

/** What the program is to do. */
export interface DriveJob {
  /** The built project of the server. */
  readonly project: string;
  readonly clients: readonly InstalledClient[];
  /** Where the results are written. */
  readonly results: string;
}

/**
 * Drives installed clients against a server, in a process that has no network but the loopback.
 *
 *   node drive-clients.js job.json
 */
const outside = Object.keys(networkInterfaces()).filter((name) => name !== "lo");
if (outside.length > 0) throw new Error(`clients could use ${outside.join(", ")}`);
const [, , file = ""] = process.argv;
const { project, clients, results } = JSON.parse(await readFile(file, "utf8")) as DriveJob;
const { url, stop } = await startHttp(project);
const trials: Trial[] = [];
try {
  const args = [join(project, "dist/src/main.js"), "--stdio"];
  for (const client of clients) {
    const found = await tryClient(client, { url, command: process.execPath, args });
    for (const one of found) console.log(JSON.stringify(one));
    trials.push(...found);
  }
} finally {
  await stop();
}
await writeFile(results, JSON.stringify(trials));
