import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../../../templates/runtime/samples/free-port.js";
import { until } from "../../../../templates/runtime/samples/until.js";
import { COMPATIBILITY_DATE, COMPATIBILITY_FLAGS } from "../../../5-emit/deploy/wrangler.js";
import { installPackage, whyNoLinuxProgram } from "./cached-package.js";

/** Runtimes other than Node.js, as programs of npm packages that need no install scripts. */
const RUNTIMES = {
  bun: { name: "@oven/bun-linux-x64", version: "1.4.5", program: "bin/bun" },
  deno: { name: "@deno/linux-x64-glibc", version: "2.9.6", program: "deno" },
  workerd: {
    name: "@cloudflare/workerd-linux-64",
    version: "1.20261117.1",
    program: "bin/workerd",
  },
} as const;

export type RuntimeName = keyof typeof RUNTIMES;

/** The program of a runtime, or why this machine has none. */
export async function findRuntime(
  runtime: RuntimeName,
): Promise<
  | { readonly program: string; readonly reason?: undefined }
  | { readonly reason: string; readonly program?: undefined }
> {
  const { name, version, program } = RUNTIMES[runtime];
  const reason = whyNoLinuxProgram(name);
  if (reason !== undefined) return { reason };
  try {
    const path = join(await installPackage(name, version), "node_modules", name, program);
    return existsSync(path) ? { program: path } : { reason: `${name} has no ${program}` };
  } catch (error) {
    return { reason: `${name} cannot be installed: ${(error as Error).message.split("\n")[0]}` };
  }
}

/** A server that another runtime runs. */
export interface ForeignServer {
  readonly url: string;
  readonly log: () => string;
  stop(): Promise<void>;
}

/** Starts a program and waits until it answers on its port. */
export async function startForeign(
  program: string,
  parameters: (port: number) => readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
  port?: number,
): Promise<ForeignServer> {
  const at = port ?? (await freePort());
  const child: ChildProcess = spawn(program, [...parameters(at)], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stdout?.on("data", (data: Buffer) => (log += data.toString()));
  child.stderr?.on("data", (data: Buffer) => (log += data.toString()));
  let failure: Error | undefined;
  child.once("error", (error) => (failure = error));
  await until(async () => {
    if (failure !== undefined || child.exitCode !== null) throw new Error(`${failure ?? ""}${log}`);
    return fetch(`http://127.0.0.1:${at}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    );
  });
  return {
    url: `http://127.0.0.1:${at}/mcp`,
    log: () => log,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Starts `dist/worker.mjs` of a project in workerd, as the platform does with its `wrangler.jsonc`. */
export function startWorker(
  program: string,
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<ForeignServer> {
  const bindings = Object.entries(variables).map(
    ([name, text]) => `name = ${JSON.stringify(name)}, text = ${JSON.stringify(text)}`,
  );
  const modules = ['name = "worker.mjs", esModule = embed "dist/worker.mjs"'];
  return startWorkerd(program, folder, { modules, bindings });
}

/** Starts workerd with a worker: its modules and bindings, as its configuration has them. */
export async function startWorkerd(
  program: string,
  folder: string,
  {
    modules,
    bindings = [],
  }: { readonly modules: readonly string[]; readonly bindings?: readonly string[] },
): Promise<ForeignServer> {
  const port = await freePort();
  const list = (entries: readonly string[]): string => entries.map((one) => `(${one})`).join(", ");
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    # Tests have their upstreams on this machine.
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [${list(modules)}],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  compatibilityFlags = [${COMPATIBILITY_FLAGS.map((flag) => `"${flag}"`).join(", ")}],
  bindings = [${list(bindings)}],
);
`;
  await writeFile(join(folder, `workerd-${port}.capnp`), config);
  return startForeign(program, () => ["serve", `workerd-${port}.capnp`], folder, {}, port);
}

/** Starts `.vercel/output/` of a project behind what stands for Vercel. */
export function startVercel(
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<ForeignServer> {
  const front = fileURLToPath(new URL("vercel-front.js", import.meta.url));
  const parameters = (port: number) => [front, String(port), ".vercel/output"];
  return startForeign(process.execPath, parameters, folder, variables);
}

/** The handlers of a function of AWS Lambda. */
export const LAMBDA_HANDLERS = ["handler", "streamingHandler"] as const;

/** Starts `dist/lambda/index.mjs` of a project behind what stands for AWS Lambda. */
export function startLambda(
  folder: string,
  handler: (typeof LAMBDA_HANDLERS)[number],
  variables: Readonly<Record<string, string>>,
): Promise<ForeignServer> {
  const front = fileURLToPath(new URL("lambda-front.js", import.meta.url));
  const parameters = (port: number) => [front, String(port), "dist/lambda/index.mjs", handler];
  return startForeign(process.execPath, parameters, folder, variables);
}
