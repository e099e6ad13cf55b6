import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../../text/package-root.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { npm } from "../../harness/runner/programs.js";

/** Prints the cost of generating, the start time of a server, and the size of a project. */
const projectRoot = fileURLToPath(packageRoot);
const bin = join(projectRoot, "dist/generator/bundle/main.js");

function manifestWith(tools: number): string {
  const items = Array.from(
    { length: tools },
    (_, index) => `  - name: tool_${index}
    description: Does the thing number ${index}.
    inputSchema:
      type: object
      properties:
        city: { type: string, description: City name, minLength: 1, maxLength: ${80 + index} }
        days: { type: integer, description: How many days, minimum: 1, maximum: 14, default: 3 }
      required: [city]
      additionalProperties: false
`,
  );
  return `name: measured\nversion: 1.0.0\ndiagnostics: { toolBudget: 0 }\ntools:\n${items.join("")}`;
}

interface Cost {
  /** Wall time. */
  readonly seconds: number;
  /** CPU time of all threads, which does not depend on the load of the machine. */
  readonly processorSeconds: number;
  /** Peak memory. */
  readonly megabytes: number;
}

/** What one command costs. */
function measured(folder: string, ...parameters: string[]): Cost {
  const report = `process.on("exit", () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    console.error("\\nPEAK", maxRSS, userCPUTime + systemCPUTime);
  })`;
  const started = performance.now();
  const { stderr, status } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(report)}`, bin, ...parameters],
    { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  const seconds = (performance.now() - started) / 1_000;
  const [, peak, processor] = /PEAK (\d+) (\d+)/.exec(stderr) ?? [];
  if (status !== 0 || peak === undefined) throw new Error(stderr);
  return {
    seconds,
    processorSeconds: Number(processor) / 1_000_000,
    megabytes: Number(peak) / 1024,
  };
}

async function measureCompiler(): Promise<void> {
  console.log("wall seconds (of which a processor's), peak memory");
  console.log("tools   generate                    unchanged                   check");
  for (const tools of [1, 10, 100, 1_000]) {
    const folder = await mkdtemp(join(tmpdir(), "mcpwright-measure-"));
    await writeFile(join(folder, "mcp.yaml"), manifestWith(tools));
    const cells = [["generate", "--quiet"], ["generate", "--quiet"], ["check"]].map((command) => {
      const { seconds, processorSeconds, megabytes } = measured(folder, ...command);
      const time = `${seconds.toFixed(2)} s (${processorSeconds.toFixed(2)} s)`;
      return `${time}, ${megabytes.toFixed(0)} MB`.padEnd(28);
    });
    console.log(`${String(tools).padEnd(8)}${cells.join("")}`);
    await rm(folder, { recursive: true });
  }
}

async function measureProject(): Promise<void> {
  const folder = await copyUserFiles(join(projectRoot, "examples/weather"), "measure");
  await mcpwright(folder, "generate");
  await installShared(folder);
  await npm(folder, "run", "build");
  const times: number[] = [];
  for (let run = 0; run < 9; run++) times.push(await timeToFirstList(folder));
  const median = times.sort((left, right) => left - right)[4] ?? 0;
  console.log(
    `weather, spawn to first tools/list over stdio: ${median.toFixed(0)} ms (median of 9)`,
  );
  await countLines(folder);
  await rm(folder, { recursive: true });
}

function timeToFirstList(folder: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const server = spawn(process.execPath, ["dist/src/main.js", "--stdio"], { cwd: folder });
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const request = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: envelope } };
    let answer = "";
    server.stdout.on("data", (chunk: Buffer) => {
      answer += chunk.toString();
      if (!answer.includes("\n")) return;
      const elapsed = performance.now() - started;
      server.kill();
      if (answer.includes("get_forecast")) resolve(elapsed);
      else reject(new Error(answer));
    });
    server.stdin.write(`${JSON.stringify(request)}\n`);
  });
}

async function countLines(folder: string): Promise<void> {
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/^(node_modules|dist)\//.test(path));
  const lines = async (wanted: RegExp): Promise<number> => {
    const texts = paths
      .filter((path) => wanted.test(path))
      .map((path) => readFile(join(folder, path), "utf8"));
    return (await Promise.all(texts)).reduce((sum, text) => sum + text.split("\n").length - 1, 0);
  };
  const runtime = await lines(/^src\/generated\/runtime\//);
  const tables = await lines(/^src\/(main\.ts|generated\/[^/]+\.ts)$/);
  const validators = await lines(/validators\.js$/);
  const tests = await lines(/^test\/generated\//);
  console.log(
    `weather, lines: ${runtime} runtime, ${tables} types and tables, ${validators} validators, ${tests} contract tests`,
  );
  const { dependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  console.log(`weather, run-time dependencies: ${Object.keys(dependencies).join(", ")}`);
}

await measureCompiler();
await measureProject();
