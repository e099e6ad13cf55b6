import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../../text/package-root.js";
import { installQuietly } from "../../harness/runner/programs.js";
import { authoringAgents, type Author } from "./tried-clients/authors.js";
import { StandInModel, type WantedCall } from "./tried-clients/stand-in-model.js";

/**
 * Has clients of coding agents make a server through `mcpwright mcp`, with a model that stands in for theirs, and prints what the
 * server answered to each of its calls. They are installed first, and then run where nothing but the loopback can be reached.
 *
 *   node dist/generator/testing/lab/measure/try-author.js [NAMEPART]
 */
const [, , part = "", installed] = process.argv;
const command = fileURLToPath(new URL("dist/generator/bundle/main.js", packageRoot));
const chosen = authoringAgents.filter(({ client }) => client.includes(part));
if (installed === undefined) await installAndRestart();
else for (const agent of chosen) await tryAgent(agent, installed);
// Programs of agents may leave processes behind, which hold the output open.
process.exit(process.exitCode ?? 0);

async function installAndRestart(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-authors-"));
  try {
    const dependencies = Object.fromEntries(chosen.map(({ client, version }) => [client, version]));
    await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
    await installQuietly(folder);
    const own = [process.execPath, fileURLToPath(import.meta.url), part, folder];
    const child = spawn(
      "unshare",
      ["-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", ...own],
      { env: { PATH: process.env["PATH"], HOME: folder }, stdio: "inherit" },
    );
    const [code] = (await once(child, "exit")) as [number | null];
    process.exitCode = code ?? 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function manifestWith(key: string): string {
  return `name: greeter
version: 1.0.0
tools:
  - name: greet
    ${key}: Greets everybody.
`;
}

/** The calls that make a server, by the results that the client has passed on so far. */
function nextCall(
  agent: Author,
  manifest: string,
  passed: readonly unknown[],
): WantedCall | undefined {
  const plan = /\d+ created [0-9a-f]{32}/.exec(JSON.stringify(passed))?.[0] ?? "none";
  const calls: readonly WantedCall[] = [
    ...(agent.wait === undefined ? [] : [agent.wait]),
    { tool: "reference", input: { words: "tool.description" } },
    agent.write(manifest, manifestWith("descripton")),
    { tool: "validate", input: {} },
    agent.write(manifest, manifestWith("description")),
    { tool: "validate", input: {} },
    { tool: "plan", input: {} },
    { tool: "generate", input: { plan } },
  ];
  return calls[passed.length];
}

async function tryAgent(agent: Author, packages: string): Promise<void> {
  const outside = Object.keys(networkInterfaces()).filter((name) => name !== "lo");
  if (outside.length > 0) throw new Error(`clients could use ${outside.join(", ")}`);
  const place = await realpath(await mkdtemp(join(packages, "agent-")));
  const [home, project] = [join(place, "home"), join(place, "project")];
  await Promise.all([mkdir(home), mkdir(project)]);
  const model = await StandInModel.listen(agent.dialect);
  const server = { command: process.execPath, args: [command, "mcp", "--root", project] };
  const start = await agent.prepare({ home, packages, model: model.url, server });
  const run = (): Promise<unknown> =>
    new Promise((resolve) => {
      const env = { PATH: process.env["PATH"], HOME: home, ...start.env };
      const options = { cwd: project, env, maxBuffer: 1e8, timeout: 300_000 };
      const child = execFile(start.file, start.words, options, resolve);
      child.stdin?.end();
    });
  const { turns } = await model.follow(run, (passed) =>
    nextCall(agent, join(project, "mcp.yaml"), passed),
  );
  console.log(`\n${agent.client} ${agent.version}`);
  for (const result of model.resultsOf(turns.at(-1))) {
    console.log(`  ${JSON.stringify(result).slice(0, 400)}`);
  }
  const asked = await readFile(join(home, "asked.json"), "utf8").catch(() => undefined);
  if (asked !== undefined) console.log(`  asked: ${asked.trim().slice(0, 800)}`);
  console.log(`  generated: ${existsSync(join(project, "src/tools/greet.ts"))}`);
}
