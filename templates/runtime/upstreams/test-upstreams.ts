import { missingBackends } from "../backends/missing-backends.js";
import type { ServerDefinition } from "../engine/definition.js";
import { MissingServicesError } from "../testing/test-context.js";
import { createUpstreams } from "./upstreams.js";

/**
 * Creates `ctx.upstreams` for the test of a handler.
 *
 * @param origin the origin that replaces those of all upstreams; without it, a handler that uses an upstream fails
 *   with a `MissingServicesError`
 */
export function testUpstreams<Upstreams>(
  definition: Pick<ServerDefinition, "upstreams">,
  env: unknown,
  origin: string | undefined,
  signal: AbortSignal = new AbortController().signal,
): Upstreams {
  if (origin === undefined) return missingBackends(() => new MissingUpstreamError()) as Upstreams;
  const options = { env, root: ".", upstreams: { origin } };
  return createUpstreams(definition, options, { timeoutMs: 0 }).bind({ signal }) as Upstreams;
}

class MissingUpstreamError extends MissingServicesError {
  constructor() {
    super("needs an upstream: pass its origin, createTestContext({ upstreams: origin })");
  }
}
