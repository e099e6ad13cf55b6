import { callersNotKnown, projectFile } from "../model/catalogue/project.js";
import { needsAuthentication } from "../model/authentication.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import type { Plan } from "../model/plan.js";
import type { ServerModel } from "../model/server-model.js";
import { textAt, type ProjectTree } from "./tree.js";

const CONTEXT = "src/context.ts";

/** What may export `authenticate`: a declaration, a list of names, or all of another module. */
const EXPORTS =
  /^\s*export\s+(?:(?:async\s+)?(?:const|let|var|function)\s+authenticate\b|\{[^}]*\bauthenticate\b|\*)/m;

/**
 * Reports that items need scopes and nothing authenticates callers: the manifest has no `auth`, and the
 * project's own code exports no `authenticate`. A project without such code gets one that refuses everybody
 * until a person has written it.
 * @param plan What a run will do.
 * @param manifest The manifest in canonical form.
 * @returns the plan with that report
 */
export function withUnknownCallers(
  plan: Plan,
  { manifest, model }: { readonly manifest: JsonObject; readonly model: ServerModel },
  tree: ProjectTree,
): Plan {
  const knowsByManifest = model.auth !== undefined || !needsAuthentication(model);
  if (knowsByManifest || isSwitchedOff(manifest)) return plan;
  const text = textAt(tree, CONTEXT);
  if (text === undefined || EXPORTS.test(text)) return plan;
  return {
    ...plan,
    diagnostics: [...plan.diagnostics, callersNotKnown(projectFile(CONTEXT), {})],
    sources: new Map([...(plan.sources ?? []), [CONTEXT, text]]),
  };
}

function isSwitchedOff({ diagnostics = {} }: JsonObject): boolean {
  return isJsonObject(diagnostics) && diagnostics[callersNotKnown.entry.code] === "off";
}
