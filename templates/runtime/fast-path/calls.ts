import type { Result } from "@modelcontextprotocol/server";
import type { Awaitable } from "../engine/awaitable.js";
import type { Caller } from "../context/context.js";
import type { Engine } from "../engine/engine.js";
import { revision, type PlainMethod } from "./request.js";
import type { RequestParameters } from "../engine/request-parameters.js";

/** Starts what plain requests ask for, straight from the engine. */
export class PlainCalls {
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
    method: PlainMethod,
    parameters: RequestParameters,
    caller: Caller,
  ): Awaitable<Result> | undefined {
    try {
      return this.#start(method, parameters, caller);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  #start(
    method: PlainMethod,
    parameters: RequestParameters,
    caller: Caller,
  ): Awaitable<Result> | undefined {
    const { capabilities, tools, resources, prompts, completion, scopes } = this.#engine;
    if (scopes?.unmet(method, parameters, caller.authentication) !== undefined) return undefined;
    switch (method) {
      case "server/discover":
        return this.#discovery;
      case "tools/list":
        return capabilities.tools && tools.list(parameters);
      case "tools/call": {
        const tool = tools.get(String(parameters["name"]));
        return tool && tools.run(tool, parameters, caller);
      }
      case "resources/list":
        return resources?.list(parameters, caller);
      case "resources/templates/list":
        return resources?.listTemplates(parameters);
      case "resources/read":
        return resources?.read(parameters, caller);
      case "prompts/list":
        return prompts?.list(parameters);
      case "prompts/get":
        return prompts?.get(parameters, caller);
      case "completion/complete":
        return completion?.complete(parameters, caller);
    }
  }
}
