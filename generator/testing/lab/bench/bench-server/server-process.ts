import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { isGenerated, type BenchProjects } from "./projects.js";
import type { ServerName, Transport } from "./options.js";
import { freePort } from "../../../../../templates/runtime/samples/free-port.js";

/** Runs in the server's process before the server, and reports its resources. */
const preload = `data:text/javascript,${encodeURIComponent(`
process.on("message", () => process.send({ cpu: process.cpuUsage(), memory: process.memoryUsage.rss() }));
process.channel.unref();
`)}`;

export interface Usage {
  /** CPU time since the start, in microseconds. */
  readonly cpu: number;
  /** Resident memory, in bytes. */
  readonly memory: number;
}

/** The program, its folder, and its arguments. */
export interface ServerProgram {
  readonly name: string;
  readonly folder: string;
  /** From the folder. */
  readonly path: string;
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Whether what it writes to stderr is thrown away. */
  readonly isSilent?: boolean;
}

/** A server of the benchmark, as a process of its own. */
export class ServerProcess {
  readonly name: string;
  readonly port: number;
  readonly child: ChildProcess;

  private constructor(name: string, port: number, child: ChildProcess) {
    this.name = name;
    this.port = port;
    this.child = child;
  }

  static async start(
    projects: BenchProjects,
    name: ServerName,
    tools: number,
    transport: Transport,
  ): Promise<ServerProcess> {
    const folder = await projects.folderOf(name, tools);
    const flags = isGenerated(name) && transport === "http" ? ["--http"] : [];
    const environment = {
      BENCH_TOOLS: String(tools),
      MCP_FAST_PATH: name === "sdk-path" ? "off" : "on",
    };
    const program = { name, folder, path: programOf(name), flags, environment };
    return ServerProcess.run(program, transport);
  }

  /** Starts any program that takes `--port` or `--stdio`. */
  static async run(program: ServerProgram, transport: Transport): Promise<ServerProcess> {
    const { name, folder, path, flags, environment, isSilent = false } = program;
    const port = await freePort();
    const address = transport === "stdio" ? ["--stdio"] : ["--port", String(port)];
    const child = fork(path, [...flags, ...address], {
      cwd: folder,
      execArgv: ["--import", preload],
      env: { ...process.env, LOG_LEVEL: "error", ...environment },
      stdio: ["pipe", "pipe", isSilent ? "ignore" : "inherit", "ipc"],
    });
    const server = new ServerProcess(name, port, child);
    if (transport === "http") await server.#listening();
    return server;
  }

  async usage(): Promise<Usage> {
    const answer = once(this.child, "message");
    this.child.send("usage");
    const [{ cpu, memory }] = (await answer) as [{ cpu: NodeJS.CpuUsage; memory: number }];
    return { cpu: cpu.user + cpu.system, memory };
  }

  async stop(): Promise<void> {
    const closed = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await closed;
  }

  async #listening(): Promise<void> {
    while (!(await canConnect(this.port))) {
      if (this.child.exitCode !== null) throw new Error(`${this.name} ended at its start`);
      await delay(50);
    }
  }
}

function programOf(name: ServerName): string {
  if (name === "bundle") return "dist/bundle.mjs";
  return isGenerated(name) ? "dist/src/main.js" : `${name}.mjs`;
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (isListening: boolean) => (): void => {
      socket.destroy();
      resolve(isListening);
    };
    socket.on("connect", answer(true)).on("error", answer(false));
  });
}
