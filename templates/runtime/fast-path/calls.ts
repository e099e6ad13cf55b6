import type { Result } from "@modelcontextprotocol/server";
import type { Awaitable } from "../engine/awaitable.js";
import type { Caller } from "../context/context.js";
import type { Engine } from "../engine/engine.js";
import { revision, type FastPathMethod } from "./request.js";
import type { RequestParameters } from "../engine/request-parameters.js";

/** Starts what plain requests ask for, straight from the engine. */
export class FastPathCalls {
  readonly #engine: Engine;
  readonly #discovery: Result;

  constructor(engine: Engine) {
    const { definition, capabilities } = engine;
    const { instructions } = definition;
    this.#engine = engine;
    this.#discovery = {
      supportedVersions: [revision],
      capabilities,
      ...(instructions === undefined ? {} : { instructions }),
    };
  }

  /**
   * Starts what a request asks for, or leaves it: then nothing has run.
   * @returns what comes of it; a promise that is rejected where it fails
   */
  run(
    method: FastPathMethod,
    parameters: RequestParameters,
    caller: Caller,
  ): Awaitable<Result> | undefined {
    if (method === "server/discover") return this.#discovery;
    try {
      return this.#engine.methods.get(method)?.answer(parameters, caller);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }
}
