import type { HandlerFile, OutputFile, StarterTestFile } from "../../../model/output-file.js";
import { itemNames } from "../../../text/names.js";

/** A small project as the emitter would make it, for tests that need thousands of generations. */
export interface HandlerProject {
  /** Names of its tools. */
  readonly tools: readonly string[];
  /** Goes into every generated file and stub. */
  readonly version: number;
}

export function handlerProjectFiles({ tools, version }: HandlerProject): OutputFile[] {
  const registry = tools.map(
    (tool) => `import { ${identifier(tool)} } from "../tools/${fileName(tool)}.js";\n`,
  );
  return [
    { owner: "generated", path: "src/generated/tools.ts", content: registry.join("") },
    { owner: "generated", path: "src/main.ts", content: `// main ${version}\n` },
    ...tools.flatMap((tool) => [stubOf(tool, version), starterTestOf(tool)]),
    { owner: "scaffold", path: "src/context.ts", content: "export const services = {};\n" },
    {
      owner: "merged",
      format: "json",
      path: "package.json",
      content: `${JSON.stringify(packageManifest(version), null, 2)}\n`,
    },
    { owner: "merged", format: "env", path: ".env.example", content: environment(version) },
    { owner: "merged", format: "text", path: "Dockerfile", content: dockerfile(tools, version) },
  ];
}

/** Lines come, change and go with the versions, beside each other and apart. */
function dockerfile(tools: readonly string[], version: number): string {
  const lines = [
    "# Runs the server.",
    `FROM node:${20 + version}`,
    "WORKDIR /app",
    ...(version % 2 === 0 ? ["ENV NODE_ENV=production"] : []),
    "COPY . .",
    "",
    ...tools.map((tool) => `LABEL tool.${tool}=yes`),
    "",
    `CMD ["node", "main.js", "${Math.floor(version / 2)}"]`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Keys come, change and go with the versions, at the top and below. */
function packageManifest(version: number): object {
  return {
    name: "demo",
    version: `${version}.0.0`,
    ...(version % 3 > 0 && { type: "module" }),
    ...(version % 4 === 3 && { repository: { type: "git", url: "https://example.com/demo" } }),
    scripts: {
      build: version % 2 > 0 ? "tsc -p ." : "tsc",
      ...(version > 1 && { lint: "tsc --noEmit" }),
    },
    keywords: ["mcp", ...["one", "two", "three"].filter((_, index) => (version >> index) % 2 > 0)],
    ...(version > 2 && { engines: { node: `>=${18 + version}` } }),
    dependencies: { library: `${version}.1.0` },
  };
}

function environment(version: number): string {
  return `# The key\nKEY=\n${version > 1 ? `\n# More\nMORE${version}=1\n` : ""}`;
}

function identifier(tool: string): string {
  return itemNames(tool).identifier;
}

function fileName(tool: string): string {
  return itemNames(tool).fileName;
}

function stubOf(tool: string, version: number): HandlerFile {
  return {
    owner: "handler",
    path: `src/tools/${fileName(tool)}.ts`,
    item: `tool:${tool}`,
    exportName: identifier(tool),
    content: `import { NotImplementedError, type ToolHandler } from "../generated/index.js";

/** Version ${version}. */
export const ${identifier(tool)}: ToolHandler<"${tool}"> = async (input, ctx) => {
  throw new NotImplementedError("src/tools/${fileName(tool)}.ts");
};
`,
  };
}

function starterTestOf(tool: string): StarterTestFile {
  return {
    owner: "starter-test",
    path: `test/tools/${fileName(tool)}.test.ts`,
    item: `tool:${tool}`,
    content: `import { ${identifier(tool)} } from "../../src/tools/${fileName(tool)}.js";

await ${identifier(tool)}({}, {});
`,
  };
}
