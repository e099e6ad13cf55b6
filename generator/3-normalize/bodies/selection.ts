import type { SelectModel } from "../../model/bodies.js";
import type { JsonSchema } from "../../model/json.js";
import { parseSelection } from "../../selection/parse-selection.js";
import type { SchemaNormalizer } from "../schemas.js";

/** A body that may select its result. */
interface Selecting {
  readonly select?: string;
  readonly answerSchema?: unknown;
}

/** The model of what a body selects; nothing if it does not. */
export function normalizeSelection(
  { select, answerSchema }: Selecting,
  schemas: SchemaNormalizer,
): { readonly select?: SelectModel } {
  if (select === undefined) return {};
  const parsed = parseSelection(select);
  // 2-validate refuses what is no selection.
  if (parsed.problem !== undefined) throw new Error(`${select}: ${parsed.problem}`);
  const answer =
    answerSchema === undefined ? undefined : schemas.output(answerSchema as JsonSchema);
  return { select: { selection: parsed.selection, ...(answer && { answer: answer.wire }) } };
}
