import { resolve } from "node:path";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { Masking } from "../backends/masking.js";
import { ProcessGroup, type GroupLeader } from "../programs/process-group.js";
import type {
  Attempt,
  ReachServer,
  Sdk,
  ServerReach,
  Setting,
  CallOf,
  Surroundings,
} from "./definition.js";

declare module "./definition.js" {
  interface RemoteServerDefinition {
    /** The program and its arguments, of a server that is a program. */
    readonly command?: readonly Setting[];
    /** The folder that it runs in, from the project's. */
    readonly cwd?: Setting;
    /** All environment variables that it gets, beside `PATH` and `HOME`. */
    readonly env?: Readonly<Record<string, Setting>>;
  }
}

/** Reaches a server that is a program, which is started at the first call and ends with this one. */
export const programTransport: ReachServer = (
  { command = [], cwd = ".", env = {} },
  { env: variables, root, masking, maxBytes },
) => {
  const text = (setting: Setting): string | undefined => settingText(setting, variables);
  const [program = "", ...values] = command.map((part) => text(part) ?? "");
  const given = Object.entries(env).map(([name, setting]) => [name, text(setting)] as const);
  return new ProgramReach(
    {
      ...{ program, arguments: values, cwd: resolve(root, text(cwd) ?? ".") },
      env: environment(given),
    },
    maxBytes,
    masking,
  );
};

function settingText(setting: Setting, env: Surroundings["env"]): string | undefined {
  if (typeof setting === "string") return setting;
  const value = (env as Readonly<Record<string, unknown>> | undefined)?.[setting.env];
  return value === undefined ? undefined : String(value);
}

function environment(
  given: readonly (readonly [name: string, value: string | undefined])[],
): Record<string, string> {
  const inherited = ["PATH", "HOME"].map((name) => [name, process.env[name]] as const);
  const known = [...inherited, ...given].filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Record<string, string>;
}

class ProgramReach implements ServerReach {
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
    return { transport: this.#started(sdk), mode: "auto" };
  }

  /** Some programs of the older eras end at the first message that they do not know. */
  otherwise(sdk: Sdk, _callOf: CallOf, error: unknown): Attempt | undefined {
    const hasEnded = error instanceof sdk.SdkError && error.code === "ERA_NEGOTIATION_FAILED";
    return hasEnded ? { transport: this.#started(sdk), mode: "legacy" } : undefined;
  }

  explain(error: unknown): string | undefined {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return "is a program that is not there";
    if (code === "EACCES" || code === "EPERM") return "is a program that must not be run";
    const problem = this.#last?.problem;
    if (problem !== undefined) return problem;
    const words = this.#last?.lastWords ?? "";
    const isEnded = this.#last?.isEnded === true && words !== "";
    return isEnded
      ? `ended before it answered; its last words: ${this.#masking.text(words)}`
      : undefined;
  }

  async close(): Promise<void> {
    await this.#last?.close();
  }

  #started(sdk: Sdk): ProgramTransport {
    this.#last = new ProgramTransport(this.#leader, sdk, this.#maxBytes);
    return this.#last;
  }
}

/** How long output is waited for after the end of the program, in milliseconds. */
const CLOSING_MS = 300;

/** Characters of a program's last words that are kept. */
const LAST_WORDS = 500;

/** A connection to a program over its stdin and stdout. The client knows such transports by `pid` and `stderr`. */
class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly stderr = null;
  readonly #leader: GroupLeader;
  readonly #sdk: Sdk;
  readonly #maxBytes: number;
  readonly #buffer: InstanceType<Sdk["ReadBuffer"]>;
  #group: ProcessGroup | undefined;
  /** Resolved once all messages so far are delivered. */
  #delivered = Promise.resolve();
  #words = "";
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

  /** What the program wrote to stderr last. */
  get lastWords(): string {
    return this.#words.trim();
  }

  /** Why it was ended, as the end of "The upstream …". */
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
        this.#words = `${this.#words}${chunk.toString()}`.slice(-LAST_WORDS);
      });
    child.once("close", () => void this.close());
    // What it leaves behind may hold its output open.
    child.once(
      "exit",
      () => void group.end().then(() => setTimeout(() => this.close(), CLOSING_MS)),
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

  /** Ends the program, and all that it has started. */
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

  /** One after the other: the client reads an answer at once, and what came before it a moment later. */
  #deliver(message: JSONRPCMessage): void {
    this.#delivered = this.#delivered
      .then(() => this.onmessage?.(message))
      .catch((error: unknown) => this.onerror?.(error as Error));
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch {
      this.#problem = `sends a message of more than ${this.#maxBytes} bytes`;
      void this.close();
      return;
    }
    while (!this.#isEnded) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.#deliver(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }
}
