import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { median } from "../bench/bench-server/median.js";
import { BenchRequest } from "../bench/bench-server/requests.js";
import { installQuietly, npm } from "../../harness/runner/programs.js";
import type { CommandLine } from "../../harness/clients/project-clients.js";
import {
  fieldGuide,
  newKey,
  otherPublished,
  pack,
  weather,
  type Packed,
  type PublishedProject,
} from "../../harness/projects/published-projects.js";

/**
 * Prints what projects weigh as people get them, and how long their servers take from being spawned to the end of the first
 * `tools/list`: from the compiled modules, from the bundle, from an installed package, and from that by `npx`.
 *
 *   npm run measure:published -- 9
 *
 * The argument is the number of starts of each kind, which take turns; the table has the shortest and the median.
 */
const rounds = Number(process.argv[2] ?? 9);
const root = await mkdtemp(join(tmpdir(), "mcpwright-measured-"));

/** The length of a file, if there is one. */
async function sizeOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? "–" : `${(found.size / 1000).toFixed(0)} kB`;
}

/** The size of the bundle for desktop clients, which some projects have. */
async function desktopSize(folder: string, { name }: PublishedProject): Promise<string> {
  if (!(await readFile(join(folder, "package.json"), "utf8")).includes('"mcpb":')) return "–";
  await npm(folder, "run", "mcpb", "--silent");
  return sizeOf(join(folder, `dist/${name}.mcpb`));
}

/** The ways in which a server is started. */
async function linesOf(
  { folder, tarball }: Packed,
  { name, env }: PublishedProject,
): Promise<CommandLine[]> {
  const place = join(root, `${name}-installed`);
  await mkdir(place);
  await installQuietly(place, tarball);
  const node = process.execPath;
  return [
    { folder, command: node, args: [join(folder, "dist/src/main.js")], env },
    { folder, command: node, args: [join(folder, "dist/bundle.mjs")], env },
    { folder: place, command: join(place, "node_modules/.bin", name), args: [], env },
    { folder: place, command: "npx", args: ["--offline", name], env },
  ];
}

/** The time of a start, in milliseconds. */
type Start = (line: CommandLine) => Promise<number>;

function spawned({ folder, command, args, env }: CommandLine, flags: string[]): ChildProcess {
  return spawn(command, [...args, ...flags], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
}

/** Ends a server, and what has started it. */
async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  process.kill(-child.pid!, "SIGTERM");
  await exited;
}

const overStdio: Start = async (line) => {
  const started = performance.now();
  const child = spawned(line, ["--stdio"]);
  child.stderr!.resume();
  child.stdin!.write(new BenchRequest("tools/list", "2026-07-28").stdioLine());
  let answer = "";
  while (!answer.endsWith("\n")) answer += String((await once(child.stdout!, "data"))[0]);
  const time = performance.now() - started;
  await end(child);
  if (!answer.includes('"inputSchema"')) throw new Error(answer.slice(0, 500));
  return time;
};

/** @param token what the caller shows of itself */
function overHttp(token: string, env: CommandLine["env"]): Start {
  return async (line) => {
    const started = performance.now();
    const child = spawned({ ...line, env }, ["--http", "--port", "0"]);
    let port = 0;
    for await (const logLine of createInterface({ input: child.stderr! })) {
      port = Number(/"url":"http:\/\/127\.0\.0\.1:(\d+)/.exec(logLine)?.[1] ?? 0);
      if (port > 0) break;
    }
    const socket = connect(port, "127.0.0.1");
    socket.write(new BenchRequest("tools/list", "2026-07-28").httpBytes(port, token));
    let answer = "";
    while (!answer.includes('"inputSchema"')) answer += String((await once(socket, "data"))[0]);
    const time = performance.now() - started;
    socket.destroy();
    await end(child);
    return time;
  };
}

async function measure(project: PublishedProject): Promise<string[]> {
  const made = await pack(root, project);
  const lines = await linesOf(made, project);
  const { key, env } =
    project.transport === "stdio" ? { key: "", env: {} } : await newKey(lines[1]!);
  const start = project.transport === "stdio" ? overStdio : overHttp(key, env);
  const times = lines.map((): number[] => []);
  // The first round fills the caches of the file system.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, line] of lines.entries()) {
      const time = await start(line);
      if (round > 0) times[index]!.push(time);
    }
  }
  return [
    project.name,
    await sizeOf(made.tarball),
    await sizeOf(join(made.folder, "dist/bundle.mjs")),
    await desktopSize(made.folder, project),
    ...times.map((all) => `${Math.min(...all).toFixed(0)}, ${median(all).toFixed(0)} ms`),
  ];
}

try {
  console.log(`Node.js ${process.version}, the shortest and the median of ${rounds} starts`);
  const titles = ["project", "npm tarball", "bundle.mjs", ".mcpb"];
  const rows = [[...titles, "compiled", "bundle", "installed", "npx"]];
  for (const project of [weather, ...otherPublished, fieldGuide]) rows.push(await measure(project));
  for (const [name = "", ...cells] of rows)
    console.log(name.padEnd(14) + cells.map((cell) => cell.padStart(13)).join(""));
} finally {
  await rm(root, { recursive: true, force: true });
}
