import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import {
  callersUnknown,
  credentialAccepted,
  credentialRefused,
  listsFiltered,
  listsShownWhole,
  resourceUrlChanged,
} from "./catalogue/authentication.js";
import { mappingOf, textsOf } from "./manifest-items.js";
import type { ChangePlace } from "./rule.js";

const PLACE: ChangePlace = { at: ["auth"], name: ["auth"] };

const USUAL_ALGORITHMS = ["ES256", "RS256"];

/** What changes in how callers over the network show who they are. */
export function compareAuthentication(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [had, has] = [before, after].map((manifest) => Object.hasOwn(manifest, "auth"));
  if (!had && !has) return [];
  if (!has) return [callersUnknown({ at: [], name: ["auth"] }, {})];
  if (!had) return [credentialRefused(PLACE, { what: "requests without credentials" })];
  const [was, is] = [mappingOf(before, "auth"), mappingOf(after, "auth")];
  return [
    ...compareResource(was, is),
    ...compareLists(was, is),
    ...acceptedOnlyBy(was, is).map((what) => credentialRefused(PLACE, { what })),
    ...acceptedOnlyBy(is, was).map((what) => credentialAccepted(PLACE, { what })),
  ];
}

function compareResource(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [before, after].map((auth) => ownValue(auth, "resource"));
  if (was === undefined || is === undefined || written(was) === written(is)) return [];
  const place = { at: ["auth", "resource"], name: ["auth", "resource"] };
  return [resourceUrlChanged(place, { before: written(was), after: written(is) })];
}

function compareLists(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [wasFiltered, isFiltered] = [before, after].map(
    (auth) => ownValue(auth, "lists") === "filter",
  );
  if (wasFiltered === isFiltered) return [];
  const place = { at: ["auth", "lists"], name: ["auth", "lists"] };
  return [(isFiltered ? listsFiltered : listsShownWhole)(place, {})];
}

/** The credentials, in words, that one `auth` accepts and another does not. */
function acceptedOnlyBy(one: JsonObject, other: JsonObject): string[] {
  const others = issuersOf(other);
  return [
    ...onlyIn(kindsOf(one), kindsOf(other)),
    ...[...issuersOf(one)].flatMap(([issuer, settings]) => {
      const otherSettings = others.get(issuer);
      if (otherSettings === undefined) return [`tokens of ${issuer}`];
      return tokensOnlyOf(issuer, settings, otherSettings);
    }),
  ];
}

function kindsOf(auth: JsonObject): string[] {
  const url = ownValue(mappingOf(auth, "introspection"), "url");
  return [
    ...(Object.hasOwn(auth, "apiKeys") ? ["API keys"] : []),
    ...(url === undefined ? [] : [`tokens that ${written(url)} knows`]),
    ...textsOf(auth, "public").map((method) => `requests for ${method} without credentials`),
  ];
}

function issuersOf(auth: JsonObject): Map<string, JsonObject> {
  const issuers = ownValue(auth, "jwt");
  const all = (Array.isArray(issuers) ? issuers : []).filter(isJsonObject);
  return new Map(all.map((settings) => [written(ownValue(settings, "issuer")), settings]));
}

/** The same of an issuer that both name. */
function tokensOnlyOf(issuer: string, one: JsonObject, other: JsonObject): string[] {
  const isStrict = (settings: JsonObject): boolean => ownValue(settings, "strict") === true;
  return [
    ...onlyIn(algorithmsOf(one), algorithmsOf(other)).map(
      (algorithm) => `${algorithm} tokens of ${issuer}`,
    ),
    ...onlyIn(audiencesOf(one), audiencesOf(other)).map(
      (audience) => `tokens of ${issuer} for ${audience}`,
    ),
    ...onlyIn(requiredIn(other), requiredIn(one)).map(
      (claim) => `tokens of ${issuer} without ${claim}`,
    ),
    ...(isStrict(other) && !isStrict(one) ? [`tokens of ${issuer} without the type at+jwt`] : []),
  ];
}

function algorithmsOf(settings: JsonObject): string[] {
  return Object.hasOwn(settings, "algorithms") ? textsOf(settings, "algorithms") : USUAL_ALGORITHMS;
}

function audiencesOf(settings: JsonObject): string[] {
  const audience = ownValue(settings, "audience");
  return Array.isArray(audience) ? audience.map(written) : ["the resource"];
}

function requiredIn(settings: JsonObject): string[] {
  return Object.entries(mappingOf(settings, "require")).map(
    ([claim, value]) => `${claim} ${written(value)}`,
  );
}

/** A setting in words: its text, or the variable that holds it. */
function written(setting: JsonValue | undefined): string {
  return isJsonObject(setting) ? `$${String(setting["env"])}` : String(setting);
}

function onlyIn(some: readonly string[], others: readonly string[]): string[] {
  return some.filter((one) => !others.includes(one));
}
