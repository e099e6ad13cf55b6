import type { SourceModel } from "../../model/bodies.js";
import type { Manifest, ManifestSource } from "../../model/manifest.js";
import { normalizeHttp } from "./http.js";
import { normalizeSql } from "./sql.js";

/**
 * What finds values.
 *
 * @param names what it may name: of a completion, the argument itself comes first
 */
export function normalizeSource(
  { http, sql }: ManifestSource,
  names: readonly string[],
  databases: NonNullable<Manifest["databases"]>,
): SourceModel {
  if (http !== undefined) return normalizeHttp(http, names);
  if (sql !== undefined) return normalizeSql(sql, databases);
  throw new Error("unvalidated source");
}
