import { notSupportedYet } from "../model/catalogue/manifest.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";

/**
 * What the format has and this version does not build: paths with `*` for every item or key, each
 * with the values that are meant where it is not all of them. Building a feature removes its line.
 */
const NOT_SUPPORTED: readonly (readonly [path: string, values?: readonly JsonValue[]])[] = [
  ["tools.*.scopes"],
  ["resources.*.scopes"],
  ["resourceTemplates.*.scopes"],
  ["prompts.*.scopes"],
];

/** One error for each use of what is not built yet, at its key. */
export function checkSupported(manifest: LoadedManifest): Diagnostic[] {
  return NOT_SUPPORTED.flatMap(([pattern, values]) =>
    [...matches(manifest.value, pattern.split("."), [])]
      .filter(([, value]) => values === undefined || values.includes(value))
      .map(([path, value]) => {
        const key = pattern.split(".").findLast((segment) => segment !== "*") ?? pattern;
        const what = values === undefined ? key : `${key}: ${String(value)}`;
        return notSupportedYet(manifest.locate(path, "key"), { what });
      }),
  );
}

/** The paths that a pattern matches, with what stands there. */
function* matches(
  value: JsonValue,
  [segment, ...rest]: readonly string[],
  path: ManifestPath,
): Generator<[ManifestPath, JsonValue]> {
  if (segment === undefined) {
    yield [path, value];
  } else if (Array.isArray(value) && segment === "*") {
    for (const [index, item] of value.entries()) yield* matches(item, rest, [...path, index]);
  } else if (isJsonObject(value)) {
    const keys =
      segment === "*" ? Object.keys(value) : [segment].filter((key) => Object.hasOwn(value, key));
    for (const key of keys) yield* matches(value[key] ?? null, rest, [...path, key]);
  }
}
