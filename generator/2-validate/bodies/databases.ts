import { urlForm } from "../../model/catalogue/rules-resources.js";
import { exposedSecret } from "../../model/catalogue/rules-text.js";
import { databasePlace, nodeForSqlite, unknownDatabase } from "../../model/catalogue/sql-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { nearestName } from "../../text/nearest-name.js";
import { quoted } from "../../text/value-words.js";
import {
  entriesIn,
  has,
  isNoMapping,
  itemsOf,
  mappingsIn,
  rootOf,
  textIn,
} from "../manifest-view.js";
import { fixedSettingProblems, literalUrlProblems } from "../rules/fixed-settings.js";
import { credentialProblems, meantReference, variableProblems } from "../rules/variables.js";

/** The key that says where a database of each type is. */
const LOCATION_KEYS = { postgres: "url", sqlite: "file" } as const;

/** Checks `databases`: the URL or the file of each. */
export function checkDatabases(manifest: LoadedManifest): Diagnostic[] {
  return entriesIn(rootOf(manifest), "databases").flatMap(([, value, path]) => {
    const type = isJsonObject(value) ? textIn(value, "type") : undefined;
    if (!isJsonObject(value) || (type !== "postgres" && type !== "sqlite")) return [];
    const key = LOCATION_KEYS[type];
    const hasOneLocation = has(value, key) && !(has(value, "url") && has(value, "file"));
    if (!hasOneLocation)
      return [databasePlace(manifest.locate([...path, "type"], "value"), { type, key })];
    const sqliteNotes =
      type === "sqlite" ? [nodeForSqlite(manifest.locate([...path, "type"], "value"), {})] : [];
    return [...sqliteNotes, ...locationProblems(manifest, value, [...path, key])];
  });
}

function locationProblems(
  manifest: LoadedManifest,
  database: JsonObject,
  path: ManifestPath,
): Diagnostic[] {
  const value = database[String(path.at(-1))];
  const isPostgres = path.at(-1) === "url";
  if (typeof value === "string") {
    if (!isPostgres) return fixedSettingProblems(manifest, value, path);
    const literal = literalUrlProblems(manifest, value, path);
    if (literal.length > 0) return literal;
    const at = manifest.locate(path, "value");
    if (!URL.canParse(value)) {
      const meant = meantReference(manifest, value);
      return [urlForm(at, { found: quoted(value), expected: "a postgres:// URL", ...meant })];
    }
    if (new URL(value).password === "") return [];
    const what = "the password of a database";
    const reason = "it stands in the manifest; write { env: NAME }, and the URL into the variable";
    return [exposedSecret(at, { what, reason })];
  }
  const name = isJsonObject(value ?? null) ? textIn(value as JsonObject, "env") : undefined;
  const check = isPostgres ? credentialProblems : variableProblems;
  return check(manifest, name, [...path, "env"]);
}

/** Checks that the databases of examples are declared. */
export function checkDatabaseExamples(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "tools").flatMap((tool) =>
    mappingsIn(tool, "examples").flatMap(({ value, path }) =>
      databaseProblems(manifest, textIn(value, "database"), [...path, "database"]),
    ),
  );
}

/** Reports the name of a database that is not declared. */
export function databaseProblems(
  manifest: LoadedManifest,
  found: string | undefined,
  path: ManifestPath,
): Diagnostic[] {
  const declared = entriesIn(rootOf(manifest), "databases").map(([name]) => name);
  if (found === undefined || declared.includes(found)) return [];
  if (isNoMapping(manifest.value, "databases")) return [];
  const nearest = nearestName(found, declared);
  const parameters = { found: quoted(found), ...(nearest !== undefined && { nearest }) };
  return [unknownDatabase(manifest.locate(path, "value"), parameters)];
}
