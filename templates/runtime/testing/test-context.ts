import {
  openContext,
  type Era,
  type HandlerContext,
  type ProgressReport,
} from "../context/context.js";
import type { Cancellation } from "../engine/cancellation.js";
import { NotImplementedError } from "../engine/errors.js";
import { loggerOf, type LogLevel, type LogData, type Logger } from "../observe/log.js";

export interface LoggedEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly data?: LogData;
}

/** A handler's context for its own tests: what the handler logs and reports is kept. */
export interface TestContext<Env, Services> extends HandlerContext<Env, Services> {
  readonly logged: readonly LoggedEntry[];
  readonly reported: readonly ProgressReport[];
}

export interface TestContextOptions<Env, Services> {
  readonly env: Env;
  readonly services: Services;
  readonly signal?: AbortSignal;
  readonly era?: Era;
}

/** Makes a context to call a handler with. */
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
    sendProgress: async (report: ProgressReport) => void reported.push(report),
  };
  const log = collectingLog(logged);
  const { context } = openContext(caller, callOf(signal), { env, services, log });
  const typed: HandlerContext<unknown, unknown> = context;
  return { ...(typed as HandlerContext<Env, Services>), log, logged, reported };
}

function callOf(signal: AbortSignal): Pick<Cancellation, "signal" | "reason"> {
  return {
    signal,
    get reason() {
      return signal.reason as Error | undefined;
    },
  };
}

/** Thrown when a handler reaches for a service that its test has not given it: it works as little as a stub. */
export class MissingServicesError extends NotImplementedError {
  override readonly name = "MissingServicesError";

  constructor(message: string) {
    super("");
    this.message = message;
  }
}

/** The services of a test that gives none: says which one a handler wanted. */
export function missingServices(): object {
  return givenServices({}, (name) => {
    const how = `pass it, createTestContext({ services: { ${name} } })`;
    return new MissingServicesError(`needs ctx.services.${name}: ${how}`);
  });
}

/**
 * What `src/context.ts` exports, with the `services` of `test/services.ts` in the place of those that it
 * opens. Where a handler wants another one, the log says so: the test of that call is skipped.
 */
export function withTestServices<Context extends object>(context: Context, test: object): Context {
  const { services = {} } = test as { readonly services?: object };
  const given = givenServices(services, (name) => {
    const message = `needs ctx.services.${name}: give it in test/services.ts`;
    console.error(message);
    return new MissingServicesError(message);
  });
  return { ...context, createServices: () => given, closeServices: () => undefined };
}

/** @param missing makes the error of a service that is not given */
function givenServices(services: object, missing: (name: string) => Error): object {
  return new Proxy(services, {
    get(target, name) {
      // Symbols are asked for by whoever prints the context, `then` by whoever waits for it.
      if (typeof name === "symbol" || name === "then" || name in target) {
        return Reflect.get(target, name) as unknown;
      }
      throw missing(name);
    },
  });
}

function collectingLog(logged: LoggedEntry[]): Logger {
  return loggerOf((level) => (message, data) => {
    logged.push({ level, message, ...(data === undefined ? {} : { data }) });
  });
}
