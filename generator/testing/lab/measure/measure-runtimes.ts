import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { packageRoot } from "../../../text/package-root.js";
import { modernRequest, sendRaw } from "../../../../templates/runtime/suite/clients/http.js";
import {
  findRuntime,
  startForeign,
  startLambda,
  startVercel,
  startWorker,
  startWorkerd,
  type ForeignServer,
} from "../../harness/runner/other-runtimes.js";
import { runProgram } from "../../harness/runner/programs.js";
import { makeProject } from "../../scenarios/attacks/hostile-requests/demo-project.js";
import { median } from "../bench/bench-server/median.js";

/**
 * Prints what `examples/edge` weighs on each runtime, and how long it takes from the start of the process to the first
 * `tools/list`. A worker that answers every request with "ok" shows what of that is the start of workerd itself: the rest
 * is the start of the isolate with the server. Lambda and Vercel are what stands for them in tests.
 *
 *   npm run measure:runtimes -- 9
 *
 * The argument is the number of starts of each kind, which take turns; the table has the shortest and the median.
 */
const rounds = Number(process.argv[2] ?? 9);
const key = "a-key-of-ada";
const variables = {
  API_KEYS: `ada:${createHash("sha256").update(key).digest("hex")}:`,
  RATES_URL: "http://127.0.0.1:9",
};
const manifest = await readFile(new URL("examples/edge/mcp.yaml", packageRoot), "utf8");
const folder = await makeProject("edge", {
  "mcp.yaml": manifest.replace("{ env: RATES_URL }", "{ env: RATES_URL }\n    private: true"),
});

/** How a runtime starts the server, and the file that it starts. */
interface MeasuredRuntime {
  readonly name: string;
  /** From the project's folder; absent where there is no file of the project's. */
  readonly file?: string;
  readonly start: () => Promise<ForeignServer>;
}

const bundleFlags = (port: number): string[] => ["--http", "--port", String(port)];

/** A runtime that starts the bundle of Node.js. @param before what stands before the bundle's path */
async function withBundle(name: "bun" | "deno", before: string[]): Promise<MeasuredRuntime[]> {
  const { program, reason } = await findRuntime(name);
  if (program === undefined) return skipped(name, reason);
  const parameters = (port: number): string[] => [
    ...before,
    "dist/bundle.mjs",
    ...bundleFlags(port),
  ];
  const start = () => startForeign(program, parameters, folder, variables);
  return [{ name, file: "dist/bundle.mjs", start }];
}

async function withWorkerd(): Promise<MeasuredRuntime[]> {
  const { program, reason } = await findRuntime("workerd");
  if (program === undefined) return skipped("workerd", reason);
  await writeFile(
    join(folder, "dist/empty.mjs"),
    'export default { fetch: () => new Response("ok") };\n',
  );
  const modules = ['name = "empty.mjs", esModule = embed "dist/empty.mjs"'];
  const startEmpty = () => startWorkerd(program, folder, { modules });
  const start = () => startWorker(program, folder, variables);
  return [
    { name: "workerd, empty", file: "dist/empty.mjs", start: startEmpty },
    { name: "workerd", file: "dist/worker.mjs", start },
  ];
}

function skipped(name: string, reason: string): [] {
  console.log(`${name} is left out: ${reason}`);
  return [];
}

/** The time from the start of a process to the first list, in milliseconds. */
async function timeOf({ name, start }: MeasuredRuntime): Promise<number> {
  const started = performance.now();
  const server = await start();
  const headers = { authorization: `Bearer ${key}`, "cf-connecting-ip": "127.0.0.1" };
  const { text } = await sendRaw(modernRequest(server.url, "tools/list", {}, headers));
  const time = performance.now() - started;
  await server.stop();
  if (!text.includes('"inputSchema"') && text !== "ok") throw new Error(`${name}: ${text}`);
  return time;
}

/** The size of a file, alone and compressed. */
async function sizeOf(file: string | undefined): Promise<string> {
  if (file === undefined) return "–";
  const content = await readFile(join(folder, file));
  const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(0);
  return `${kilobytes(content.length)} kB, ${kilobytes(gzipSync(content).length)} kB compressed`;
}

try {
  const command = join(folder, "node_modules/@mcpwright/runtime/dist/commands/main.js");
  for (const bundle of ["bundle", "bundle-worker", "bundle-lambda", "bundle-vercel"]) {
    await runProgram(folder, process.execPath, [command, bundle]);
  }
  const nodeFlags = (port: number): string[] => ["dist/bundle.mjs", ...bundleFlags(port)];
  const runtimes: MeasuredRuntime[] = [
    {
      name: `Node.js ${process.version}`,
      file: "dist/bundle.mjs",
      start: () => startForeign(process.execPath, nodeFlags, folder, variables),
    },
    ...(await withBundle("bun", ["run"])),
    ...(await withBundle("deno", ["run", "--allow-all"])),
    ...(await withWorkerd()),
    { name: "Lambda", start: () => startLambda(folder, "handler", variables) },
    {
      name: "Vercel",
      file: ".vercel/output/functions/server.func/index.mjs",
      start: () => startVercel(folder, variables),
    },
  ];
  const times = runtimes.map((): number[] => []);
  // The first round fills the caches of the file system.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, runtime] of runtimes.entries()) {
      const time = await timeOf(runtime);
      if (round > 0) times[index]!.push(time);
    }
  }
  console.log("| runtime | size | spawn to first list |\n| --- | --- | --- |");
  for (const [index, { name, file }] of runtimes.entries()) {
    const [shortest, middle] = [Math.min(...times[index]!), median(times[index]!)];
    console.log(
      `| ${name} | ${await sizeOf(file)} | ${shortest.toFixed(0)}, ${middle.toFixed(0)} ms |`,
    );
  }
} finally {
  await rm(dirname(folder), { recursive: true, force: true });
}
