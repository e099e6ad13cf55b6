import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../text/package-root.js";
import { copyUserFiles } from "../harness/projects/generated-project.js";
import { npm, runProgram } from "../harness/runner/programs.js";
import {
  connectHttp,
  connectStdio,
  startHttp,
  type Era,
} from "../harness/clients/project-clients.js";

/**
 * The main job from end to end: compiles the weather manifest into a new folder, installs, builds
 * and starts the server, and calls it with the official client on each transport in each era.
 */
const projectRoot = fileURLToPath(packageRoot);

async function demo(): Promise<void> {
  const folder = await copyUserFiles(`${projectRoot}examples/weather`, "weather");
  try {
    step(`mcpwright generate   (in ${folder})`);
    const mcpwright = `${projectRoot}dist/generator/cli/main.js`;
    console.log(lastLines(await runProgram(folder, process.execPath, [mcpwright, "generate"]), 3));
    step("npm install && npm run build");
    await npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund");
    await npm(folder, "run", "build");
    await call(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function call(folder: string): Promise<void> {
  for (const era of ["modern", "legacy"] as const) {
    step(`client over stdio, ${eraName(era)}`);
    const stdio = await connectStdio(folder, era);
    await show(stdio);
    await stdio.close();
  }
  const server = await startHttp(folder);
  try {
    for (const era of ["modern", "legacy"] as const) {
      step(`client over HTTP at ${server.url}, ${eraName(era)}`);
      const http = await connectHttp(server.url, era);
      await show(http);
      await http.close();
    }
  } finally {
    await server.stop();
  }
}

async function show(client: Awaited<ReturnType<typeof connectStdio>>): Promise<void> {
  const { tools } = await client.listTools();
  print(
    "tools/list",
    tools.map(({ name }) => name),
  );
  const city = { city: "Berlin", days: 2 };
  const forecast = await client.callTool({ name: "get_forecast", arguments: city });
  print("tools/call get_forecast", forecast.structuredContent);
  const uri = "weather://cities/Tokyo/current";
  const { contents } = await client.readResource({ uri });
  print(
    `resources/read ${uri}`,
    contents.map((content) => ("text" in content ? content.text : "")),
  );
  const trip = { city: "Paris", style: "by train" };
  const { messages } = await client.getPrompt({ name: "plan_trip", arguments: trip });
  print(
    "prompts/get plan_trip",
    messages.map(({ content }) => (content.type === "text" ? content.text : "")),
  );
}

function eraName(era: Era): string {
  return era === "modern" ? "protocol 2026-07-28" : "protocol 2025-11-25";
}

function step(text: string): void {
  console.log(`\n▸ ${text}`);
}

function print(label: string, value: unknown): void {
  console.log(`  ${label}\n    ${JSON.stringify(value)}`);
}

function lastLines(text: string, count: number): string {
  return text
    .trimEnd()
    .split("\n")
    .slice(-count)
    .map((line) => `  ${line}`)
    .join("\n");
}

await demo();
