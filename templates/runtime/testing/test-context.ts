import {
  openContext,
  RequestProgress,
  type Era,
  type HandlerContext,
  type ProgressReport,
} from "../context/context.js";
import type { Cancellation } from "../engine/cancellation.js";
import { loggerOf, type LogLevel, type LogData, type Logger } from "../observe/log.js";

/** An entry that a handler has logged in its test. */
export interface LoggedEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly data?: LogData;
}

/** What a handler has logged and reported in its test. */
export interface RecordedMembers {
  /** The entries that the handler has logged, in order. */
  readonly logged: readonly LoggedEntry[];
  /** The progress that the handler has reported, in order. */
  readonly reported: readonly ProgressReport[];
}

/** A context for the tests of a handler. It records the logs and the progress of the handler. */
export interface TestContext<Env, Services>
  extends HandlerContext<Env, Services>, RecordedMembers {}

/** What a handler gets in its test. */
export interface TestContextOptions<Env, Services> {
  /** The environment variables, as `ctx.env`. */
  readonly env: Env;
  /** The services, as `ctx.services`. */
  readonly services: Services;
  /** The signal of the call, as `ctx.signal`; by default, it never aborts. */
  readonly signal?: AbortSignal;
  /** The protocol era of the call; `modern` by default. */
  readonly era?: Era;
}

/** Creates a context to call a handler with, without the members that belong to its server. */
export function createTestContext<Env, Services>(
  options: TestContextOptions<Env, Services>,
): TestContext<Env, Services> {
  const { env, services, signal = new AbortController().signal, era = "modern" } = options;
  const logged: LoggedEntry[] = [];
  const reported: ProgressReport[] = [];
  const caller = {
    requestId: 1,
    era,
    signal,
    sendLog: async () => undefined,
    clientCapabilities: () => undefined,
    progress: new RequestProgress(async (report) => void reported.push(report)),
  };
  const log = collectingLog(logged);
  const { context } = openContext(caller, callOf(signal), { env, services, log });
  const untyped: HandlerContext<unknown, unknown> = context;
  return {
    ...(untyped as HandlerContext<Env, Services>),
    ...{ log, logged, reported },
  };
}

function callOf(signal: AbortSignal): Pick<Cancellation, "signal" | "reason"> {
  return {
    signal,
    get reason() {
      return signal.reason as Error | undefined;
    },
  };
}

/** A logger that adds its entries to `logged`. */
function collectingLog(logged: LoggedEntry[]): Logger {
  return loggerOf((level) => (message, data) => {
    logged.push({ level, message, ...(data === undefined ? {} : { data }) });
  });
}
