import { resolve } from "node:path";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { Masking } from "../backends/masking.js";
import { textOfVariable } from "../engine/variable-url.js";
import { WorkSlices } from "../engine/work-slices.js";
import { ProcessGroup, type GroupLeader } from "../programs/process-group.js";
import type {
  Attempt,
  CallOf,
  ConnectionSettings,
  CreateConnector,
  ServerConnector,
  Setting,
} from "./definition.js";
import type { Sdk } from "./sdk.js";

/** Connects to a server that is a program. The program starts at the first call and ends with this server. */
export const programTransport: CreateConnector = (
  { command = [], cwd = ".", env = {} },
  { env: variables, root, masking, maxBytes },
) => {
  const text = (setting: Setting): string | undefined => settingText(setting, variables);
  const [program = "", ...argv] = command.map((setting) => text(setting) ?? "");
  const ownEnv = Object.entries(env).map(([name, setting]) => [name, text(setting)] as const);
  return new ProgramConnector(
    {
      ...{ program, arguments: argv, cwd: resolve(root, text(cwd) ?? ".") },
      env: programEnvironment(ownEnv),
    },
    maxBytes,
    masking,
  );
};

function settingText(setting: Setting, env: ConnectionSettings["env"]): string | undefined {
  if (typeof setting === "string") return setting;
  const value = (env as Readonly<Record<string, unknown>> | undefined)?.[setting.env];
  return value === undefined ? undefined : textOfVariable(value);
}

function programEnvironment(
  ownEnv: readonly (readonly [name: string, value: string | undefined])[],
): Record<string, string> {
  const inherited = ["PATH", "HOME"].map((name) => [name, process.env[name]] as const);
  const variables = [...inherited, ...ownEnv].filter(([, value]) => value !== undefined);
  return Object.fromEntries(variables) as Record<string, string>;
}

class ProgramConnector implements ServerConnector {
  readonly #leader: GroupLeader;
  readonly #maxBytes: number;
  readonly #masking: Masking;
  #last: ProgramTransport | undefined;

  constructor(leader: GroupLeader, maxBytes: number, masking: Masking) {
    this.#leader = leader;
    this.#maxBytes = maxBytes;
    this.#masking = masking;
  }

  open(sdk: Sdk): Attempt {
    return { transport: this.#startTransport(sdk), mode: "auto" };
  }

  /** Starts the program again in the older way, because programs of older eras may end at an unknown message. */
  fallback(sdk: Sdk, _callOf: CallOf, error: unknown): Attempt | undefined {
    const hasEnded = error instanceof sdk.SdkError && error.code === "ERA_NEGOTIATION_FAILED";
    return hasEnded ? { transport: this.#startTransport(sdk), mode: "legacy" } : undefined;
  }

  explain(error: unknown): string | undefined {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return "is a program that is not there";
    if (code === "EACCES" || code === "EPERM") return "is a program that must not be run";
    const problem = this.#last?.problem;
    if (problem !== undefined) return problem;
    const stderr = this.#last?.lastStderr ?? "";
    if (this.#last?.isEnded !== true || stderr === "") return undefined;
    return `ended before it answered; its last words: ${this.#masking.text(stderr)}`;
  }

  get hasLostAnswer(): boolean {
    return this.#last?.problem !== undefined;
  }

  async close(): Promise<void> {
    await this.#last?.close();
  }

  #startTransport(sdk: Sdk): ProgramTransport {
    this.#last = new ProgramTransport(this.#leader, sdk, this.#maxBytes);
    return this.#last;
  }
}

/** How long to wait for the end of the output after the program has ended, in milliseconds. */
const CLOSE_TIMEOUT_MS = 300;

/** The byte at the end of each message. */
const LINE_BREAK = 10;

/** The number of characters that are kept from the end of a program's stderr. */
const STDERR_LENGTH = 500;

/** A connection to a program over its stdin and stdout. The client recognizes such transports by `pid` and `stderr`. */
class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly stderr = null;
  readonly #leader: GroupLeader;
  readonly #sdk: Sdk;
  readonly #maxBytes: number;
  readonly #buffer: InstanceType<Sdk["ReadBuffer"]>;
  /** What was read since the last line break. */
  #unfinishedLine: Buffer[] = [];
  #unfinishedBytes = 0;
  #group: ProcessGroup | undefined;
  /** Resolves when the messages of the buffer have been delivered; undefined if there are none. */
  #delivering: Promise<void> | undefined;
  #stderrEnd = "";
  #problem: string | undefined;
  #isEnded = false;

  constructor(leader: GroupLeader, sdk: Sdk, maxBytes: number) {
    this.#leader = leader;
    this.#sdk = sdk;
    this.#maxBytes = maxBytes;
    this.#buffer = new sdk.ReadBuffer({ maxBufferSize: maxBytes });
  }

  get pid(): number | null {
    return this.#group?.child.pid ?? null;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The end of the program's output to stderr. */
  get lastStderr(): string {
    return this.#stderrEnd.trim();
  }

  /** Why the connection was closed, as the end of a sentence that begins with "The upstream …". */
  get problem(): string | undefined {
    return this.#problem;
  }

  start(): Promise<void> {
    const group = new ProcessGroup(this.#leader, true);
    const { child } = group;
    this.#group = group;
    child.stdin?.on("error", () => undefined);
    child.stdout.on("error", () => undefined).on("data", (chunk: Buffer) => this.#read(chunk));
    child.stderr
      .on("error", () => undefined)
      .on("data", (chunk: Buffer) => {
        this.#stderrEnd = `${this.#stderrEnd}${chunk.toString()}`.slice(-STDERR_LENGTH);
      });
    child.once("close", () => void this.close());
    // Processes that left the group may keep the output open, so that "close" does not come.
    child.once(
      "exit",
      () =>
        void group.end().then(() => setTimeout(() => this.#closeWhenDelivered(), CLOSE_TIMEOUT_MS)),
    );
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => {
        void this.close();
        reject(error);
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#group?.child.stdin;
    if (this.#isEnded || stdin === undefined || stdin === null) throw new Error("it has ended");
    if (!stdin.write(this.#sdk.serializeMessage(message))) {
      await new Promise<void>((resolve) => {
        stdin.once("drain", resolve);
        stdin.once("close", resolve);
      });
    }
  }

  /** Ends the program and all processes of its group. */
  async close(): Promise<void> {
    const group = this.#group;
    if (group === undefined || this.#isEnded) return;
    this.#isEnded = true;
    group.child.stdin?.end();
    await group.end();
    group.forget();
    for (const stream of [group.child.stdout, group.child.stderr]) stream.destroy();
    this.onclose?.();
  }

  async #closeWhenDelivered(): Promise<void> {
    await this.#delivering;
    await this.close();
  }

  /** The SDK's buffer copies all that it has for each chunk, so it gets lines when they are whole. */
  #read(chunk: Buffer): void {
    this.#unfinishedLine.push(chunk);
    this.#unfinishedBytes += chunk.length;
    const hasLine = chunk.includes(LINE_BREAK);
    if (!hasLine && this.#unfinishedBytes <= this.#maxBytes) return;
    const lines = this.#unfinishedLine;
    this.#unfinishedLine = [];
    this.#unfinishedBytes = 0;
    try {
      this.#buffer.append(Buffer.concat(lines));
    } catch {
      this.#problem = `sends a message of more than ${this.#maxBytes} bytes`;
      void this.close();
      return;
    }
    this.#delivering ??= this.#deliverAll().finally(() => (this.#delivering = undefined));
  }

  /**
   * Delivers messages one after the other, or the client would handle an answer before earlier notifications. The
   * program must wait meanwhile, so that it does not send messages faster than they are handled.
   */
  async #deliverAll(): Promise<void> {
    const { stdout } = this.#group?.child ?? {};
    const slices = new WorkSlices();
    stdout?.pause();
    while (!this.#isEnded) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) break;
        await slices.pause();
        await this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
    stdout?.resume();
  }
}
