import type { Result } from "@modelcontextprotocol/server";
import { after, toAwaitable, type Awaitable } from "./awaitable.js";
import { CallsInFlight } from "./calls-in-flight.js";
import {
  openContext,
  type AnyContext,
  type Caller,
  type SharedValues,
} from "../context/context.js";
import type { Feature } from "./feature.js";
import type { AnyHandler, Item, ItemHandler } from "./item.js";
import type { LimitName, Limits } from "./limits.js";
import type { Refusals } from "../observe/refusals.js";
import type { ToolEntry } from "../tools/definition.js";
import type { ItemStatesByKind } from "./item-states.js";

/** The state and settings that tools, resources and prompts need to run handlers. */
export interface Runtime extends SharedValues {
  readonly limits: Limits;
  readonly calls: CallsInFlight;
  /** Reports what exceeds a limit. */
  readonly refusals: Pick<Refusals, "exceed">;
  /** Most items on a page of a list; absent if all are on one page. */
  readonly pageSize?: number | undefined;
  /** The project's folder. The paths of `file` resources are relative to it. */
  readonly root: string;
  /** Whether the mocks of the manifest answer for handlers that are not written yet. */
  readonly mock: boolean;
  /** Absent if no handler needs more than one call. */
  readonly runner?: HandlerRunner | undefined;
  /** Absent if no call becomes a task. */
  readonly tasks?: RuntimeTasks;
  /** Absent if no item can be switched on and off while the server runs. */
  readonly itemStates?: ItemStatesByKind;
}

/** Runs calls of tools as tasks. */
export interface RuntimeTasks {
  /** The methods of tasks. */
  readonly feature: Feature;
  /** Must be called when the arguments of a call are known to be valid, before its handler runs. */
  begin(tool: ToolEntry, caller: Caller): Awaitable<void>;
}

/** A call of an item's handler for a request. */
export interface HandlerCall {
  /** The item's name in logs, such as `tool deploy`. */
  readonly name: string;
  readonly item: Item;
  readonly handler: ItemHandler["handler"];
  /** The handler's first argument. */
  readonly input: unknown;
}

/** Runs the handlers of items that need more than one call. */
export interface HandlerRunner {
  /** Whether it runs the handler of an item. Only the SDK serves the older eras for such items. */
  runs(item: Item): boolean;
  /** @returns what the handler returned, or {@link ProtocolResult} */
  run(runtime: Runtime, caller: Caller, call: HandlerCall): Promise<unknown>;
}

/** A result for the client that replaces the result of a handler. */
export class ProtocolResult {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/**
 * Runs the handler of an item.
 * @returns what it returned, or {@link ProtocolResult}
 * @throws what it throws, directly or by its promise; ToolError if there is no memory for its result
 */
export function runItem(runtime: Runtime, caller: Caller, call: HandlerCall): Awaitable<unknown> {
  const { memory } = caller;
  if (memory === undefined) return runWhole(runtime, caller, call);
  const withMemory = (returned: unknown): Awaitable<unknown> => {
    const taking = memory.take(returned);
    return taking instanceof Promise ? reporting(caller, taking).then(() => returned) : returned;
  };
  const expecting = memory.expect(call.item);
  if (!(expecting instanceof Promise)) return after(runWhole(runtime, caller, call), withMemory);
  return reporting(caller, expecting).then(() =>
    after(runWhole(runtime, caller, call), withMemory),
  );
}

/** Reports that a call goes on while it waits for memory. */
function reporting({ progress, signal }: Caller, waiting: Promise<void>): Promise<void> {
  if (progress === undefined) return waiting;
  progress.startHeartbeat("Waiting for memory", () => signal.reason === undefined);
  return waiting.finally(() => progress.stopHeartbeat());
}

function runWhole(runtime: Runtime, caller: Caller, call: HandlerCall): Awaitable<unknown> {
  const { runner } = runtime;
  return runner?.runs(call.item) === true
    ? runner.run(runtime, caller, call)
    : runOnce(runtime, caller, call);
}

/** Imports the handler of a call, and runs it as `runHandler` does. */
export function runOnce(
  runtime: Runtime,
  caller: Caller,
  { item, handler, input }: HandlerCall,
): Awaitable<unknown> {
  return after(handler(), (code) => runHandler(runtime, caller, code, input, item.timeoutMs));
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
  return runtime.calls.run(caller, timeoutMs, (call) => {
    const { context, keepReporting, end } = openContext(caller, call, runtime);
    let returned: Awaitable<unknown>;
    try {
      returned = toAwaitable(callHandler(handler, input, context));
    } catch (error) {
      end();
      throw error;
    }
    if (returned instanceof Promise) {
      keepReporting();
      return returned.finally(end);
    }
    end();
    return returned;
  });
}

/** Reports that a caller's request exceeds a limit. @returns the limit in the manifest's words, for the answer */
export function exceedLimit(
  { refusals }: Pick<Runtime, "refusals">,
  { address, authentication }: Pick<Caller, "address" | "authentication">,
  limit: LimitName,
): string {
  return refusals.exceed({ limit, address, principal: authentication?.principal });
}

/** Calls a handler whose types are erased. */
export function callHandler(
  handler: AnyHandler<unknown>,
  input: unknown,
  context: AnyContext,
): unknown {
  return (handler as (input: unknown, context: AnyContext) => unknown)(input, context);
}
