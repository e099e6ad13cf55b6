import type { ServerDefinition } from "../engine/definition.js";
import { MissingServicesError } from "../testing/test-context.js";
import { createPrograms, type Programs, type StandIn } from "./programs.js";

/**
 * Creates `ctx.programs` for the test of a handler.
 *
 * @param standIn the program that runs instead of every program; without it, a handler that runs a program fails with
 *   a `MissingServicesError`
 */
export function testPrograms(
  definition: ServerDefinition,
  env: unknown,
  standIn: StandIn | undefined,
  signal: AbortSignal = new AbortController().signal,
): Programs {
  if (standIn === undefined) return MISSING;
  const programs = createPrograms(definition, { env, root: ".", programs: standIn });
  return programs.bind({ signal }) as Programs;
}

/** Says which option the test must pass. */
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
