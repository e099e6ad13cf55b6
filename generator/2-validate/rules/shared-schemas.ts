import { unusedSchema } from "../../model/catalogue/rules-items.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { parseReference } from "../../schema/schema-reference.js";
import { entriesIn, rootOf } from "../manifest-view.js";
import { quoted } from "../../text/value-words.js";

/** Reports shared schemas to which nothing outside of `schemas` refers, directly or through others. */
export function checkUnusedSchemas(manifest: LoadedManifest): Diagnostic[] {
  const shared = new Map(
    entriesIn(rootOf(manifest), "schemas").map(([name, schema, path]) => [name, { schema, path }]),
  );
  if (shared.size === 0) return [];
  const { schemas: _schemas, ...others } = manifest.value;
  const reached = new Set<string>();
  const reach = (value: JsonValue): void => {
    for (const name of sharedNames(value)) {
      const entry = shared.get(name);
      if (entry === undefined || reached.has(name)) continue;
      reached.add(name);
      pending.push(entry.schema);
    }
  };
  const pending: JsonValue[] = [others];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) reach(next);
  return [...shared]
    .filter(([name]) => !reached.has(name))
    .map(([name, { path }]) => unusedSchema(manifest.locate(path, "key"), { name: quoted(name) }));
}

/** The names of the shared schemas to which references anywhere in a value lead. */
function sharedNames(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(sharedNames);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (key !== "$ref" || typeof item !== "string") return sharedNames(item);
    const reference = parseReference(item);
    return reference.kind === "shared" ? [reference.name] : [];
  });
}
