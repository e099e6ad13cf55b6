import { mkdirSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BenchTool } from "./bench-tools.js";
import { installShared } from "../../../harness/projects/installed-packages.js";
import { measured, type Cost } from "./measured-process.js";

/** The newest versions that run on Node.js 20. */
const dependencies = { "openapi-mcp-generator": "4.0.1", orval: "7.13.2" };

export const otherGenerators = ["openapi-mcp-generator", "orval"] as const;

/** Generators that make MCP servers from OpenAPI documents, on the operations of the benchmark. */
export class OtherGenerators {
  readonly #folder: string;
  #runs = 0;

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
  run(name: (typeof otherGenerators)[number], tools: readonly BenchTool[]): Cost {
    this.#runs += 1;
    const folder = join(this.#folder, `run-${this.#runs}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(openApiDocument(tools)));
    const [program, ...parameters] = {
      "openapi-mcp-generator": ["bin/openapi-mcp-generator.js", "--output", "output", "--force"],
      orval: ["dist/bin/orval.js", "--output", "output/api.ts", "--client", "mcp"],
    }[name] as [string, ...string[]];
    const path = join(this.#folder, "node_modules", name, program);
    return measured(folder, path, "--input", "openapi.json", ...parameters);
  }
}

/** The tools as operations. */
function openApiDocument(tools: readonly BenchTool[]): object {
  const paths = tools.map(({ name, description, inputSchema, outputSchema }): [string, object] => [
    `/${name}`,
    {
      post: {
        operationId: name,
        summary: description,
        requestBody: { required: true, content: { "application/json": { schema: inputSchema } } },
        responses: {
          200: {
            description: "OK",
            ...(outputSchema && { content: { "application/json": { schema: outputSchema } } }),
          },
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
