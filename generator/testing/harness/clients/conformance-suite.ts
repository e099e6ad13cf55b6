import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { installPackage } from "../runner/cached-package.js";

const SUITE = "@modelcontextprotocol/conformance";
const VERSION = "0.2.0-alpha.12";

export interface SuiteOutcome {
  /** The suite's own verdict: only scored scenarios count. */
  readonly passed: boolean;
  /** Scenarios by name, and whether every check of each passed. */
  readonly scenarios: ReadonlyMap<string, boolean>;
  readonly output: string;
}

type Revision = "2025-11-25" | "2026-07-28";

/**
 * Runs the official conformance suite's requirements of one revision against a server on loopback. The suite gives some
 * answers half a second: what should pass and does not is tried once more on a slower clock, so that the verdict is about the
 * server rather than about what else the machine does.
 * @param isWanted Whether a scenario should pass; all should without it.
 */
export async function runConformanceSuite(
  url: string,
  requirements: Revision,
  isWanted: (scenario: string) => boolean = () => true,
): Promise<SuiteOutcome> {
  const { status, output } = await runSuite((folder) => [
    ...["server", "--url", url, "--requirements", requirements],
    ...["-o", folder],
  ]);
  const scenarios = scenariosIn(output);
  const outputs = [output];
  for (const [scenario, passed] of scenarios) {
    if (passed || !isWanted(scenario)) continue;
    const options = ["--spec-version", requirements, "--force"];
    const again = await runScenario(url, scenario, options, [SLOW_CLOCK]);
    outputs.push(again.output);
    scenarios.set(scenario, again.passed);
  }
  const areAllPassing = outputs.length > 1 && [...scenarios.values()].every((passed) => passed);
  return { passed: status === 0 || areAllPassing, scenarios, output: outputs.join("\n") };
}

/** Makes limits of half a second and more longer in the process that imports it. */
const SLOW_CLOCK = `data:text/javascript,${encodeURIComponent(`
const { setTimeout: wait } = globalThis;
globalThis.setTimeout = (call, ms, ...values) => wait(call, ms >= 500 ? 20 * ms : ms, ...values);
const limit = AbortSignal.timeout;
AbortSignal.timeout = (ms) => limit.call(AbortSignal, 20 * ms);
`)}`;

/**
 * Runs one scenario, which need not be required by a revision.
 * @param options Others of the suite's command.
 * @param imported Modules that the suite's process imports first.
 * @returns its output, and whether all its checks passed
 */
export async function runScenario(
  url: string,
  scenario: string,
  options: readonly string[] = [],
  imported: readonly string[] = [],
): Promise<{ readonly passed: boolean; readonly output: string }> {
  const { status, output } = await runSuite(
    (folder) => [
      ...["server", "--url", url, "--scenario", scenario],
      ...["-o", folder, ...options],
    ],
    imported,
  );
  return { passed: status === 0, output };
}

let listed: Promise<readonly string[]> | undefined;

/** The names of all scenarios that the suite has for servers, required or not. */
export function serverScenarios(): Promise<readonly string[]> {
  return (listed ??= listScenarios());
}

async function listScenarios(): Promise<readonly string[]> {
  const { output } = await runSuite(() => ["list", "--server"]);
  return [...output.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name ?? "");
}

/** The folder of the suite, which it is installed into when it is first needed. */
export async function suiteFolder(): Promise<URL> {
  return pathToFileURL(join(await installPackage(SUITE, VERSION), "node_modules", SUITE, "/"));
}

/**
 * @param parametersFor the suite's parameters, given a folder that is there while it runs
 * @param imported Modules that its process imports first.
 */
async function runSuite(
  parametersFor: (folder: string) => readonly string[],
  imported: readonly string[] = [],
): Promise<{ status: number | null; output: string }> {
  const entry = fileURLToPath(new URL("dist/index.js", await suiteFolder()));
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-conformance-"));
  try {
    const imports = imported.flatMap((module) => ["--import", module]);
    const parameters = [...(await nodeImports(folder)), ...imports, entry];
    return await runNode([...parameters, ...parametersFor(folder)]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The suite takes `globSync` from `node:fs`, for a command that is not used here; Node.js has it from 22 on. */
async function nodeImports(folder: string): Promise<string[]> {
  if (Number(process.versions.node.split(".")[0]) >= 22) return [];
  const [stub, hooks, register] = ["fs.mjs", "hooks.mjs", "register.mjs"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await writeFile(
    stub,
    'export * from "node:fs";\nexport { default } from "node:fs";\nexport const globSync = undefined;\n',
  );
  await writeFile(
    hooks,
    `export const resolve = (specifier, context, next) =>
  /^(node:)?fs$/.test(specifier) && context.parentURL?.includes(${JSON.stringify(`/${SUITE}/dist/`)})
    ? { url: ${JSON.stringify(pathToFileURL(stub).href)}, shortCircuit: true }
    : next(specifier, context);\n`,
  );
  await writeFile(
    register,
    `import { register } from "node:module";\nregister(${JSON.stringify(pathToFileURL(hooks).href)});\n`,
  );
  return ["--import", pathToFileURL(register).href];
}

function runNode(parameters: string[]): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, parameters, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("close", (status) => resolve({ status, output }));
  });
}

/** The lines of the suite's summary: `✓ ping: 2 passed, 0 failed`. */
function scenariosIn(output: string): Map<string, boolean> {
  const lines = stripVTControlCharacters(output).matchAll(/^([✓✗]) ([\w-]+): \d+ passed/gm);
  return new Map([...lines].map(([, mark, name]) => [name ?? "", mark === "✓"]));
}
