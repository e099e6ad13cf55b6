import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { ManifestPath } from "../../model/loaded-manifest.js";
import { PatternCosts } from "../../schema/patterns/pattern-cost.js";
import { quoted } from "../../text/value-words.js";
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
 * keywords are left out that the problems are about: without them, it accepts more. A pattern may mean the same in other words.
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
  const costs = new PatternCosts();
  const lost = new Map<string, { readonly reason: string; count: number }>();
  for (const { path, message } of problems) {
    const { at, isKeyword } = placeInSchema(schema, path.slice(1));
    const isNeeded = at.length === 0 || (at.length === 1 && NEEDED_AT_ROOT.has(at[0]));
    const value = valueAtPath(mended, at);
    if (isNeeded || value === undefined) continue;
    const isPattern = isKeyword && at.at(-1) === "pattern";
    const beside = valueAtPath(mended, at.slice(0, -1));
    const pattern = isPattern ? quickPattern(value, beside, costs) : undefined;
    mended = withAt(mended, at, pattern ?? (isKeyword ? undefined : describedOnly(schema, at)));
    const name = isKeyword ? `${String(at.at(-1))} ${pattern ?? ""}` : "";
    const earlier = lost.get(name);
    if (earlier !== undefined) earlier.count += 1;
    else lost.set(name, { reason: reasonOf([key, ...at], isKeyword, message, pattern), count: 1 });
  }
  const losses = [...lost.values()].map(({ reason, count }) =>
    count === 1 ? reason : `${reason}, as at ${count - 1} more places`,
  );
  return { schema: mended, losses };
}

/**
 * A pattern without each `.*` at its beginning, such as zod's `endsWith` has, and which changes nothing for a pattern that may
 * match anywhere. Undefined if it has none, or if the rest is slow as well, so that the pattern is left out at once.
 *
 * @param beside the schema of the pattern
 */
function quickPattern(
  pattern: JsonValue,
  beside: JsonValue | undefined,
  costs: PatternCosts,
): string | undefined {
  const [, rest] =
    (typeof pattern === "string" && /^(?:\.\*\??)+([^?*+{].*)$/s.exec(pattern)) || [];
  if (rest === undefined) return undefined;
  const maxLength = isJsonObject(beside ?? null) ? (beside as JsonObject)["maxLength"] : undefined;
  const longest = typeof maxLength === "number" ? maxLength : Infinity;
  const cost = costs.costOf(rest);
  return cost.kind === "polynomial" && cost.longestText >= longest ? rest : undefined;
}

function reasonOf(
  path: ManifestPath,
  isKeyword: boolean,
  message: string,
  pattern: string | undefined,
): string {
  const left = isKeyword ? "is left out" : "accepts everything";
  const what = pattern === undefined ? left : `is ${quoted(pattern)} here, which means the same`;
  return `\`${path.join(".")}\` ${what}: ${message}`;
}

/** A schema that accepts everything, with the description of the one that it replaces. */
function describedOnly(root: JsonObject, at: ManifestPath): JsonObject {
  const schema = valueAtPath(root, at);
  const description = isJsonObject(schema) ? schema["description"] : undefined;
  return typeof description === "string" ? { description } : {};
}
