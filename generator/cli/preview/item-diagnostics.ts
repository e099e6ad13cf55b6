import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { Place } from "../../model/place.js";
import type { ShownDiagnostic } from "./preview-server.js";

/** The lists of items, each with the property that identifies an item. */
const LISTS = [
  ["tools", "name"],
  ["resources", "uri"],
  ["resourceTemplates", "uriTemplate"],
  ["prompts", "name"],
] as const;

type ItemPlace = NonNullable<ShownDiagnostic["item"]>;

/** Where an item, or a top-level key, begins. Without an item, it is a top-level key. */
interface Boundary {
  readonly place: Place;
  readonly item?: ItemPlace;
}

/** The diagnostics of a manifest as the page shows them, each with the item that contains its line. */
export function shownDiagnostics(
  diagnostics: readonly Diagnostic[],
  manifest: LoadedManifest | undefined,
): readonly ShownDiagnostic[] {
  const boundaries = manifest === undefined ? [] : boundariesOf(manifest);
  return diagnostics.map(({ severity, code, message, file, line, column }) => {
    const begins = ({ place }: Boundary): boolean => place.file === file && place.line <= line;
    const item = boundaries.findLast(begins)?.item;
    return { severity, code, message, file, line, column, ...(item !== undefined && { item }) };
  });
}

function boundariesOf(manifest: LoadedManifest): readonly Boundary[] {
  const { value } = manifest;
  if (!isJsonObject(value)) return [];
  const keys = Object.keys(value).map((key) => ({ place: manifest.locate([key], "key") }));
  const items = LISTS.flatMap(([list, member]) => {
    const listed = value[list];
    if (!Array.isArray(listed)) return [];
    return listed.map((item, index): Boundary => {
      const key = isJsonObject(item) ? item[member] : undefined;
      const place = manifest.locate([list, index], "value");
      return { place, item: { list, index, key: typeof key === "string" ? key : "" } };
    });
  });
  // The sort is stable: if a list begins on the line of its first item, the item comes last and wins.
  return [...keys, ...items].sort((first, second) => first.place.line - second.place.line);
}
