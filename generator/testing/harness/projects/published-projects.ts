import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { mcpwright } from "./generated-project.js";
import { installShared } from "./installed-packages.js";
import { npm, runProgram } from "../runner/programs.js";
import { connectHttp, startGroup, type CommandLine } from "../clients/project-clients.js";

/** A server as a person publishes it, and as its users start it. */
export interface PublishedProject {
  readonly name: string;
  /** The variables that its server needs. */
  readonly env: Readonly<Record<string, string>>;
  /** Where it serves, in its first words. */
  readonly transport: "stdio" | "http";
  /** Files of the package that the server reads. */
  readonly files: readonly string[];
  /** Packages that its bundle contains, beside those of every server. */
  readonly bundled: readonly string[];
  /** Packages that are installed beside the bundle. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Starts it by a command line, which ends where its own words would follow, and asks it for its tools and for an answer. */
  use(line: CommandLine): Promise<void>;
}

/** Nothing listens there. */
const nobody = "127.0.0.1:9";

const usual = { env: {}, transport: "stdio", files: [], bundled: [], dependencies: {} } as const;

/** Its package has the file with the forecasts. */
export const weather: PublishedProject = {
  ...{ ...usual, name: "weather", files: ["data/forecasts.json"] },
  use: overStdio("get_forecast", { city: "Berlin" }, /"date":"/),
};

/** Projects of which each brings a package of its own: undici, pg, jose, and a native one that no bundle can have. */
export const otherPublished: readonly PublishedProject[] = [
  {
    ...{ ...usual, name: "issues", bundled: ["undici", "ipaddr.js", "stemmer"] },
    env: { GITHUB_API: `http://${nobody}` },
    // Whoever connects says so.
    use: overStdio("get_issue", { owner: "a", repo: "b", number: 1 }, /address that is not public/),
  },
  {
    ...{ ...usual, name: "shop", bundled: ["pg", "pg-protocol", "pg-types"] },
    env: { SHOP_DB: `postgres://reader:x@${nobody}/shop` },
    use: overStdio("query", { statement: "select 1" }, /cannot be reached/),
  },
  {
    ...{ ...usual, name: "members", transport: "http", bundled: ["jose"] },
    env: {
      ...{ PUBLIC_URL: "http://127.0.0.1/mcp", ISSUER: `http://${nobody}/` },
      ...{ TOKEN_URL: `http://${nobody}/token`, EXCHANGE_SECRET: "none" },
      ...{ ACCOUNTS_URL: `http://${nobody}`, WISHES_DB: `postgres://x@${nobody}/wishes` },
    },
    use: withNewKey,
  },
  {
    ...{ ...usual, name: "checksums", dependencies: { "@node-rs/crc32": "1.10.8" } },
    // The checksum of "hello" is 0x3610a686.
    use: overStdio("checksum", {}, /"907060870"/),
  },
];

/** It has a bundle for desktop clients beside its package. */
export const fieldGuide: PublishedProject = {
  ...{ ...usual, name: "field-guide", files: ["workspace/logs/app.log"] },
  use: overStdio("get_current_time", { timezone: "UTC" }, /UTC/),
};

/** What waits longer hangs, on any machine. */
const LIMIT_MS = 3 * 60_000;

/** A client over stdio, which calls a tool. @param answer what the JSON of the answer has */
function overStdio(
  tool: string,
  given: Readonly<Record<string, unknown>>,
  answer: RegExp,
): PublishedProject["use"] {
  return async ({ folder, command, args, env }) => {
    const client = new Client({ name: "test", version: "1.0.0" });
    const variables = { ...(process.env as Record<string, string>), ...env };
    const started = { command, args: [...args, "--stdio"], cwd: folder, env: variables };
    const transport = new StdioClientTransport({ ...started, stderr: "pipe" });
    let errors = "";
    transport.stderr?.on("data", (chunk: Buffer) => (errors += String(chunk)));
    const options = { timeout: LIMIT_MS };
    try {
      await client.connect(transport, options);
      const { tools } = await client.listTools(undefined, options);
      assert.ok(tools.some(({ name }) => name === tool));
      const result = await client.callTool({ name: tool, arguments: given }, options);
      const found = JSON.stringify(result.structuredContent ?? result.content);
      assert.ok(answer.test(found), found);
    } catch (error) {
      console.error(`${command} ${args.join(" ")} in ${folder} said:\n${errors}`);
      throw error;
    } finally {
      await client.close();
    }
  };
}

/** A key for the book drop of `members`, and the variables of a server that knows it. */
export async function newKey({ folder, command, args, env }: CommandLine): Promise<{
  readonly key: string;
  readonly env: CommandLine["env"];
}> {
  const output = await runProgram(folder, command, [...args, "--new-key", "drop"], env);
  const [, key = ""] = /^(\S{20,})$/m.exec(output) ?? [];
  const [, line = ""] = /^(drop:\w+:)/m.exec(output) ?? [];
  return { key, env: { ...env, API_KEYS: `${line}returns` } };
}

/** A client over HTTP, with a key that the server's own command has made. */
async function withNewKey(line: CommandLine): Promise<void> {
  const { key, env } = await newKey(line);
  const args = [...line.args, "--http", "--port", "0"];
  const server = await startGroup({ ...line, args, env });
  try {
    const client = await connectHttp(server.url, "modern", { Authorization: `Bearer ${key}` });
    const { tools } = await client.listTools();
    assert.equal(
      tools.map(({ name }) => name),
      ["return_book"],
    );
    const { content } = await client.callTool({
      name: "return_book",
      arguments: { book: "Emma" },
    });
    assert.equal(content, [{ type: "text", text: "false" }]);
    await client.close();
  } finally {
    await server.stop();
  }
}

/** A project in a folder, and what `npm pack` has made of it. */
export interface Packed {
  readonly folder: string;
  readonly tarball: string;
}

/** Makes the project in a folder of `root`, and packs it there. npm has its `prepack` build it. */
export async function pack(
  root: string,
  { name, dependencies }: PublishedProject,
): Promise<Packed> {
  const folder = join(root, name);
  const example = fileURLToPath(new URL(`examples/${name}`, packageRoot));
  const made = /^(?:node_modules|dist|vendor)$/;
  const filter = (path: string): boolean => !made.test(relative(example, path));
  if (Object.keys(dependencies).length > 0) await generateChecksums(folder, dependencies);
  else await cp(example, folder, { recursive: true, filter });
  await installShared(folder);
  // A person who publishes has npm run `prepack`, whatever the settings of the machine that tests.
  const prepack = "--ignore-scripts=false";
  const output = await npm(folder, "pack", "--silent", prepack, `--pack-destination=${root}`);
  return { folder, tarball: join(root, /^\S+\.tgz$/m.exec(output)?.[0] ?? "") };
}

const CHECKSUMS = `name: checksums
version: 1.0.0
tools: [{ name: checksum, description: Sums. }]
`;

const HANDLER = `import { crc32 } from "@node-rs/crc32";
import type { ToolHandler } from "../generated/index.ts";

export const checksum: ToolHandler<"checksum"> = () => String(crc32("hello"));
`;

/** A project whose handler uses a native package. */
async function generateChecksums(folder: string, dependencies: object): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, "mcp.yaml"), CHECKSUMS);
  const { status, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, err);
  await writeFile(join(folder, "src/tools/checksum.ts"), HANDLER);
  const file = join(folder, "package.json");
  const about = JSON.parse(await readFile(file, "utf8")) as object;
  await writeFile(file, JSON.stringify({ ...about, dependencies }));
}
