import { resolve } from "node:path";
import type { BackendsOfKind } from "../backends/backends.js";
import { maskingOf, type Masking } from "../backends/masking.js";
import { MockModeError } from "../backends/mock-mode.js";
import { textOf } from "../backends/text-of.js";
import type { Logger } from "../observe/log.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { ServerOptions } from "../server/create-server.js";
import { ProgramAnswer } from "./answer.js";
import { programArguments, programEnvironment } from "./arguments.js";
import { exitFailure, launchFailure, timeOut } from "./failures.js";
import { ProgramGroups, type Ended, type Launch } from "./program-groups.js";

declare module "../server/create-server.js" {
  interface ServerOptions {
    /** For tests: what runs instead of every program, with the folder, the program and its arguments behind it. */
    readonly programs?: StandIn | undefined;
  }
}

export interface StandIn {
  readonly command: readonly [program: string, ...arguments: readonly string[]];
  /** Time limit of a program, instead of its own, in milliseconds. */
  readonly timeoutMs?: number;
}

/** What a program runs with. */
export interface ProgramOptions {
  /** The folder that it runs in, from the project's folder, which it is without it. */
  readonly cwd?: string | undefined;
  /** All environment variables that it gets, beside `PATH`. */
  readonly env?: Readonly<Record<string, unknown>>;
  /** What it reads: a text, or a value as JSON. */
  readonly stdin?: unknown;
  /** In milliseconds; 10,000 without it. */
  readonly timeoutMs?: number;
  /** Most bytes of its output; 1,048,576 without it. What is over is cut. */
  readonly maxBytes?: number;
  /** The exit statuses that are no error; only 0 without it. */
  readonly okStatus?: readonly number[];
}

/** Runs programs for handlers. What a call began ends with it. */
export interface Programs {
  /**
   * Runs a program, without a shell, in a process group that ends with it, with the call, and with the server.
   *
   * @param command the program, and its arguments: a list is as many as it has items, what is absent is none
   * @throws ToolError where it cannot run, fails, or takes too long
   */
  run(
    command: readonly [program: string, ...arguments: readonly unknown[]],
    options?: ProgramOptions,
  ): Promise<ProgramAnswer>;
}

const USUAL_TIMEOUT_MS = 10_000;
const USUAL_MAX_BYTES = 1_048_576;

/** The part of a call that its programs need. */
interface ProgramCall {
  readonly signal: AbortSignal;
  readonly log?: Pick<Logger, "info">;
}

/** What the programs of a server have in common. */
interface ProgramSettings {
  readonly root: string;
  readonly masking: Masking;
  readonly standIn: StandIn | undefined;
  readonly groups: ProgramGroups;
}

/** Makes what runs the programs of a server. */
export function createPrograms(
  definition: ServerDefinition,
  options: Pick<ServerOptions, "env" | "mock" | "root" | "programs">,
): BackendsOfKind {
  const masking = maskingOf(definition, options.env);
  const groups = new ProgramGroups();
  const settings = { root: options.root, masking, standIn: options.programs, groups };
  return {
    bind: (call): Programs =>
      options.mock ? MOCKED : { run: (command, more) => run(settings, call, command, more) },
    check: async () => [],
    close: () => groups.close(),
  };
}

async function run(
  settings: ProgramSettings,
  { signal, log }: ProgramCall,
  [program, ...values]: readonly [string, ...(readonly unknown[])],
  options: ProgramOptions = {},
): Promise<ProgramAnswer> {
  const { okStatus = [0], maxBytes = USUAL_MAX_BYTES } = options;
  const timeoutMs = settings.standIn?.timeoutMs ?? options.timeoutMs ?? USUAL_TIMEOUT_MS;
  const launch = launchOf(settings, program, values, { ...options, maxBytes });
  const ended = await endOf(settings.groups, launch, program, timeoutMs, signal);
  const { status, stdout, stderr } = ended;
  const said = settings.masking.text(stderr.text());
  if (said !== "") log?.info("a program wrote to stderr", { program, stderr: said });
  if (status === undefined || !okStatus.includes(status)) throw exitFailure(program, ended, said);
  return new ProgramAnswer(program, { status, stdout, maxBytes }, settings.masking);
}

function launchOf(
  { root, standIn }: ProgramSettings,
  program: string,
  values: readonly unknown[],
  { cwd = ".", env = {}, stdin, maxBytes }: ProgramOptions & { readonly maxBytes: number },
): Launch {
  const given = programArguments(program, values);
  const [stand, ...before] = standIn?.command ?? [];
  return {
    program: stand ?? program,
    arguments: stand === undefined ? given : [...before, cwd, program, ...given],
    cwd: stand === undefined ? resolve(root, cwd) : root,
    env: programEnvironment(program, env),
    stdin: stdin === undefined ? undefined : textOf(stdin),
    maxBytes,
  };
}

async function endOf(
  groups: ProgramGroups,
  launch: Launch,
  program: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Ended> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    return await groups.run(launch, AbortSignal.any([signal, limit]));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (limit.aborted) throw timeOut(program, timeoutMs);
    throw launchFailure({ ...launch, program }, error) ?? error;
  }
}

const MOCKED: Programs = {
  run: async ([program]) => {
    throw new MockModeError(`The program ${program} is not run`);
  },
};
