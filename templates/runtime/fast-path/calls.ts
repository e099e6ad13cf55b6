import type { Result } from "@modelcontextprotocol/server";
import type { Awaitable } from "../engine/awaitable.js";
import type { Caller } from "../context/context.js";
import type { Engine } from "../engine/engine.js";
import type { Method } from "../engine/feature.js";
import { revision, type FastPathMethods, type FastPathRequest } from "./request.js";

/** The methods that are answered without the SDK: those of the engine, and `server/discover`. */
export function fastPathMethods({ definition, capabilities, methods }: Engine): FastPathMethods {
  const { instructions, cache = {} } = definition;
  const discovery = {
    supportedVersions: [revision],
    capabilities,
    ...(instructions === undefined ? {} : { instructions }),
  };
  const discover: Method = {
    parameters: [],
    isShared: true,
    caching: cache,
    answer: () => discovery,
  };
  return new Map([...methods, ["server/discover", discover]]);
}

/** Runs a request. @returns its result, or a promise, which rejects if the request fails */
export function startCall(
  { method, parameters }: FastPathRequest,
  caller: Caller,
): Awaitable<Result> {
  try {
    return method.answer(parameters, caller);
  } catch (error) {
    return Promise.reject(error as Error);
  }
}
