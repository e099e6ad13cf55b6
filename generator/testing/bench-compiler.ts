import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measured, type Cost } from "./bench-compiler/measured-process.js";
import { otherGenerators, OtherGenerators } from "./bench-compiler/other-generators.js";
import { benchManifest } from "./bench-server/projects.js";

/**
 * Prints what generating costs: cold, unchanged, and after one tool has changed; beside the time that
 * importing the compiler's heaviest libraries takes, and beside other generators.
 *
 *   npm run bench:compiler
 *   npm run bench:compiler -- --tools 10,100 --rounds 5 --others
 */
const { values } = parseArgs({
  options: {
    tools: { type: "string", default: "10,100,1000,10000" },
    rounds: { type: "string", default: "3" },
    others: { type: "boolean", default: false },
  },
});
const sizes = values.tools.split(",").map(Number);
const rounds = Number(values.rounds);
const packageRoot = fileURLToPath(new URL("../../../", import.meta.url));
const bin = join(packageRoot, "dist/generator/bundle/main.js");
const heavyImports = `await import("ts-morph"); await import("prettier");`;
const root = await mkdtemp(join(tmpdir(), "mcpwright-bench-"));
console.log(`Node.js ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}`);
try {
  const imports = median(
    times(() => measured(packageRoot, "--input-type=module", "-e", heavyImports)),
  );
  printRow("", ["CPU", "of import", "of cold", "a tool", "elapsed", "peak"]);
  printRow("import ts-morph and prettier", [`${imports.cpu.toFixed(2)} s`]);
  for (const tools of sizes) await compare(tools, imports);
} finally {
  await rm(root, { recursive: true, force: true });
}

async function compare(tools: number, imports: Cost): Promise<void> {
  const runs: Record<string, Cost[]> = { cold: [], unchanged: [], check: [], "one changed": [] };
  for (let round = 0; round < rounds; round++) {
    const folder = join(root, `${tools}-${round}`);
    await mkdir(folder);
    const manifest = benchManifest(tools);
    await writeFile(join(folder, "mcp.yaml"), manifest);
    runs["cold"]!.push(measured(folder, bin, "generate", "--quiet"));
    runs["unchanged"]!.push(measured(folder, bin, "generate", "--quiet"));
    runs["check"]!.push(measured(folder, bin, "check"));
    const last = `by method ${tools - 1}.`;
    await writeFile(join(folder, "mcp.yaml"), manifest.replace(last, `${last} Newer.`));
    runs["one changed"]!.push(measured(folder, bin, "generate", "--quiet"));
    await rm(folder, { recursive: true });
  }
  const cold = median(runs["cold"]!);
  for (const [name, costs] of Object.entries(runs))
    print(`${tools} tools, ${name}`, costs, tools, cold, imports);
  if (values.others) await compareOthers(tools, cold, imports);
}

async function compareOthers(tools: number, cold: Cost, imports: Cost): Promise<void> {
  const others = await OtherGenerators.install(await mkdtemp(join(root, "others-")));
  for (const name of otherGenerators) {
    const costs: Cost[] = [];
    for (let round = 0; round < rounds; round++) costs.push(await others.run(name, tools));
    print(`${tools} tools, ${name}`, costs, tools, cold, imports);
  }
}

function print(
  label: string,
  costs: readonly Cost[],
  tools: number,
  cold: Cost,
  imports: Cost,
): void {
  const cost = median(costs);
  printRow(label, [
    `${cost.cpu.toFixed(2)} s`,
    (cost.cpu / imports.cpu).toFixed(2),
    (cost.cpu / cold.cpu).toFixed(2),
    `${((cost.cpu * 1_000) / tools).toFixed(1)} ms`,
    `${cost.elapsed.toFixed(2)} s`,
    `${cost.megabytes.toFixed(0)} MB`,
  ]);
}

function printRow(label: string, cells: readonly string[]): void {
  console.log(label.padEnd(36) + cells.map((cell) => cell.padStart(11)).join(""));
}

function times(run: () => Cost): Cost[] {
  return Array.from({ length: rounds }, run);
}

/** The run in the middle by its CPU time. */
function median(costs: readonly Cost[]): Cost {
  return costs.toSorted((left, right) => left.cpu - right.cpu)[costs.length >> 1]!;
}
