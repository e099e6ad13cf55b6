import { environmentDefault } from "../../model/catalogue/rules-server.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { entriesIn, listIn, rootOf, textIn } from "../manifest-view.js";
import { describeValue } from "../../text/value-words.js";

/** Checks that defaults and listed values of environment variables fit their type, and that defaults are listed. */
export function checkEnvironment(manifest: LoadedManifest): Diagnostic[] {
  return entriesIn(rootOf(manifest), "env").flatMap(([, settings, path]) =>
    isJsonObject(settings) ? variableProblems(manifest, settings, path) : [],
  );
}

function variableProblems(
  manifest: LoadedManifest,
  settings: JsonObject,
  path: ManifestPath,
): Diagnostic[] {
  const type = textIn(settings, "type") ?? "string";
  const report = (at: ManifestPath, expected: string, value: JsonValue): Diagnostic =>
    environmentDefault(manifest.locate(at, "value"), { expected, found: describeValue(value) });
  const listed = listIn(settings, "enum");
  const problems = listed.flatMap((value, index) =>
    fits(value, type) ? [] : [report([...path, "enum", index], typeWords(type), value)],
  );
  const fallback = settings["default"];
  if (fallback === undefined || fallback === null || typeof fallback === "object") return problems;
  const at = [...path, "default"];
  if (!fits(fallback, type)) problems.push(report(at, typeWords(type), fallback));
  else if (listed.length > 0 && !listed.includes(fallback)) {
    problems.push(report(at, "one of the values under enum", fallback));
  }
  return problems;
}

/** Values that the structure check refuses fit every type, so that they are reported only once. */
function fits(value: JsonValue, type: string): boolean {
  if (value === null || typeof value === "object") return true;
  if (type === "number") return typeof value === "number";
  if (type === "boolean") return typeof value === "boolean";
  if (type === "url") return typeof value === "string" && URL.canParse(value);
  return type !== "string" || typeof value === "string";
}

function typeWords(type: string): string {
  if (type === "number") return "a number";
  if (type === "boolean") return "true or false";
  return type === "url" ? "a URL" : 'a string (or give the variable a "type")';
}
