import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../../../text/package-root.js";
import type { ServerName } from "./options.js";
import { mcpwright } from "../../../harness/projects/generated-project.js";
import { installShared } from "../../../harness/projects/installed-packages.js";
import { npm } from "../../../harness/runner/programs.js";

const byHand = fileURLToPath(
  new URL("generator/testing/lab/bench/bench-server/by-hand/", packageRoot),
);
const dependencies = {
  "@modelcontextprotocol/server": "2.4.0",
  "@modelcontextprotocol/node": "2.1.2",
};

export function isGenerated(name: ServerName): boolean {
  return name === "fast" || name === "sdk-path" || name === "bundle";
}

/** The folders that the servers of the benchmark run in. */
export class BenchProjects {
  readonly #root: string;
  #handWritten: Promise<string> | undefined;
  readonly #generated = new Map<number, Promise<string>>();

  private constructor(root: string) {
    this.#root = root;
  }

  static async create(): Promise<BenchProjects> {
    return new BenchProjects(await mkdtemp(join(tmpdir(), "mcpwright-bench-")));
  }

  /** Where a server's files are. */
  folderOf(name: ServerName, tools: number): Promise<string> {
    return isGenerated(name) ? this.generated(tools) : this.handWritten();
  }

  /** The servers that are written by hand, with the SDK from the registry and zod, on which the SDK depends. */
  handWritten(): Promise<string> {
    this.#handWritten ??= (async () => {
      const folder = join(this.#root, "by-hand");
      await cp(byHand, folder, { recursive: true });
      await writeFile(
        join(folder, "package.json"),
        JSON.stringify({ type: "module", dependencies, devDependencies: {} }),
      );
      await installShared(folder);
      return folder;
    })();
    return this.#handWritten;
  }

  /** Builds a generated project with a number of tools. */
  generated(tools: number): Promise<string> {
    const made = this.#generated.get(tools) ?? this.#generate(tools);
    this.#generated.set(tools, made);
    return made;
  }

  async remove(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true });
  }

  async #generate(tools: number): Promise<string> {
    const folder = join(this.#root, `generated-${tools}`);
    await mkdir(folder);
    await writeFile(join(folder, "mcp.yaml"), benchManifest(tools));
    const { status, err } = await mcpwright(folder, "generate", "--quiet");
    if (status !== 0) throw new Error(err);
    await writeHandlers(folder);
    // The tests are not run, so they are not built.
    await rm(join(folder, "test"), { recursive: true });
    await installShared(folder);
    await npm(folder, "run", "build");
    return folder;
  }
}

/** Every tool works like the ones written by hand. */
async function writeHandlers(folder: string): Promise<void> {
  const names = await readdir(join(folder, "src/tools"));
  const code = `import type { ToolInput } from "./generated/index.js";

export function forecast({ city, days }: ToolInput<"tool_0">) {
  return {
    city,
    days: Array.from({ length: days }, (_, day) => ({ day, high: 20 + day, sky: "clear" as const })),
  };
}
`;
  await writeFile(join(folder, "src/forecast.ts"), code);
  for (const file of names) {
    const index = /\d+/.exec(file)?.[0] ?? "";
    const handler = `import { forecast } from "../forecast.js";
import type { ToolHandler } from "../generated/index.js";

export const tool${index}: ToolHandler<"tool_${index}"> = (input) => forecast(input);
`;
    await writeFile(join(folder, "src/tools", file), handler);
  }
}

const inputSchema = {
  type: "object",
  properties: {
    city: { type: "string", minLength: 1, maxLength: 80, description: "City name" },
    days: { type: "integer", minimum: 1, maximum: 14, default: 3, description: "How many days" },
  },
  required: ["city"],
  additionalProperties: false,
};

const day = {
  type: "object",
  properties: {
    day: { type: "integer" },
    high: { type: "number", description: "Highest temperature in °C" },
    sky: { type: "string", enum: ["clear", "clouds", "rain"] },
  },
  required: ["day", "high", "sky"],
  additionalProperties: false,
};

const outputSchema = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "array", items: day } },
  required: ["city", "days"],
  additionalProperties: false,
};

/** Above this many tools, the schemas of each would make a manifest that has more tokens than are read. */
const mostWithOwnOutput = 5_000;

/** The manifest of the server that is written by hand beside it. Its schemas are JSON, which has half of the tokens. */
export function benchManifest(tools: number): string {
  const isShared = tools > mostWithOwnOutput;
  const output = isShared ? { $ref: "#/schemas/forecast" } : outputSchema;
  const items = Array.from(
    { length: tools },
    (_, index) => `  - name: tool_${index}
    description: Daily forecast for one city, by method ${index}.
    inputSchema: ${JSON.stringify(inputSchema)}
    outputSchema: ${JSON.stringify(output)}
`,
  );
  return `manifestVersion: 1
name: bench
version: 1.0.0
diagnostics: { toolBudget: 0 }
limits: { ratePerSecond: 1000000 }
transports:
  - type: stdio
  - type: http
resources:
  - uri: bench://help
    name: help
    mimeType: text/markdown
    text: "# Help\\n\\nAsk for a city."
prompts:
  - name: plan_trip
    description: Plan a trip.
    arguments:
      - { name: city, required: true }
    messages:
      - { role: user, content: { type: text, text: "Plan a trip to {{city}}." } }
${isShared ? `schemas:\n  forecast: ${JSON.stringify(outputSchema)}\n` : ""}tools:
${items.join("")}`;
}
