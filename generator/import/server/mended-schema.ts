import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { ManifestPath } from "../../model/loaded-manifest.js";
import { valueAtPath } from "../api-document.js";
import { placeInSchema, withAt } from "../place-in-schema.js";
import { modernSchema } from "./listed-schema.js";

/** A problem of an item, with its path within the item. */
export interface ItemProblem {
  readonly path: ManifestPath;
  readonly message: string;
}

/** A schema without what a manifest refuses of it, and in words what it has lost. */
export interface MendedSchema {
  readonly schema: JsonObject;
  /** Empty if nothing could be mended. */
  readonly losses: readonly string[];
}

/** Without them, an input schema is none. */
const NEEDED_AT_ROOT: ReadonlySet<unknown> = new Set(["type", "properties"]);

/**
 * Corrects a schema that a manifest refuses. It is put into another dialect if that changes anything, and otherwise the
 * keywords are left out that the problems are about: without them, it accepts more.
 *
 * @param key `inputSchema` or `outputSchema`, the first segment of the problems' paths
 */
export function mendedSchema(
  key: string,
  schema: JsonObject,
  problems: readonly ItemProblem[],
): MendedSchema {
  const modern = modernSchema(schema);
  if (!isDeepStrictEqual(modern, schema)) {
    return { schema: modern, losses: [`\`${key}\` is said in JSON Schema 2020-12 here`] };
  }
  let mended = schema;
  const lost = new Map<string, { readonly reason: string; count: number }>();
  for (const { path, message } of problems) {
    const { at, isKeyword } = placeInSchema(schema, path.slice(1));
    const isNeeded = at.length === 0 || (at.length === 1 && NEEDED_AT_ROOT.has(at[0]));
    if (isNeeded || valueAtPath(mended, at) === undefined) continue;
    mended = withAt(mended, at, isKeyword ? undefined : describedOnly(schema, at));
    const name = isKeyword ? String(at.at(-1)) : "";
    const earlier = lost.get(name);
    if (earlier !== undefined) earlier.count += 1;
    else lost.set(name, { reason: reasonOf([key, ...at], isKeyword, message), count: 1 });
  }
  const losses = [...lost.values()].map(({ reason, count }) =>
    count === 1 ? reason : `${reason}, as at ${count - 1} more places`,
  );
  return { schema: mended, losses };
}

function reasonOf(path: ManifestPath, isKeyword: boolean, message: string): string {
  const what = isKeyword ? "is left out" : "accepts everything";
  return `\`${path.join(".")}\` ${what}: ${message}`;
}

/** A schema that accepts everything, with the description of the one that it replaces. */
function describedOnly(root: JsonObject, at: ManifestPath): JsonObject {
  const schema = valueAtPath(root, at);
  const description = isJsonObject(schema) ? schema["description"] : undefined;
  return typeof description === "string" ? { description } : {};
}
