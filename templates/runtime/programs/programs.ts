import { resolve } from "node:path";
import type { BackendsOfKind } from "../backends/backends.js";
import { defaultAnswerBytes } from "../engine/limits.js";
import { maskingOf, type Masking } from "../backends/masking.js";
import { MockModeError } from "../backends/mock-mode.js";
import { StreamMemory } from "../backends/stream-memory.js";
import { TimeLimit } from "../backends/time-limit.js";
import type { AnswerMemory } from "../context/answer-memory.js";
import { textOf } from "../engine/content.js";
import type { Logger } from "../observe/log.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { ServerOptions } from "../server/create-server.js";
import { ProgramAnswer } from "./answer.js";
import { programArguments, programEnvironment } from "./arguments.js";
import { exitFailure, launchFailure, timeOut } from "./failures.js";
import {
  ProgramGroups,
  type Launch,
  type OutputMemory,
  type ProgramOutcome,
} from "./program-groups.js";

/** For tests: a program that gets the folder, the name and the arguments of the program that it replaces. */
export interface StandIn {
  /** The program and its first arguments. It gets the command that it replaces as further arguments. */
  readonly command: readonly [program: string, ...arguments: readonly string[]];
  /** The time limit that replaces those of all programs, in milliseconds. */
  readonly timeoutMs?: number;
}

/** How a program is run. */
export interface ProgramOptions {
  /** The folder to run it in, from the project's folder; the project's folder by default. */
  readonly cwd?: string | undefined;
  /** All environment variables of the program except `PATH`. */
  readonly env?: Readonly<Record<string, unknown>>;
  /** The input of the program: a text, or a value that is written as JSON. */
  readonly stdin?: unknown;
  /** The time limit in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number;
  /** The length to which the output is cut, in bytes; 1,048,576 by default. */
  readonly maxBytes?: number;
  /** The exit statuses that are no error; only 0 by default. */
  readonly okStatus?: readonly number[];
}

/** The programs that handlers run. A program ends at the latest with the call that started it. */
export interface Programs {
  /**
   * Runs a program without a shell. The processes that it starts end with it, with the call, or with the server.
   *
   * @param command the program and its arguments; each item of a list becomes an argument, undefined becomes none
   * @throws ToolError if the program cannot be started, fails, or takes too long
   */
  run(
    command: readonly [program: string, ...arguments: readonly unknown[]],
    options?: ProgramOptions,
  ): Promise<ProgramAnswer>;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** The part of a call that its programs need. */
interface ProgramCall {
  readonly signal: AbortSignal;
  readonly log?: Pick<Logger, "info">;
  /** The memory that is reserved before long output is read; absent if that is not limited. */
  readonly memory?: AnswerMemory | undefined;
}

/** The settings that all programs of a server share. */
interface ProgramSettings {
  readonly root: string;
  readonly masking: Masking;
  readonly standIn: StandIn | undefined;
  readonly groups: ProgramGroups;
}

/** Creates the programs of a server. */
export function createPrograms(
  definition: ServerDefinition,
  options: Pick<ServerOptions, "env" | "mock" | "root" | "programs">,
): BackendsOfKind {
  const masking = maskingOf(definition, options.env);
  const groups = new ProgramGroups();
  const settings = { root: options.root, masking, standIn: options.programs, groups };
  return {
    bind: (call, _stop, memory): Programs =>
      options.mock
        ? MOCKED
        : { run: (command, runOptions) => run(settings, { ...call, memory }, command, runOptions) },
    check: async () => [],
    close: () => groups.close(),
  };
}

async function run(
  settings: ProgramSettings,
  { signal, log, memory }: ProgramCall,
  [program, ...values]: readonly [string, ...(readonly unknown[])],
  options: ProgramOptions = {},
): Promise<ProgramAnswer> {
  const { okStatus = [0], maxBytes = defaultAnswerBytes.backend } = options;
  const timeoutMs = settings.standIn?.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const launch = launchOf(settings, program, values, { ...options, maxBytes });
  const limits = { timeoutMs, signal, memory };
  const outcome = await outcomeOf(settings.groups, launch, program, limits);
  const { status, stdout } = outcome;
  const stderr = settings.masking.text(outcome.stderr.text());
  if (stderr !== "") log?.info("a program wrote to stderr", { program, stderr });
  if (status === undefined || !okStatus.includes(status)) {
    throw exitFailure(program, outcome, stderr);
  }
  return new ProgramAnswer(program, { status, stdout, maxBytes }, settings.masking);
}

function launchOf(
  { root, standIn }: ProgramSettings,
  program: string,
  values: readonly unknown[],
  { cwd = ".", env = {}, stdin, maxBytes }: ProgramOptions & { readonly maxBytes: number },
): Launch {
  const argv = programArguments(program, values);
  const [standInProgram, ...standInArguments] = standIn?.command ?? [];
  return {
    program: standInProgram ?? program,
    arguments: standIn === undefined ? argv : [...standInArguments, cwd, program, ...argv],
    cwd: standIn === undefined ? resolve(root, cwd) : root,
    env: programEnvironment(program, env),
    stdin: stdin === undefined ? undefined : textOf(stdin),
    maxBytes,
  };
}

interface RunLimits extends Pick<ProgramCall, "signal" | "memory"> {
  readonly timeoutMs: number;
}

/** Runs a program. @throws ToolError if it takes too long, cannot be started, or there is no memory for its output */
async function outcomeOf(
  groups: ProgramGroups,
  launch: Launch,
  program: string,
  { timeoutMs, signal, memory }: RunLimits,
): Promise<ProgramOutcome> {
  const timeout = new AbortController();
  const limit = new TimeLimit(timeoutMs, () => timeout.abort());
  const outputMemory: OutputMemory = (stream) =>
    new StreamMemory({ stream, mostBytes: launch.maxBytes }, memory, (wait) => limit.without(wait));
  try {
    return await groups.run(launch, AbortSignal.any([signal, timeout.signal]), outputMemory);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (timeout.signal.aborted) throw timeOut(program, timeoutMs);
    throw launchFailure({ ...launch, program }, error) ?? error;
  } finally {
    limit.end();
  }
}

const MOCKED: Programs = {
  run: async ([program]) => {
    throw new MockModeError(`The program ${program} is not run`);
  },
};
