import type { Authentication } from "../authentication/authentication.js";
import { recordingControls } from "../changes/test-controls.js";
import type { Era } from "../context/context.js";
import type { Server } from "../server/define-server.js";
import { readEnvironment, withPlaceholders } from "../start/env.js";
import { missingServices } from "./missing-services.js";
import { testBackends, type StandIns } from "./test-backends.js";
import { createTestContext, type RecordedMembers } from "./test-context.js";

/** What a test gives to the handler that it calls, whose context is a `Context`. All may be left out. */
export type TestContextParts<Context extends TestedContext> = Omit<StandIns, "databases"> & {
  /** Variables that have another value than their default or a placeholder. */
  readonly env?: Partial<Context["env"]>;
  /** The services that the tested handler uses. */
  readonly services?: Partial<Context["services"]>;
  /** The signal of the call; by default, it never aborts. */
  readonly signal?: AbortSignal;
  /** The protocol era of the call; `modern` by default. */
  readonly era?: Era;
} & (Context extends { readonly databases: infer Databases }
    ? {
        /** URLs or file paths of databases of the test, by the names of databases. */
        readonly databases?: { readonly [Name in keyof Databases]?: string };
      }
    : unknown) &
  (Context extends { readonly auth: infer Auth }
    ? {
        /** The caller. If it is left out, the caller is unknown. */
        readonly auth?: NonNullable<Auth>;
      }
    : unknown);

/** The members of a handler's context whose types differ between projects. */
export interface TestedContext {
  /** The variables that the handler reads. */
  readonly env: unknown;
  /** What the handlers of the server share. */
  readonly services: unknown;
}

/**
 * Makes a context for calling a handler in a test. Environment variables have their defaults; required ones without a
 * default have a placeholder. `logged` and `reported` hold the log entries and progress reports of the handler.
 */
export interface TestContexts<Context extends TestedContext> {
  (parts?: TestContextParts<Context>): Context & RecordedMembers;
  /** The same for a named handler, so that tests stay as they are when the server's last question goes. */
  (handler: TestedHandler, parts?: TestContextParts<Context>): Context & RecordedMembers;
}

type TestedHandler = (input: never, context: never) => unknown;

/** Returns the function by which the tests of a server's handlers make their contexts. */
export function testContexts<Context extends TestedContext>(
  server: Pick<Server, "definition">,
): TestContexts<Context> {
  const { lateParts: _, ...definition } = server.definition;
  const defaults = withPlaceholders(
    definition.env,
    readEnvironment(definition.env, {}).env,
    definition.limits,
  );
  return (
    first?: TestContextParts<Context> | TestedHandler,
    second?: TestContextParts<Context>,
  ) => {
    const parts = typeof first === "function" ? second : first;
    const { env, services, signal, era, auth, ...standIns }: AnyParts = parts ?? {};
    const values = { ...defaults, ...env };
    const context = createTestContext({
      env: values,
      services: services ?? missingServices(),
      ...(signal !== undefined && { signal }),
      ...(era !== undefined && { era }),
    });
    // The type of a project's context is a parameter; its members were made from the project's definition.
    return {
      ...context,
      ...(auth !== undefined && { auth }),
      ...(definition.createControls !== undefined && recordingControls()),
      ...testBackends(definition, values, standIns, context.signal, auth),
    } as unknown as Context & RecordedMembers;
  };
}

interface AnyParts extends StandIns {
  readonly env?: object;
  readonly services?: object;
  readonly signal?: AbortSignal;
  readonly era?: Era;
  readonly auth?: Authentication;
}
