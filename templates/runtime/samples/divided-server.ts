import { spawn, type ChildProcess } from "node:child_process";
import { Agent, request as requestOverHttp } from "node:http";
import { request as requestOverTls } from "node:https";
import { testTls } from "../suite/clients/tls.js";
import { bundledProgram } from "./bundled-program.js";
import { until } from "./until.js";

/** The path of the program of each server here. */
export const dividedProgram = await bundledProgram(new URL("divided-main.js", import.meta.url));

/** A line of the log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly message?: string };

/** An answer to a call. */
export interface CallAnswer {
  readonly status: number;
  /** The text of the result or of the error. */
  readonly text: string;
  readonly result?: {
    readonly requestState?: string;
    readonly inputRequests?: object;
  };
}

/** A server of several processes. */
export class DividedServer {
  readonly primary: ChildProcess;
  readonly exit: Promise<number | string | null>;
  #stderr = "";

  constructor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.primary = spawn(process.execPath, [dividedProgram, "--http", ...args], {
      env: { ...process.env, ...env },
      stdio: ["pipe", "ignore", "pipe"],
    });
    this.primary.stderr?.on("data", (data: Buffer) => (this.#stderr += data.toString()));
    this.exit = new Promise((resolve) => {
      this.primary.on("close", (code, signal) => resolve(code ?? signal));
    });
  }

  /**
   * Starts a server, and waits until all workers serve. Workers listen on a port that was free when the server chose it: if
   * another process has taken it meanwhile, the server is started once more.
   */
  static async start(
    workers: number,
    env: Readonly<Record<string, string>> = {},
  ): Promise<DividedServer> {
    const begin = (): DividedServer =>
      new DividedServer(["--workers", String(workers), "--port", "0"], env);
    let server = begin();
    await until(() => server.hasStarted || server.primary.exitCode !== null);
    if (!server.hasStarted && /"port \d+ on [^"]+ is in use/.test(server.stderr)) server = begin();
    await server.logged("all workers serve");
    return server;
  }

  /** Whether all workers serve, or did so before. */
  get hasStarted(): boolean {
    return this.count("all workers serve") > 0;
  }

  /** What the server has written to stderr so far. */
  get stderr(): string {
    return this.#stderr;
  }

  get log(): readonly LogLine[] {
    const lines = this.#stderr.split("\n").filter((line) => line.startsWith("{"));
    return lines.map((line) => JSON.parse(line) as LogLine);
  }

  /** How many lines of the log have a message so far. */
  count(message: string): number {
    return this.log.filter((line) => line.message === message).length;
  }

  /** Waits for so many lines of the log with a message. */
  async logged(message: string, count = 1): Promise<readonly LogLine[]> {
    const found = (): LogLine[] => this.log.filter((line) => line.message === message);
    await until(() => found().length >= count || this.primary.exitCode !== null);
    if (found().length < count) throw new Error(`never logged ${message}: ${this.#stderr}`);
    return found();
  }

  get url(): string {
    return String(this.log.find(({ message }) => message === "serving")?.["url"]);
  }

  /**
   * Calls a tool.
   * @param agent Has the connection. Without it, the call has one of its own, which any worker may get.
   */
  call(
    name: string,
    params: object = {},
    headers: Readonly<Record<string, string>> = {},
    agent: Agent | false = false,
  ): Promise<CallAnswer> {
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {}, url: {} } },
    };
    const body = JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name, arguments: {}, ...params, _meta: envelope },
    });
    return new Promise((resolve, reject) => {
      const isSecure = this.url.startsWith("https:");
      const sent = (isSecure ? requestOverTls : requestOverHttp)(this.url, {
        method: "POST",
        ...(isSecure && { ca: testTls().authority }),
        agent,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": name,
          ...headers,
        },
      });
      sent.once("error", reject);
      sent.once("response", (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (text += part));
        response.once("end", () => resolve(answerIn(response.statusCode ?? 0, text)));
        response.once("error", reject);
      });
      sent.end(body);
    });
  }

  /** Whether a call gets no answer. */
  async isCut(name: string): Promise<boolean> {
    return this.call(name).then(
      () => false,
      () => true,
    );
  }

  /** The texts of so many calls, which reach the workers in turns. */
  async texts(name: string, calls: number): Promise<readonly string[]> {
    const answers: string[] = [];
    for (let call = 0; call < calls; call++) answers.push((await this.call(name)).text);
    return answers;
  }

  /**
   * Calls a tool whose text begins with the id of the process until each of so many workers has answered.
   * @returns the latest text of each one after the id, by the id
   */
  async textOfEach(
    name: string,
    workers: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ReadonlyMap<number, string>> {
    const texts = new Map<number, string>();
    await until(async () => {
      const { status, text } = await this.call(name, {}, headers);
      const [pid = "", rest = ""] = text.split(" ");
      if (status === 200) texts.set(Number(pid), rest);
      return texts.size >= workers;
    });
    return texts;
  }

  /** Opens a connection that stays open. @returns it, and the id of the process that has it */
  async connection(): Promise<{ readonly agent: Agent; readonly pid: number }> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    return { agent, pid: Number((await this.call("pid", {}, {}, agent)).text) };
  }

  /** The process ids of the workers that answer so many calls. */
  async pids(calls: number): Promise<ReadonlySet<number>> {
    return new Set((await this.texts("pid", calls)).map(Number));
  }

  /** Ends the server at once. */
  kill(): void {
    this.primary.kill("SIGKILL");
  }
}

function answerIn(status: number, text: string): CallAnswer {
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  const { result, error } = JSON.parse(json) as {
    readonly result?: CallAnswer["result"] & { readonly content?: readonly { text: string }[] };
    readonly error?: { readonly message: string };
  };
  const answer = result?.content?.[0]?.text ?? error?.message ?? "";
  return { status, text: answer, ...(result !== undefined && { result }) };
}

/** The servers of a test file. */
export class DividedServers {
  readonly #started: DividedServer[] = [];

  /** Starts a server, and waits until all workers serve. */
  readonly start = async (
    workers: number,
    env: Readonly<Record<string, string>> = {},
  ): Promise<DividedServer> => this.add(await DividedServer.start(workers, env));

  /** Adds a server that was started in another way. */
  add(server: DividedServer): DividedServer {
    this.#started.push(server);
    return server;
  }

  /** Kills all servers that still run. */
  kill(): void {
    this.#started.splice(0).forEach((server) => server.kill());
  }
}

/** A server that several tests use, one after the other: each must leave it as many workers as it had, or end it. */
export class SharedServer {
  readonly #start: () => Promise<DividedServer>;
  #server: DividedServer | undefined;

  constructor(start: () => Promise<DividedServer>) {
    this.#start = start;
  }

  /** The server of former tests, or a new one where they have ended it. */
  async get(): Promise<DividedServer> {
    if (this.#server === undefined || this.#server.primary.exitCode !== null) {
      this.#server = await this.#start();
    }
    return this.#server;
  }

  /** Ends it at once. To be called after all tests. */
  readonly kill = (): void => this.#server?.kill();
}
