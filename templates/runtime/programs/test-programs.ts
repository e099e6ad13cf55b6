import type { ServerDefinition } from "../engine/definition.js";
import { MissingServicesError } from "../testing/test-context.js";
import { createPrograms, type Programs, type StandIn } from "./programs.js";

/**
 * `ctx.programs` of a handler's own test.
 *
 * @param standIn what runs instead of every program; without it, a handler that runs one fails
 */
export function testPrograms(
  definition: ServerDefinition,
  env: unknown,
  standIn: StandIn | undefined,
  signal = new AbortController().signal,
): Programs {
  if (standIn === undefined) return MISSING;
  const programs = createPrograms(definition, { env, root: ".", programs: standIn });
  return programs.bind({ signal }) as Programs;
}

/** Says what a test has to pass. */
class MissingProgramError extends MissingServicesError {
  constructor(program: string) {
    super(`runs ${program}: pass what stands in for it, createTestContext({ programs })`);
  }
}

const MISSING: Programs = {
  run: async ([program]) => {
    throw new MissingProgramError(program);
  },
};
