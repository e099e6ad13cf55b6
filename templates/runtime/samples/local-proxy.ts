import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The proxies that tests know, with the paths at which Debian installs them. */
const PROGRAMS = { nginx: "/usr/sbin/nginx", caddy: "/usr/bin/caddy" } as const;

export type ProxyName = keyof typeof PROGRAMS;

/** A proxy for tests, with its files in a temporary folder. It listens only where its configuration says. */
export class LocalProxy {
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(folder: string, process: ChildProcess) {
    this.#folder = folder;
    this.#process = process;
  }

  /** Why a proxy cannot run on this machine; undefined if it can. */
  static async whyWithout(name: ProxyName): Promise<string | undefined> {
    return access(PROGRAMS[name]).then(
      () => undefined,
      () => `${name} is not installed`,
    );
  }

  /**
   * Starts a proxy, and waits until it listens.
   *
   * @param configuration the text of its whole configuration; `folder` is one that it may write into
   */
  static async start(
    name: ProxyName,
    port: number,
    configuration: (folder: string) => string,
  ): Promise<LocalProxy> {
    const folder = await mkdtemp(join(tmpdir(), `${name}-`));
    const file = join(folder, "configuration");
    await writeFile(file, configuration(folder));
    const parameters =
      name === "nginx"
        ? ["-p", folder, "-c", file, "-e", "stderr"]
        : ["run", "--config", file, "--adapter", "caddyfile"];
    const env = {
      PATH: "/usr/bin:/bin",
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    };
    const child = spawn(PROGRAMS[name], parameters, {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errorOutput = "";
    child.stderr.on(
      "data",
      (text: Buffer) => (errorOutput = (errorOutput + text.toString()).slice(-4_000)),
    );
    const proxy = new LocalProxy(folder, child);
    for (let attempt = 0; attempt < 200; attempt++) {
      if (child.exitCode !== null) break;
      if (await accepts(port)) return proxy;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await proxy.close();
    throw new Error(`${name} has not started: ${errorOutput}`);
  }

  async close(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.kill("SIGTERM")) {
      await once(this.#process, "exit");
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.on("connect", end(true)).on("error", end(false));
  });
}
