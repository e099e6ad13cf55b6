import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installShared } from "../generated-project.js";
import { measured, type Cost } from "./measured-process.js";

/** The newest versions that run on Node.js 20. */
const dependencies = { "openapi-mcp-generator": "4.0.1", orval: "7.13.2" };

export const otherGenerators = ["openapi-mcp-generator", "orval"] as const;

/** Generators that make MCP servers from OpenAPI documents, on the operations of the benchmark. */
export class OtherGenerators {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Installs them below a folder. */
  static async install(root: string): Promise<OtherGenerators> {
    const folder = join(root, "others");
    await mkdir(folder);
    const manifest = { type: "module", dependencies, devDependencies: {} };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    await installShared(folder);
    return new OtherGenerators(folder);
  }

  /** A run of one of them from nothing. */
  async run(name: (typeof otherGenerators)[number], operations: number): Promise<Cost> {
    const output = join(this.#folder, "output");
    await rm(output, { recursive: true, force: true });
    await writeFile(
      join(this.#folder, "openapi.json"),
      JSON.stringify(openApiDocument(operations)),
    );
    const [program, ...parameters] = {
      "openapi-mcp-generator": ["bin/openapi-mcp-generator.js", "--output", "output", "--force"],
      orval: ["dist/bin/orval.js", "--output", "output/api.ts", "--client", "mcp"],
    }[name] as [string, ...string[]];
    const path = join("node_modules", name, program);
    return measured(this.#folder, path, "--input", "openapi.json", ...parameters);
  }
}

/** The tools of the benchmark's manifest, as operations. */
function openApiDocument(operations: number): object {
  const paths = Array.from({ length: operations }, (_, index): [string, object] => [
    `/tool_${index}`,
    {
      post: {
        operationId: `tool_${index}`,
        summary: `Daily forecast for one city, by method ${index}.`,
        requestBody: { required: true, content: { "application/json": { schema: input } } },
        responses: {
          200: { description: "Forecast", content: { "application/json": { schema: output } } },
        },
      },
    },
  ]);
  return {
    openapi: "3.0.3",
    info: { title: "bench", version: "1.0.0" },
    servers: [{ url: "http://127.0.0.1:1" }],
    paths: Object.fromEntries(paths),
  };
}

const input = {
  type: "object",
  properties: {
    city: { type: "string", minLength: 1, maxLength: 80, description: "City name" },
    days: { type: "integer", minimum: 1, maximum: 14, default: 3, description: "How many days" },
  },
  required: ["city"],
};

const output = {
  type: "object",
  properties: {
    city: { type: "string" },
    days: {
      type: "array",
      items: {
        type: "object",
        properties: {
          day: { type: "integer" },
          high: { type: "number", description: "Highest temperature in °C" },
          sky: { type: "string", enum: ["clear", "clouds", "rain"] },
        },
        required: ["day", "high", "sky"],
      },
    },
  },
  required: ["city", "days"],
};
