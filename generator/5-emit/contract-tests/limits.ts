import type { LimitName } from "../../../templates/runtime/engine/limits.js";
import { usualLimit } from "../../model/limits.js";
import type { ServerModel } from "../../model/server-model.js";

/** A limit of the server as tests run it, where no variable is set. */
export function limitInTests(
  { limits, env }: Pick<ServerModel, "limits" | "env">,
  limit: LimitName,
): number {
  const defaultOf = (variable: string) => env.find(({ name }) => name === variable)?.default;
  return usualLimit(limit, limits?.[limit], defaultOf);
}
