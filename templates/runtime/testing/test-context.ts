import {
  openContext,
  type Era,
  type HandlerContext,
  type LogData,
  type Logger,
  type ProgressReport,
} from "../context/context.js";
import type { Authentication } from "../authentication/authentication.js";
import type { Cancellation } from "../engine/cancellation.js";
import { loggerOf, type LogLevel } from "../observe/log.js";

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
  /** Who calls, where the handler wants to know. */
  readonly auth?: Authentication | undefined;
}

/** Makes a context to call a handler with. */
export function createTestContext<Env, Services>(
  options: TestContextOptions<Env, Services>,
): TestContext<Env, Services> {
  const { env, services, signal = new AbortController().signal, era = "modern", auth } = options;
  const logged: LoggedEntry[] = [];
  const reported: ProgressReport[] = [];
  const caller = {
    requestId: 1,
    era,
    signal,
    sendLog: async () => undefined,
    clientCapabilities: () => undefined,
    ...(auth === undefined ? {} : { authentication: auth }),
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

/** Thrown when a handler reaches for a service that its test has not given it. */
export class MissingServicesError extends Error {
  override name = "MissingServicesError";

  constructor(service: string) {
    super(
      `needs ctx.services.${service}: pass it, createTestContext({ services: { ${service} } })`,
    );
  }
}

/** The services of a test that gives none: says which one a handler wanted. */
export function missingServices(): object {
  return new Proxy(
    {},
    {
      get(target, name) {
        // Symbols are asked for by whoever prints the context.
        if (typeof name === "string") throw new MissingServicesError(name);
        return Reflect.get(target, name) as unknown;
      },
    },
  );
}

function collectingLog(logged: LoggedEntry[]): Logger {
  return loggerOf((level) => (message, data) => {
    logged.push({ level, message, ...(data === undefined ? {} : { data }) });
  });
}
