import {
  callerOfSqlite,
  callerWithoutAuth,
  reservedForCaller,
  textClaimType,
  undeclaredClaim,
} from "../../model/catalogue/acting.js";
import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import {
  CALLER_SUBJECT,
  callerPlaceholders,
  callerPlaceholdersIn,
  claimIn,
  isOfCaller,
  mentionsCaller,
} from "../../text/caller-placeholders.js";
import { quoted } from "../../text/value-words.js";
import { ownValue } from "../../schema/json-schema.js";
import { nearestName } from "../../text/nearest-name.js";
import type { SqlDialect } from "../../text/sql-tokens.js";
import { entriesIn, has, mappingIn, rootOf, textIn, type Mapping } from "../manifest-view.js";
import type { BodyItem } from "./body-item.js";

/**
 * Lets the placeholders of a body name what is known of the caller, beside the arguments of its item. A body need not
 * use it.
 */
export function withCaller<Item extends BodyItem>(manifest: LoadedManifest, item: Item): Item {
  if (!mentionsCaller(item.body.value)) return item;
  const auth = mappingIn(rootOf(manifest), "auth");
  const claims = (auth && mappingIn(auth, "claims")?.value) ?? {};
  const typeOf = (name: string): string | undefined => {
    if (name === CALLER_SUBJECT) return "string";
    const type = claims[claimIn(name) ?? ""];
    return typeof type === "string" ? type : undefined;
  };
  return {
    ...item,
    names: new Set([...item.names, ...callerPlaceholders(claims)]),
    needed: item.needed ?? item.names,
    isAlwaysPresent: (name) => isOfCaller(name) || item.isAlwaysPresent(name),
    typesOf: (name) => (isOfCaller(name) ? [typeOf(name) ?? []].flat() : item.typesOf(name)),
    schemaOf(name) {
      const type = isOfCaller(name) ? typeOf(name) : undefined;
      return type === undefined ? item.schemaOf(name) : { type };
    },
  };
}

/** Checks that a body can know its caller, and that no argument of its item has a name of what it knows. */
export function callerProblems(
  manifest: LoadedManifest,
  { item, body, names }: BodyItem,
): Diagnostic[] {
  const reserved = [...names].filter(isOfCaller);
  const place = manifest.locate(item.path, "value");
  if (reserved.length > 0) {
    return reserved.map((name) => reservedForCaller(place, { name: quoted(name) }));
  }
  const usesCaller = callerPlaceholdersIn(body.value).length > 0;
  if (!usesCaller || isJsonObject(manifest.value["auth"] ?? null)) return [];
  return [callerWithoutAuth(manifest.locate(body.path, "key"), {})];
}

/** Checks what a statement takes of its caller: that its database can use it, and that the claims are declared. */
export function statementCallerProblems(
  manifest: LoadedManifest,
  body: Mapping,
  dialect: SqlDialect,
): Diagnostic[] {
  const keys = ["role", "set"].filter((key) => has(body.value, key));
  const [key] = keys;
  if (key === undefined) return [];
  if (dialect === "sqlite") {
    return keys.map((key) => callerOfSqlite(manifest.locate([...body.path, key], "key"), { key }));
  }
  const auth = mappingIn(rootOf(manifest), "auth");
  if (auth === undefined)
    return [callerWithoutAuth(manifest.locate([...body.path, key], "key"), {})];
  const claims = mappingIn(auth, "claims")?.value ?? {};
  const role = mappingIn(body, "role");
  const settings = entriesIn(body, "set").map(([name, value, path]) => ({ name, value, path }));
  const takers = [
    ...(role === undefined ? [] : [role]),
    ...settings.flatMap(({ value, path }) => (isJsonObject(value) ? [{ value, path }] : [])),
  ];
  return takers.flatMap((taker) =>
    claimProblems(manifest, taker, claims, taker === role ? "a role" : undefined),
  );
}

/**
 * Checks a value that is taken of the caller: that it is one, and that its claim is declared.
 *
 * @param text what the value becomes, where that is a string only
 */
export function claimProblems(
  manifest: LoadedManifest,
  { value, path }: Mapping,
  claims: JsonObject,
  text?: "a role" | "a subject",
): Diagnostic[] {
  const claim = textIn(value, "claim");
  if (text !== "a role" && has(value, "caller") === has(value, "claim")) {
    const what = "a value of the caller";
    return [contentConflict(manifest.locate(path, "value"), { what, keys: ["caller", "claim"] })];
  }
  if (claim === undefined) return [];
  const place = manifest.locate([...path, "claim"], "value");
  const type = ownValue(claims, claim);
  if (type === undefined) {
    const nearest = nearestName(claim, Object.keys(claims));
    return [undeclaredClaim(place, { claim, ...(nearest !== undefined && { nearest }) })];
  }
  if (text === undefined || type === "string") return [];
  return [textClaimType(place, { what: text, claim, type: String(type) })];
}
