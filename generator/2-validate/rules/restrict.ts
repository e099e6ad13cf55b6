import {
  groupsOfNobody,
  itemsWithoutGroups,
  restrictingScopeNeeded,
  sameRestrictVariable,
} from "../../model/catalogue/rules-guards.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { JsonObject } from "../../model/json.js";
import { quoted } from "../../text/value-words.js";
import {
  GUARDED_LISTS,
  has,
  itemsOf,
  listIn,
  mappingIn,
  rootOf,
  textIn,
} from "../manifest-view.js";

/** Checks the groups of items, and the variables and scopes that restrict a server. */
export function checkRestrict(manifest: LoadedManifest): Diagnostic[] {
  return [
    ...checkVariables(manifest),
    ...checkScopes(manifest),
    ...checkUnusedGroups(manifest),
    ...checkUngrouped(manifest),
  ];
}

function restrictIn(manifest: LoadedManifest, key: "groups" | "readOnly") {
  const restrict = mappingIn(rootOf(manifest), "restrict");
  return restrict && mappingIn(restrict, key);
}

function itemsOfAll(manifest: LoadedManifest) {
  return GUARDED_LISTS.flatMap((list) => itemsOf(manifest, list));
}

function checkVariables(manifest: LoadedManifest): Diagnostic[] {
  const [groups, readOnly] = [restrictIn(manifest, "groups"), restrictIn(manifest, "readOnly")];
  const groupsVariable = (groups && textIn(groups.value, "env")) ?? "MCP_GROUPS";
  const name = (readOnly && textIn(readOnly.value, "env")) ?? "MCP_READ_ONLY";
  if (name !== groupsVariable) return [];
  const place = readOnly !== undefined && has(readOnly.value, "env") ? readOnly : groups;
  if (place === undefined) return [];
  return [sameRestrictVariable(manifest.locate([...place.path, "env"], "value"), { name })];
}

/**
 * Reports items that require a scope of `restrict`. Whoever has such a scope gets only a part of the items, and so the
 * item would be shown only to callers from whom others are hidden.
 */
function checkScopes(manifest: LoadedManifest): Diagnostic[] {
  const groups = restrictIn(manifest, "groups");
  const readOnly = restrictIn(manifest, "readOnly");
  const prefix = groups && textIn(groups.value, "scopePrefix");
  const readScope = readOnly && textIn(readOnly.value, "scope");
  const restricts = (scope: string): boolean =>
    scope === readScope || (prefix !== undefined && prefix !== "" && scope.startsWith(prefix));
  const places = itemsOfAll(manifest).flatMap(({ path, value }) =>
    listIn(value, "scopes").map((scope, index) => ({ scope, at: [...path, "scopes", index] })),
  );
  const needed = places.flatMap(({ scope, at }) =>
    typeof scope === "string" && restricts(scope)
      ? [restrictingScopeNeeded(manifest.locate(at, "value"), { scope: quoted(scope) })]
      : [],
  );
  if (readScope === undefined || prefix === undefined || !readScope.startsWith(prefix)) {
    return needed;
  }
  const at = manifest.locate([...(readOnly?.path ?? []), "scope"], "value");
  return [...needed, restrictingScopeNeeded(at, { scope: quoted(readScope) })];
}

function checkUnusedGroups(manifest: LoadedManifest): Diagnostic[] {
  const groups = restrictIn(manifest, "groups");
  if (groups === undefined || itemsOfAll(manifest).some(({ value }) => has(value, "groups"))) {
    return [];
  }
  return [groupsOfNobody(manifest.locate(groups.path, "key"), {})];
}

function checkUngrouped(manifest: LoadedManifest): Diagnostic[] {
  const items = itemsOfAll(manifest);
  const without = items.filter(({ value }) => !has(value, "groups"));
  const [first] = without;
  if (first === undefined || without.length === items.length) return [];
  const named = without.slice(0, 3).map(({ value }) => quoted(nameOf(value)));
  const key = has(first.value, "name") ? "name" : "root";
  const place = manifest.locate([...first.path, key], "value");
  return [itemsWithoutGroups(place, { named, found: without.length })];
}

/** The name of an item, or the root of a folder of skills. */
function nameOf(item: JsonObject): string {
  return textIn(item, "name") ?? textIn(item, "root") ?? "";
}
