import type { JsonObject } from "../model/json.js";
import type { SemanticChange, SemanticSeverity } from "../model/plan.js";
import { compareDatabases, compareUpstreams } from "./compare-bodies.js";
import { compareExposure } from "./compare-exposure.js";
import { compareLimits } from "./compare-limits.js";
import { comparePrompts } from "./compare-prompts.js";
import { compareResources } from "./compare-resources.js";
import { compareServer, compareVersions } from "./compare-server.js";
import { compareTools } from "./compare-tools.js";
import { compareTransports } from "./compare-transports.js";

/** Gravest first. */
const SEVERITIES: readonly SemanticSeverity[] = ["breaking", "warning", "info"];

/**
 * What callers of a server notice when its manifest changes. Pure, and linear in the manifests'
 * size but for schemas that change beyond recognition, on which bounded work is spent.
 *
 * @param before the manifest of the last generation, canonical; it may be of an older mcpwright
 * @param after the manifest now, canonical; the changes' `at` lead into it
 * @returns the gravest first, else in the order of the manifest
 */
export function compareManifests(before: JsonObject, after: JsonObject): SemanticChange[] {
  const changes = [
    ...compareServer(before, after),
    ...compareUpstreams(before, after),
    ...compareDatabases(before, after),
    ...compareTransports(before, after),
    ...compareLimits(before, after),
    ...compareExposure(before, after),
    ...compareTools(before, after),
    ...compareResources(before, after),
    ...comparePrompts(before, after),
  ];
  const all = [...changes, ...compareVersions(before, after, changes)];
  return SEVERITIES.flatMap((severity) => all.filter((change) => change.severity === severity));
}
