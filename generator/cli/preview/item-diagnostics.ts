import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { ShownDiagnostic } from "./preview-server.js";

/** The lists of items, each with the member that tells its items apart. */
const LISTS = [
  ["tools", "name"],
  ["resources", "uri"],
  ["resourceTemplates", "uriTemplate"],
  ["prompts", "name"],
] as const;

type ItemPlace = NonNullable<ShownDiagnostic["item"]>;

/** A line of the manifest from which on something else stands: an item, or a part of the server's own. */
interface Boundary {
  readonly line: number;
  readonly item?: ItemPlace;
}

/** The diagnostics of a manifest, each with the item that it is about. */
export function shownDiagnostics(
  diagnostics: readonly Diagnostic[],
  manifest: LoadedManifest | undefined,
): readonly ShownDiagnostic[] {
  const boundaries = manifest === undefined ? [] : boundariesOf(manifest);
  return diagnostics.map(({ severity, code, message, line, column }) => {
    const item = boundaries.findLast((boundary) => boundary.line <= line)?.item;
    return { severity, code, message, line, column, ...(item !== undefined && { item }) };
  });
}

function boundariesOf(manifest: LoadedManifest): readonly Boundary[] {
  const { value } = manifest;
  if (!isJsonObject(value)) return [];
  const keys = Object.keys(value).map((key) => ({ line: manifest.locate([key], "key").line }));
  const items = LISTS.flatMap(([list, member]) => {
    const listed = value[list];
    if (!Array.isArray(listed)) return [];
    return listed.map((item, index): Boundary => {
      const key = isJsonObject(item) ? item[member] : undefined;
      const { line } = manifest.locate([list, index], "value");
      return { line, item: { list, index, key: typeof key === "string" ? key : "" } };
    });
  });
  // Where a list begins on the line of its first item, the item is what stands there.
  return [...keys, ...items].sort((one, other) => one.line - other.line);
}
