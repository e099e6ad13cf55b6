import { callerWithoutAuth, reservedForCaller } from "../../model/catalogue/acting.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
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
import { mappingIn, rootOf } from "../manifest-view.js";
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
