import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import {
  platformModules,
  workerOptions,
} from "../../../../templates/runtime/commands/bundle-worker.js";
import { startWorkerd } from "./other-runtimes.js";

/** What became of the tests of a contract inside of a worker. */
export interface WorkerSuite {
  readonly passed: readonly string[];
  /** The titles of those that failed, with their errors. */
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
}

/**
 * Registers the generated tests as uvu would, and runs them in the request, since a worker does nothing outside of one. A server of
 * `node:http` has its port inside of the worker alone.
 */
const entry = `
import { handleAsNodeRequest } from "cloudflare:node";
import { testServer } from "@mcpwright/runtime/testing";
import { server } from "./src/generated/server.ts";
import { createTestContext } from "./test/generated/testing.ts";

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  return handleAsNodeRequest(Number(new URL(request.url).port), request);
};

async function run() {
  const [before, tests, after, passed, failed, skipped] = [[], [], [], [], [], []];
  const test = Object.assign((title, body) => void tests.push([title, body]), {
    before: (body) => void before.push(["before", body]),
    after: (body) => void after.push(["after", body]),
    skip: (title) => void skipped.push(title),
  });
  await testServer(test, server, "file:///bundle/test/generated/server.test.js", createTestContext);
  for (const [title, body] of [...before, ...tests, ...after]) {
    try {
      await body();
      passed.push(title);
    } catch (error) {
      failed.push(title + ": " + (error?.stack ?? error));
    }
  }
  return { passed, failed, skipped };
}

export default {
  fetch: async (request) =>
    new URL(request.url).pathname === "/healthz" ? new Response("ok") : Response.json(await run()),
};
`;

/** Takes the worker's own road for the server that tests would start as a process. */
function servedInWorker(folder: string): Plugin {
  const server = JSON.stringify(join(folder, "src/generated/server.ts"));
  const contents = `
import { fetchHandler } from "@mcpwright/runtime/fetch";
import { server } from ${server};
import { serverEnvironment } from "../contract.js";

let handle;
export function listeningServer(contract) {
  const { path } = contract.transports.find(({ type }) => type === "http");
  const environment = { ...serverEnvironment(contract), LOG_LEVEL: "error" };
  handle ??= fetchHandler(server, { environment, address: () => "127.0.0.1" });
  return {
    url: async () => "http://127.0.0.1:3000" + path,
    fetch: (request) => handle(request, undefined),
    stderr: { explain: (body) => body(), missingService: async () => undefined },
  };
}
`;
  return replacing(/\/clients\/listening-server\.js$/, contents);
}

/** A worker imports no files, so the modules of shared schemas are in its bundle. */
async function schemasInWorker(folder: string): Promise<Plugin> {
  const schemas = join(folder, "src/generated/schemas");
  const files = (await readdir(schemas)).filter((file) => file.endsWith(".validators.ts"));
  const members = files.map(
    (file) =>
      `${JSON.stringify(basename(file, ".validators.ts"))}: () => import(${JSON.stringify(join(schemas, file))})`,
  );
  const contents = `
const modules = { ${members.join(", ")} };
export const schemaModule = (project, module) => modules[module]();
`;
  return replacing(/\/items\/schema-module\.js$/, contents);
}

/** Bundles another text in place of a module of the suites. */
function replacing(filter: RegExp, contents: string): Plugin {
  return {
    name: `replace ${filter.source}`,
    setup({ onLoad }) {
      onLoad({ filter }, ({ path }) => ({ contents, resolveDir: dirname(path) }));
    },
  };
}

/** Runs the generated tests of a project inside of workerd. Its contracts are files of the worker. */
export async function runSuiteInWorker(program: string, folder: string): Promise<WorkerSuite> {
  await build({
    ...workerOptions,
    stdin: { contents: entry, resolveDir: folder, loader: "ts" },
    outfile: join(folder, "dist/worker-suite.mjs"),
    minify: false,
    sourcemap: false,
    define: { "import.meta.url": '"file:///bundle/worker-suite.mjs"' },
    external: ["cloudflare:*"],
    plugins: [servedInWorker(folder), await schemasInWorker(folder), platformModules],
    // What packages in the format CommonJS require.
    banner: {
      js: 'import process from "node:process"; const require = (name) => process.getBuiltinModule(name);',
    },
    logLevel: "error",
  });
  const contracts = "test/generated/contracts";
  const names = await readdir(join(folder, contracts), { recursive: true });
  const files = names.map((name) => `${contracts}/${name}`).filter((path) => /json$/.test(path));
  const modules = ["package.json", ...files].map(
    (path) => `name = "${path}", text = embed "${path}"`,
  );
  const worker = 'name = "worker-suite.mjs", esModule = embed "dist/worker-suite.mjs"';
  const server = await startWorkerd(program, folder, { modules: [worker, ...modules] });
  try {
    const answer = await fetch(server.url);
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}\n${server.log()}`);
    return (await answer.json()) as WorkerSuite;
  } finally {
    await server.stop();
  }
}
