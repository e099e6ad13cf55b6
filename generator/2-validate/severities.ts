import { allEntries } from "../model/catalogue/index.js";
import { severityOfError, severityOfUnknownCode } from "../model/catalogue/rules-server.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import { nearestName } from "../text/nearest-name.js";
import { entriesIn, rootOf } from "./manifest-view.js";

/** Checks that `diagnostics` names existing codes and changes only the severity of warnings. */
export function checkSeverities(manifest: LoadedManifest): Diagnostic[] {
  return declaredSeverities(manifest).flatMap(([code, severity]) => {
    const place = manifest.locate(["diagnostics", code], "key");
    const entry = allEntries.find((candidate) => candidate.code === code);
    if (entry === undefined) {
      const nearest = nearestName(
        code,
        allEntries.map((candidate) => candidate.code),
      );
      return [severityOfUnknownCode(place, { code, ...(nearest !== undefined && { nearest }) })];
    }
    if (entry.severity !== "error" || severity === "error") return [];
    return [severityOfError(place, { code, severity })];
  });
}

/**
 * Applies the severities under the manifest's `diagnostics`: a warning can become an error or be
 * switched off. An error stays an error.
 */
export function applySeverities(
  manifest: LoadedManifest,
  diagnostics: readonly Diagnostic[],
): Diagnostic[] {
  const severities = new Map(declaredSeverities(manifest));
  return diagnostics.flatMap((diagnostic) => {
    const severity = severities.get(diagnostic.code);
    if (diagnostic.severity === "error" || severity === undefined) return [diagnostic];
    if (severity === "off") return [];
    return [severity === "error" ? { ...diagnostic, severity } : diagnostic];
  });
}

/** Codes with the severity that the manifest declares for them. */
function declaredSeverities(manifest: LoadedManifest): [string, string][] {
  return entriesIn(rootOf(manifest), "diagnostics").flatMap(([code, severity]) =>
    /^MW[0-9]{4}$/.test(code) && typeof severity === "string" ? [[code, severity]] : [],
  );
}
