import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";

/** The path of the innermost value of a manifest that contains the beginning of a problem. */
export function pathOfProblem(manifest: LoadedManifest, problem: Diagnostic): ManifestPath {
  const path: (string | number)[] = [];
  let value: JsonValue = manifest.value;
  for (;;) {
    const key = segmentAt(manifest, path, value, problem);
    if (key === undefined) return path;
    path.push(key);
    value = (value as Record<string | number, JsonValue>)[key] ?? null;
  }
}

function segmentAt(
  manifest: LoadedManifest,
  path: ManifestPath,
  value: JsonValue,
  { line, column }: Diagnostic,
): string | number | undefined {
  const startsBefore = (key: string | number): boolean => {
    const start = manifest.locate([...path, key], "key");
    return start.line < line || (start.line === line && start.column <= column);
  };
  const endsAfter = (key: string | number): boolean => {
    const end = manifest.locate([...path, key], "value");
    return end.endLine > line || (end.endLine === line && end.endColumn > column);
  };
  const segments = Array.isArray(value)
    ? value.map((_, index) => index)
    : isJsonObject(value)
      ? Object.keys(value)
      : [];
  // The segments are sorted by their position in the text.
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startsBefore(segments[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  const segment = segments[low - 1];
  return segment !== undefined && endsAfter(segment) ? segment : undefined;
}
