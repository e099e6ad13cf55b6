import { CallsInFlight } from "./calls-in-flight.js";
import { openContext, type AnyContext, type Caller, type HandlerResources } from "./context.js";
import type { AnyHandler } from "./definition.js";
import type { Limits } from "./limits.js";

/** What tools, resources and prompts share: the means to run a handler. */
export interface Runtime extends HandlerResources {
  readonly limits: Limits;
  readonly calls: CallsInFlight;
  /** The project's folder, which `file` resources are relative to. */
  readonly root: string;
  /** Whether a handler that is not written yet is answered for with its mock. */
  readonly mock: boolean;
}

/** Runs a handler with a context of its own, under the time limit. */
export function runHandler(
  runtime: Runtime,
  caller: Caller,
  handler: AnyHandler<unknown>,
  input: unknown,
): Promise<unknown> {
  return runtime.calls.run(caller.signal, runtime.limits.timeoutMs, async (signal) => {
    const { context, end } = openContext(caller, signal, runtime);
    try {
      return await (handler as (input: unknown, context: AnyContext) => unknown)(input, context);
    } finally {
      end();
    }
  });
}
