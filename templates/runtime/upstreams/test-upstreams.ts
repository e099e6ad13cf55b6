import type { ServerDefinition } from "../engine/definition.js";
import { MissingServicesError } from "../testing/test-context.js";
import { createUpstreams } from "./upstreams.js";

/**
 * `ctx.upstreams` of a handler's own test.
 *
 * @param origin where all upstreams are; without it, a handler that asks one fails
 */
export function testUpstreams<Upstreams>(
  definition: Pick<ServerDefinition, "upstreams">,
  env: unknown,
  origin: string | undefined,
  signal = new AbortController().signal,
): Upstreams {
  if (origin === undefined) return missingUpstreams() as Upstreams;
  const options = { env, root: ".", upstreams: { origin } };
  return createUpstreams(definition, options, { timeoutMs: 0 }).bind({ signal }) as Upstreams;
}

/** Says what a test has to pass. */
function missingUpstreams(): object {
  return new Proxy(
    {},
    {
      get(target, name) {
        if (typeof name === "string") throw new MissingUpstreamError();
        return Reflect.get(target, name) as unknown;
      },
    },
  );
}

class MissingUpstreamError extends MissingServicesError {
  constructor() {
    super("needs an upstream: pass its origin, createTestContext({ upstreams: origin })");
  }
}
