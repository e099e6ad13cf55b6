import type {
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Tool,
} from "@modelcontextprotocol/server";
import { ProtocolError } from "../engine/errors.js";
import * as assert from "uvu/assert";
import { CallsInFlight } from "../engine/calls-in-flight.js";
import type { Caller } from "../context/context.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Item } from "../engine/item.js";
import { createEngine, type Engine } from "../engine/engine.js";
import type { Awaitable } from "../engine/awaitable.js";
import type { Page } from "../engine/item-list.js";
import { limitsOf } from "../engine/limits.js";
import { Refusals } from "../observe/refusals.js";
import { createControls } from "../changes/changes.js";
import type { LiveState } from "../changes/live-state.js";
import { createLog } from "../observe/log.js";
import { exceedLimit, type Runtime } from "../engine/runtime.js";
import { sampleServer } from "./server.js";

type Parameters = Readonly<Record<string, unknown>>;
type MethodCall<Result> = (parameters: Parameters, caller?: Caller) => Awaitable<Result>;

/** An engine without a connection, with its methods grouped by the kind of item and the log lines it wrote. */
export interface SampleEngine extends Engine {
  readonly live: LiveState;
  readonly tools: {
    list(parameters: Parameters): Page<"tools", Tool>;
    readonly call: MethodCall<CallToolResult>;
    get(name: string): Item | undefined;
  };
  readonly resources: {
    readonly list: MethodCall<Page<"resources", Resource>>;
    listTemplates(parameters: Parameters): Page<"resourceTemplates", ResourceTemplateType>;
    readonly read: MethodCall<ReadResourceResult>;
  };
  readonly prompts: { readonly get: MethodCall<GetPromptResult> };
  readonly completion: { readonly complete: MethodCall<CompleteResult> };
  readonly lines: readonly string[];
  readonly calls: CallsInFlight;
}

/** The methods of an engine, grouped by the kind of item. */
function byKind(
  engine: Engine,
): Pick<SampleEngine, "tools" | "resources" | "prompts" | "completion"> {
  const method =
    (name: string) =>
    (parameters: Parameters, sender = caller) =>
      engine.methods.get(name)?.answer(parameters, sender) as never;
  const get = (name: string) => engine.methods.get("tools/call")?.itemOf?.({ name });
  return {
    tools: { list: method("tools/list"), call: method("tools/call"), get },
    resources: {
      list: method("resources/list"),
      listTemplates: method("resources/templates/list"),
      read: method("resources/read"),
    },
    prompts: { get: method("prompts/get") },
    completion: { complete: method("completion/complete") },
  };
}

/** The engine of the sample server, with some parts of its definition and runtime replaced. */
export function sampleEngine(
  changes: Partial<ServerDefinition> = {},
  options: Partial<Runtime> = {},
): SampleEngine {
  const lines: string[] = [];
  const definition = { ...sampleServer, ...changes };
  const limits = limitsOf(changes);
  const log = createLog({ level: "debug", write: (line) => void lines.push(line) });
  const refusals = new Refusals(limits, log, undefined);
  const calls = new CallsInFlight(limits.concurrency, (caller) =>
    exceedLimit({ refusals }, caller, "concurrency"),
  );
  const live = createControls(definition);
  const runtime = {
    env: { MODE: "test" },
    services: { clock: "fixed" },
    root: process.cwd(),
    mock: false,
    ...{ log, limits, calls, refusals },
    itemStates: live,
    pageSize: definition.pageSize,
    ...options,
  };
  const engine = createEngine(definition, runtime);
  return { ...engine, ...byKind(engine), live, lines, calls };
}

/** A caller that accepts all log messages and never cancels. */
export const caller: Caller = {
  requestId: 7,
  era: "modern",
  signal: new AbortController().signal,
  sendLog: async () => undefined,
  clientCapabilities: () => undefined,
};

/** Asserts that a request is refused with this code. @returns the error message */
export async function refusal(code: number, request: () => unknown): Promise<string> {
  const error = await protocolError(request);
  assert.is(error.code, code, error.message);
  return error.message;
}

/** The error with which a request is refused. @throws Error if it is answered */
export async function protocolError(request: () => unknown): Promise<ProtocolError> {
  try {
    await request();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error("the request was answered");
}
