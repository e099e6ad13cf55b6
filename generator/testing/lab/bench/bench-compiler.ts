import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packageRoot } from "../../../text/package-root.js";
import { benchImported } from "./bench-compiler/imported-documents.js";
import { devRounds, type DevRound } from "./bench-compiler/dev-rounds.js";
import { measured, type Cost } from "./bench-compiler/measured-process.js";
import { otherGenerators, OtherGenerators } from "./bench-compiler/other-generators.js";
import { TOOL_KINDS, type ToolKind } from "./bench-compiler/bench-tools.js";

/**
 * Prints what generating costs: cold, unchanged, and after one tool has changed, also where every handler
 * has been written; beside the time that importing the compiler's heaviest libraries takes, and beside other
 * generators. With tools that share one schema, and with tools whose schemas all differ.
 *
 *   npm run bench:compiler
 *   npm run bench:compiler -- --tools 10,100 --rounds 5 --schemas different --others
 *   npm run bench:compiler -- --dev --tools 100 --rounds 5
 *   npm run bench:compiler -- --imported [DOCUMENT …]
 *
 * `--dev` prints instead how long it takes under `mcpwright dev` from saving the manifest to the type-check's
 * verdict and to the restarted server's first answer. `--imported` prints what a cold run costs for the manifests that
 * are imported from OpenAPI documents: the ones that are named, or else those of `npm run import:documents`.
 */
const { values, positionals } = parseArgs({
  options: {
    tools: { type: "string", default: "10,100,1000,10000" },
    rounds: { type: "string", default: "3" },
    schemas: { type: "string", default: "same,different" },
    others: { type: "boolean", default: false },
    dev: { type: "boolean", default: false },
    imported: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const sizes = values.tools.split(",").map(Number);
const rounds = Number(values.rounds);
const kinds = values.schemas.split(",").map((name): [string, ToolKind] => {
  const kind = Object.entries(TOOL_KINDS).find(([known]) => known === name);
  if (kind === undefined)
    throw new Error(`--schemas takes ${Object.keys(TOOL_KINDS).join(" and ")}`);
  return kind;
});
const bin = fileURLToPath(new URL("dist/generator/bundle/main.js", packageRoot));
const heavyImports = `await import("ts-morph"); await import("prettier");`;
/**
 * Holds the folders of all runs until the end: on ext4, files are created many times slower soon after
 * thousands were removed, since it passes over each freed inode for a while.
 */
const root = await mkdtemp(join(tmpdir(), "mcpwright-bench-"));
let others: OtherGenerators | undefined;
console.log(`Node.js ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}`);
try {
  if (values.dev) await compareDev();
  else if (values.imported) await benchImported(bin, root, positionals);
  else await compareAll();
} finally {
  await rm(root, { recursive: true, force: true });
}

async function compareAll(): Promise<void> {
  const imports = median(
    times(() => measured(fileURLToPath(packageRoot), "--input-type=module", "-e", heavyImports)),
  );
  printRow("", ["CPU", "of import", "of cold", "a tool", "elapsed", "peak"]);
  printRow("import ts-morph and prettier", [`${imports.cpu.toFixed(2)} s`]);
  if (values.others) others = await OtherGenerators.install(root);
  for (const [name, kind] of kinds) {
    printRow(`schemas: ${name}`, []);
    for (const tools of sizes) await compare(tools, name, kind, imports);
  }
}

/** Each figure is the median of its own over all rounds, in seconds since the manifest was saved. */
async function compareDev(): Promise<void> {
  const columns = ["generating", "generated", "checked", "answered"] as const;
  printRow("seconds under dev", columns);
  for (const [name, kind] of kinds) {
    for (const tools of sizes) {
      const folder = join(root, `dev-${name}-${tools}`);
      await mkdir(folder);
      const measuredRounds = await devRounds(bin, folder, kind, { tools, rounds });
      const cells = columns.map((column) => secondsOf(measuredRounds, column));
      printRow(`${tools} tools, schemas: ${name}`, cells);
    }
  }
}

function secondsOf(measuredRounds: readonly DevRound[], column: keyof DevRound): string {
  const sorted = measuredRounds.map((round) => round[column]).toSorted((a, b) => a - b);
  return `${((sorted[sorted.length >> 1] ?? 0) / 1_000).toFixed(2)} s`;
}

async function compare(count: number, name: string, kind: ToolKind, imports: Cost): Promise<void> {
  const runs: Record<string, Cost[]> = {
    cold: [],
    unchanged: [],
    check: [],
    "one changed": [],
    "one changed, written": [],
  };
  for (let round = 0; round < rounds; round++) {
    const folder = join(root, `${name}-${count}-${round}`);
    await mkdir(folder);
    const manifest = join(folder, "mcp.yaml");
    // Packages are installed before a second run, since the cache is in their folder.
    await mkdir(join(folder, "node_modules"));
    await writeFile(manifest, kind.manifest(count));
    runs["cold"]!.push(measured(folder, bin, "generate", "--quiet"));
    runs["unchanged"]!.push(measured(folder, bin, "generate", "--quiet"));
    runs["check"]!.push(measured(folder, bin, "check"));
    await writeFile(manifest, kind.changed(count));
    runs["one changed"]!.push(measured(folder, bin, "generate", "--quiet"));
    await writeHandlers(join(folder, "src/tools"));
    await writeFile(manifest, kind.manifest(count));
    runs["one changed, written"]!.push(measured(folder, bin, "generate", "--quiet"));
  }
  for (const generator of others === undefined ? [] : otherGenerators) {
    const tools = kind.tools(count);
    runs[generator] = times(() => others!.run(generator, tools));
  }
  const cold = median(runs["cold"]!);
  for (const [run, costs] of Object.entries(runs)) {
    print(`${count} tools, ${run}`, costs, count, cold, imports);
  }
}

/** As people do: something else instead of each stub's one statement. */
async function writeHandlers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const stub = await readFile(join(folder, name), "utf8");
    const written = stub.replace(/throw new [^;]*;/, "return respond(`answer to ${input}`);");
    if (written === stub) throw new Error(`no stub: ${name}`);
    await writeFile(join(folder, name), written);
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
