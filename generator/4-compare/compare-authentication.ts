import { CREDENTIALS, credentialsIn, TRIED_KEYS } from "../credentials/index.js";
import { settingInWords } from "../credentials/settings.js";
import type { CredentialModel } from "../model/auth.js";
import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import {
  callersUnknown,
  credentialAccepted,
  credentialRefused,
  initialScopesChanged,
  listsFiltered,
  listsShownWhole,
  resourceUrlChanged,
} from "./catalogue/authentication.js";
import { mappingOf, onlyIn, textsOf } from "./manifest-items.js";
import { missingPlace, placeAt } from "../model/change-places.js";

const PLACE = placeAt("auth");

/** The changes of which credentials the server accepts over the network, and what it shows to callers. */
export function compareAuthentication(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [had, has] = [before, after].map((manifest) => Object.hasOwn(manifest, "auth"));
  if (!had && !has) return [];
  if (!has) return [callersUnknown(missingPlace("auth"), {})];
  if (!had) return [credentialRefused(PLACE, { credentials: "requests without credentials" })];
  const [was, is] = [mappingOf(before, "auth"), mappingOf(after, "auth")];
  return [
    ...compareResource(was, is),
    ...compareLists(was, is),
    ...compareInitialScopes(was, is),
    ...acceptedOnlyBy(was, is).map((credentials) => credentialRefused(PLACE, { credentials })),
    ...acceptedOnlyBy(is, was).map((credentials) => credentialAccepted(PLACE, { credentials })),
  ];
}

function compareResource(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [before, after].map((auth) => ownValue(auth, "resource"));
  if (was === undefined || is === undefined) return [];
  const [former, present] = [settingInWords(was), settingInWords(is)];
  if (former === present) return [];
  return [resourceUrlChanged(placeAt("auth", "resource"), { before: former, after: present })];
}

function compareLists(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [wasFiltered, isFiltered] = [before, after].map(
    (auth) => ownValue(auth, "lists") === "filter",
  );
  if (wasFiltered === isFiltered) return [];
  return [(isFiltered ? listsFiltered : listsShownWhole)(placeAt("auth", "lists"), {})];
}

function compareInitialScopes(was: JsonObject, is: JsonObject): SemanticChange[] {
  const [before = "", after = ""] = [was, is].map((auth) => {
    const scopes = textsOf(auth, "initialScopes").sort();
    return scopes.length === 0 ? "the scopes of all items" : scopes.join(" ");
  });
  if (before === after) return [];
  return [initialScopesChanged(placeAt("auth", "initialScopes"), { before, after })];
}

/** Names what one `auth` accepts and another does not: what it has once, requests without credentials, then lists. */
function acceptedOnlyBy(one: JsonObject, other: JsonObject): string[] {
  const ofKinds = (isList: boolean): string[] =>
    TRIED_KEYS.filter((kind) => CREDENTIALS[kind].isList === isList).flatMap((kind) =>
      ofKindOnlyIn(one, other, kind),
    );
  const openMethods = onlyIn(textsOf(one, "public"), textsOf(other, "public"));
  return [
    ...ofKinds(false),
    ...openMethods.map((method) => `requests for ${method} without credentials`),
    ...ofKinds(true),
  ];
}

function ofKindOnlyIn(one: JsonObject, other: JsonObject, kind: CredentialModel["kind"]): string[] {
  const definition = CREDENTIALS[kind];
  const named = (auth: JsonObject): Map<string, object> =>
    new Map(credentialsIn(auth, kind).map((given) => [definition.accepted(given), given]));
  const others = named(other);
  return [...named(one)].flatMap(([words, given]) => {
    const same = others.get(words);
    return same === undefined ? words : (definition.acceptedOnlyBy?.(given, same) ?? []);
  });
}
