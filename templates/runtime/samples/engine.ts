import { ProtocolError } from "../engine/errors.js";
import * as assert from "uvu/assert";
import { CallsInFlight } from "../engine/calls-in-flight.js";
import type { Caller } from "../context/context.js";
import type { ServerDefinition } from "../engine/definition.js";
import { createEngine, type Engine } from "../engine/engine.js";
import type { CompletionAnswers, PromptAnswers, ResourceAnswers } from "../engine/parts.js";
import { defaultLimits } from "../engine/limits.js";
import { LiveState } from "../context/live-state.js";
import { createLog } from "../observe/log.js";
import type { Runtime } from "../engine/runtime.js";
import { sampleServer } from "./server.js";

/** An engine without a connection, and the log lines it wrote. */
export interface SampleEngine extends Engine {
  readonly resources: ResourceAnswers;
  readonly prompts: PromptAnswers;
  readonly completion: CompletionAnswers;
  readonly lines: readonly string[];
  readonly calls: CallsInFlight;
}

type EveryPart = Pick<SampleEngine, "resources" | "prompts" | "completion">;

/** The engine of the sample server, with parts of it replaced. */
export function sampleEngine(
  changes: Partial<ServerDefinition> = {},
  options: Partial<Runtime> = {},
): SampleEngine {
  const lines: string[] = [];
  const definition = { ...sampleServer, ...changes };
  const limits = { ...defaultLimits, ...changes.limits };
  const calls = new CallsInFlight(limits.concurrency);
  const runtime = {
    env: { MODE: "test" },
    services: { clock: "fixed" },
    root: process.cwd(),
    mock: false,
    log: createLog({ level: "debug", write: (line) => void lines.push(line) }),
    limits,
    calls,
    controls: new LiveState(definition),
    pageSize: definition.pageSize,
    cache: definition.cache,
    ...options,
  };
  const engine = createEngine(definition, runtime);
  const { resources, prompts, completion } = engine;
  // The sample server has items of every kind; a test that leaves some out does not ask for them.
  return { ...engine, ...({ resources, prompts, completion } as EveryPart), lines, calls };
}

/** A caller that takes what it is sent and never goes away. */
export const caller: Caller = {
  requestId: 7,
  era: "modern",
  signal: new AbortController().signal,
  sendLog: async () => undefined,
  clientCapabilities: () => undefined,
};

/** Asserts that a request is refused with this code, and returns the message. */
export async function refusal(code: number, request: () => unknown): Promise<string> {
  const error = await protocolError(request);
  assert.is(error.code, code, error.message);
  return error.message;
}

/** The error that a request is refused with. */
export async function protocolError(request: () => unknown): Promise<ProtocolError> {
  try {
    await request();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error("the request was answered");
}
