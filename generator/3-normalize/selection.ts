import type { GivenBody } from "../bodies/index.js";
import { selectionHolder } from "../bodies/selecting-tools.js";
import type { SelectModel } from "../model/bodies.js";
import type { JsonSchema } from "../model/json.js";
import { parseSelection } from "../selection/parse-selection.js";
import type { SchemaNormalizer } from "./schemas.js";

/** The model of what a body selects; nothing if it does not. */
export function normalizeSelection(
  body: GivenBody,
  schemas: SchemaNormalizer,
): { readonly select?: SelectModel } {
  const { select, answerSchema } = selectionHolder(body)?.value ?? {};
  if (typeof select !== "string") return {};
  const parsed = parseSelection(select);
  // 2-validate refuses what is no selection.
  if (parsed.problem !== undefined) throw new Error(`${select}: ${parsed.problem}`);
  const answer =
    answerSchema === undefined ? undefined : schemas.output(answerSchema as JsonSchema);
  return { select: { selection: parsed.selection, ...(answer && { answer: answer.wire }) } };
}
