import type { CacheHint } from "@modelcontextprotocol/server";
import { CallsInFlight } from "./calls-in-flight.js";
import { openContext, type AnyContext, type Caller, type HandlerResources } from "./context.js";
import type { AnyHandler } from "./definition.js";
import type { Limits } from "./limits.js";
import type { LiveState } from "./live-state.js";

/** What tools, resources and prompts share: the means to run a handler. */
export interface Runtime extends HandlerResources {
  readonly controls: LiveState;
  readonly limits: Limits;
  readonly calls: CallsInFlight;
  /** Items on a page of a list; all of them where it is absent. */
  readonly pageSize?: number | undefined;
  /** Caching hints of reads that have none of their own. */
  readonly cache?: CacheHint | undefined;
  /** The project's folder, which `file` resources are relative to. */
  readonly root: string;
  /** Whether a handler that is not written yet is answered for with its mock. */
  readonly mock: boolean;
}

/**
 * Runs a handler with a context of its own.
 * @param timeoutMs Its time limit, where it is not the server's.
 */
export function runHandler(
  runtime: Runtime,
  caller: Caller,
  handler: AnyHandler<unknown>,
  input: unknown,
  timeoutMs = runtime.limits.timeoutMs,
): Promise<unknown> {
  return runtime.calls.run(caller.signal, timeoutMs, async (signal) => {
    const { context, end } = openContext(caller, signal, runtime);
    try {
      return await (handler as (input: unknown, context: AnyContext) => unknown)(input, context);
    } finally {
      end();
    }
  });
}
