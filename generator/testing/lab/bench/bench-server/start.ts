import { once } from "node:events";
import type { BenchProjects } from "./projects.js";
import { BenchRequest } from "./requests.js";
import { ServerProcess } from "./server-process.js";
import type { ServerName } from "./options.js";

export interface Started {
  readonly server: ServerName;
  /** From the spawning of the process to the end of its first `tools/list`, in milliseconds. */
  readonly wallMs: number[];
  /** CPU time of the process until then, in milliseconds. */
  readonly cpuMs: number[];
  /** Resident memory then, in bytes. */
  readonly memory: number[];
}

/** Starts servers over stdio in turn, for a number of rounds. */
export async function measureStarts(
  projects: BenchProjects,
  servers: readonly ServerName[],
  tools: number,
  rounds: number,
): Promise<Started[]> {
  const all: Started[] = servers.map((server) => ({ server, wallMs: [], cpuMs: [], memory: [] }));
  // The first start of each fills the caches of the file system, and makes missing files.
  for (const { server } of all) await startOnce(projects, server, tools);
  for (let round = 0; round < rounds; round++) {
    for (const { server, wallMs, cpuMs, memory } of all) {
      const start = await startOnce(projects, server, tools);
      wallMs.push(start.wallMs);
      cpuMs.push(start.usage.cpu / 1_000);
      memory.push(start.usage.memory);
    }
  }
  return all;
}

async function startOnce(
  projects: BenchProjects,
  name: ServerName,
  tools: number,
): Promise<{ wallMs: number; usage: { cpu: number; memory: number } }> {
  await projects.folderOf(name, tools);
  const started = performance.now();
  const server = await ServerProcess.start(projects, name, tools, "stdio");
  const { stdin, stdout } = server.child;
  stdin!.write(new BenchRequest("tools/list", "2026-07-28").stdioLine());
  let answer = "";
  while (!answer.endsWith("\n")) answer += String((await once(stdout!, "data"))[0]);
  const wallMs = performance.now() - started;
  const usage = await server.usage();
  await server.stop();
  if (!answer.includes(`"tool_${tools - 1}"`)) throw new Error(answer.slice(0, 500));
  return { wallMs, usage };
}
