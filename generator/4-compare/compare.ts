import { withEnvelopes } from "../selection/envelope.js";
import type { JsonObject } from "../model/json.js";
import type { SemanticChange, SemanticSeverity } from "../model/plan.js";
import { compareExposure, compareResourceTools } from "./compare-exposure.js";
import { compareLimits } from "./compare-limits.js";
import { comparePrompts } from "./compare-prompts.js";
import { compareResources } from "./compare-resources.js";
import { compareSkills } from "./compare-skills.js";
import { compareServer, compareVersions } from "./compare-server.js";
import { compareTools } from "./compare-tools.js";
import { compareTransports } from "./compare-transports.js";
import { compareDatabases, compareUpstreams } from "./compare-upstreams.js";

/** From the gravest to the least grave. */
const SEVERITIES: readonly SemanticSeverity[] = ["breaking", "warning", "info"];

/**
 * Finds the changes that callers of a server notice when its manifest changes. The time grows
 * linearly with the size of the manifests. Comparing two schemas may cost more, up to a fixed limit.
 *
 * @param former the canonical manifest of the last generation; an older mcpwright may have written it
 * @param present the canonical manifest of this generation; `at` of a change is a path in it
 * @returns the changes, the gravest first, and within a severity in the order of the manifest
 */
export function compareManifests(former: JsonObject, present: JsonObject): SemanticChange[] {
  const [before, after] = [former, present].map((manifest) => withEnvelopes(manifest)) as [
    JsonObject,
    JsonObject,
  ];
  const changes = [
    ...compareServer(before, after),
    ...compareUpstreams(before, after),
    ...compareDatabases(before, after),
    ...compareTransports(before, after),
    ...compareLimits(before, after),
    ...compareExposure(before, after),
    ...compareResourceTools(before, after),
    ...compareTools(before, after),
    ...compareResources(before, after),
    ...comparePrompts(before, after),
    ...compareSkills(before, after),
  ];
  const all = [...changes, ...compareVersions(before, after, changes)];
  return SEVERITIES.flatMap((severity) => all.filter((change) => change.severity === severity));
}
