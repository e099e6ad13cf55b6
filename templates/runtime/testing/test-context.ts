import {
  openContext,
  type Era,
  type HandlerContext,
  type ProgressReport,
} from "../context/context.js";
import type { Cancellation } from "../engine/cancellation.js";
import { NotImplementedError } from "../engine/errors.js";
import { loggerOf, type LogLevel, type LogData, type Logger } from "../observe/log.js";

/** An entry that a handler has logged in its test. */
export interface LoggedEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly data?: LogData;
}

/** A context for the tests of a handler. It records the logs and the progress of the handler. */
export interface TestContext<Env, Services> extends HandlerContext<Env, Services> {
  /** The entries that the handler has logged, in order. */
  readonly logged: readonly LoggedEntry[];
  /** The progress that the handler has reported, in order. */
  readonly reported: readonly ProgressReport[];
}

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

/**
 * Creates a context to call a handler with. `Extension` is the type of members that features of the server add to every
 * context.
 */
export function createTestContext<Env, Services, Extension = unknown>(
  options: TestContextOptions<Env, Services>,
): TestContext<Env, Services> & Extension {
  const { env, services, signal = new AbortController().signal, era = "modern" } = options;
  const logged: LoggedEntry[] = [];
  const reported: ProgressReport[] = [];
  const caller = {
    requestId: 1,
    era,
    signal,
    sendLog: async () => undefined,
    clientCapabilities: () => undefined,
    sendProgress: async (report: ProgressReport) => void reported.push(report),
  };
  const log = collectingLog(logged);
  const { context } = openContext(caller, callOf(signal), { env, services, log });
  const untyped: HandlerContext<unknown, unknown> = context;
  return {
    ...(untyped as HandlerContext<Env, Services> & Extension),
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

/** Thrown when a handler uses a service that its test does not give. Tests treat the handler like a stub. */
export class MissingServicesError extends NotImplementedError {
  override readonly name = "MissingServicesError";

  constructor(message: string) {
    super("");
    this.message = message;
  }
}

/** The services of a test that gives none. @throws MissingServicesError when a handler uses one, with its name */
export function missingServices(): object {
  return strictServices({}, (name) => {
    const remedy = `pass it, createTestContext({ services: { ${name} } })`;
    return new MissingServicesError(`needs ctx.services.${name}: ${remedy}`);
  });
}

/** Services that throw when one is used that is not given. @param errorFor makes the error, from the name */
export function strictServices(services: object, errorFor: (name: string) => Error): object {
  return new Proxy(services, {
    get(target, name) {
      // Printing the context reads symbols, and `await` reads `then`.
      if (typeof name === "symbol" || name === "then" || name in target) {
        return Reflect.get(target, name) as unknown;
      }
      throw errorFor(name);
    },
  });
}

/** A logger that adds its entries to `logged`. */
function collectingLog(logged: LoggedEntry[]): Logger {
  return loggerOf((level) => (message, data) => {
    logged.push({ level, message, ...(data === undefined ? {} : { data }) });
  });
}
