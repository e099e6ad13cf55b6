import type { CacheHint, InputRequiredResult } from "@modelcontextprotocol/server";
import { after, toAwaitable, type Awaitable } from "./awaitable.js";
import { CallsInFlight } from "./calls-in-flight.js";
import {
  openContext,
  type AnyContext,
  type Caller,
  type HandlerResources,
} from "../context/context.js";
import type { AnyHandler, Asks, ItemHandler } from "./item.js";
import type { Limits } from "./limits.js";
import type { LiveState } from "./parts.js";

/** The state and settings that tools, resources and prompts need to run handlers. */
export interface Runtime extends HandlerResources {
  /** Absent if nothing changes while the server runs. */
  readonly live?: LiveState | undefined;
  readonly limits: Limits;
  readonly calls: CallsInFlight;
  /** Most items on a page of a list; absent if all are on one page. */
  readonly pageSize?: number | undefined;
  /** Caching hints of reads without their own hints. */
  readonly cache?: CacheHint | undefined;
  /** The project's folder. The paths of `file` resources are relative to it. */
  readonly root: string;
  /** Whether the mocks of the manifest answer for handlers that are not written yet. */
  readonly mock: boolean;
  /** Runs the handlers that may ask; absent if the project has none. */
  readonly asking?: Asking | undefined;
}

/** A call of an item's handler for a request. */
export interface HandlerCall {
  /** The item's name in logs, such as `tool deploy`. */
  readonly item: string;
  readonly handler: ItemHandler["handler"];
  readonly asks?: Asks | undefined;
  /** The handler's first argument. */
  readonly input: unknown;
  /** Its time limit in milliseconds, if that differs from the server's. */
  readonly timeoutMs?: number | undefined;
}

/** The result of a handler whose question has no answer yet. The client asks its user, and calls again. */
export class InputRequired {
  readonly result: InputRequiredResult;

  constructor(result: InputRequiredResult) {
    this.result = result;
  }
}

/** Runs a handler that may ask. @returns what the handler returned, or {@link InputRequired} */
export type Asking = (runtime: Runtime, caller: Caller, call: HandlerCall) => Promise<unknown>;

/**
 * Runs the handler of an item.
 * @returns what it returned, or {@link InputRequired}
 * @throws what it throws, directly or by its promise
 */
export function runItem(runtime: Runtime, caller: Caller, call: HandlerCall): Awaitable<unknown> {
  const { handler, asks, input, timeoutMs } = call;
  const { asking } = runtime;
  if (asks !== undefined && asking !== undefined) return asking(runtime, caller, call);
  return after(handler(), (code) => runHandler(runtime, caller, code, input, timeoutMs));
}

/**
 * Runs a handler with a new context.
 * @param timeoutMs Its time limit in milliseconds.
 * @throws what it throws, directly or by its promise
 */
export function runHandler(
  runtime: Runtime,
  caller: Caller,
  handler: AnyHandler<unknown>,
  input: unknown,
  timeoutMs = runtime.limits.timeoutMs,
): Awaitable<unknown> {
  return runtime.calls.run(caller.signal, timeoutMs, (call) => {
    const { context, end } = openContext(caller, call, runtime);
    let returned: Awaitable<unknown>;
    try {
      returned = toAwaitable(callHandler(handler, input, context));
    } catch (error) {
      end();
      throw error;
    }
    if (returned instanceof Promise) return returned.finally(end);
    end();
    return returned;
  });
}

/** Calls a handler whose types are erased. */
export function callHandler(
  handler: AnyHandler<unknown>,
  input: unknown,
  context: AnyContext,
): unknown {
  return (handler as (input: unknown, context: AnyContext) => unknown)(input, context);
}
