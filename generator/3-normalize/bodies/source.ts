import type { ClaimTypes } from "../../model/auth.js";
import type { SourceModel } from "../../model/bodies.js";
import type { ManifestSource } from "../../model/manifest.js";
import { normalizeHttp } from "./http.js";
import { normalizeSql, type Databases } from "./sql.js";

/**
 * The request or query that finds the values of a completion or of a list.
 *
 * @param names the arguments that it may use. For a completion, the completed argument comes first.
 * @throws if 2-validate has not checked the source
 */
export function normalizeSource(
  { http, sql }: ManifestSource,
  names: readonly string[],
  databases: Databases,
  claims?: ClaimTypes,
): SourceModel {
  if (http !== undefined) return normalizeHttp(http, names, claims);
  if (sql !== undefined) return normalizeSql(sql, databases, { claims });
  throw new Error("unvalidated source");
}
