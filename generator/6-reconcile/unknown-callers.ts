import { callersNotKnown } from "../model/catalogue/project.js";
import { wholeFile } from "../model/place.js";
import { needsAuthentication } from "../model/authentication.js";
import type { JsonObject } from "../model/json.js";
import type { Plan } from "../model/plan.js";
import type { ServerModel } from "../model/server-model.js";
import { withReport } from "./reports.js";
import { isSwitchedOff } from "./switched-off.js";
import { textAt, type ProjectTree } from "./tree.js";

const CONTEXT = "src/context.ts";

/** Matches code that may export `authenticate`: a declaration, a list of names, or `export *`. */
const EXPORTS =
  /^\s*export\s+(?:(?:async\s+)?(?:const|let|var|function)\s+authenticate\b|\{[^}]*\bauthenticate\b|\*)/m;

/**
 * Adds a diagnostic to the plan if items need scopes but nothing authenticates callers: the manifest has no `auth`,
 * and `src/context.ts` exports no `authenticate`. A project without that file gets one whose `authenticate`
 * refuses everybody until a person writes it.
 *
 * @param manifest the manifest in canonical form
 */
export function withUnknownCallers(
  plan: Plan,
  { manifest, model }: { readonly manifest: JsonObject; readonly model: ServerModel },
  tree: ProjectTree,
): Plan {
  if (model.auth !== undefined || !needsAuthentication(model)) return plan;
  if (isSwitchedOff(manifest, callersNotKnown.entry.code)) return plan;
  const text = textAt(tree, CONTEXT);
  if (text === undefined || EXPORTS.test(text)) return plan;
  return withReport(plan, callersNotKnown(wholeFile(CONTEXT), {}), text);
}
