import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { expandedIssuer } from "../model/auth-presets.js";
import type { ManifestJwtIssuer } from "../model/manifest.js";
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
import { mappingOf, onlyIn, textsOf } from "./manifest-items.js";
import { missingPlace, placeAt } from "./places.js";

const PLACE = placeAt("auth");

const DEFAULT_ALGORITHMS = ["ES256", "RS256"];

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

/** Names the credentials that one `auth` accepts and another does not. */
function acceptedOnlyBy(one: JsonObject, other: JsonObject): string[] {
  const others = issuersOf(other);
  return [
    ...onlyIn(credentialKindsOf(one), credentialKindsOf(other)),
    ...[...issuersOf(one)].flatMap(([issuer, settings]) => {
      const otherSettings = others.get(issuer);
      if (otherSettings === undefined) return [`tokens of ${issuer}`];
      return tokensOnlyOf(issuer, settings, otherSettings);
    }),
  ];
}

/** Names what an `auth` accepts besides the tokens of its issuers. */
function credentialKindsOf(auth: JsonObject): string[] {
  const url = ownValue(mappingOf(auth, "introspection"), "url");
  return [
    ...(Object.hasOwn(auth, "apiKeys") ? ["API keys"] : []),
    ...(url === undefined ? [] : [`tokens that ${settingInWords(url)} knows`]),
    ...textsOf(auth, "public").map((method) => `requests for ${method} without credentials`),
  ];
}

function issuersOf(auth: JsonObject): Map<string, JsonObject> {
  const issuers = ownValue(auth, "jwt");
  const all = (Array.isArray(issuers) ? issuers : [])
    .filter(isJsonObject)
    .map((settings) => ({ ...expandedIssuer(settings as ManifestJwtIssuer) }) as JsonObject);
  return new Map(all.map((settings) => [settingInWords(ownValue(settings, "issuer")), settings]));
}

/** Names the tokens of an issuer that one `auth` accepts and another does not, where both name the issuer. */
function tokensOnlyOf(issuer: string, one: JsonObject, other: JsonObject): string[] {
  const isStrict = (settings: JsonObject): boolean => ownValue(settings, "strict") === true;
  return [
    ...onlyIn(algorithmsOf(one), algorithmsOf(other)).map(
      (algorithm) => `${algorithm} tokens of ${issuer}`,
    ),
    ...onlyIn(audiencesOf(one), audiencesOf(other)).map(
      (audience) => `tokens of ${issuer} for ${audience}`,
    ),
    ...onlyIn(requiredClaimsOf(other), requiredClaimsOf(one)).map(
      (claim) => `tokens of ${issuer} without ${claim}`,
    ),
    ...(isStrict(other) && !isStrict(one) ? [`tokens of ${issuer} without the type at+jwt`] : []),
  ];
}

function algorithmsOf(settings: JsonObject): string[] {
  return Object.hasOwn(settings, "algorithms")
    ? textsOf(settings, "algorithms")
    : DEFAULT_ALGORITHMS;
}

function audiencesOf(settings: JsonObject): string[] {
  const audience = ownValue(settings, "audience");
  return Array.isArray(audience) ? audience.map(settingInWords) : ["the resource"];
}

function requiredClaimsOf(settings: JsonObject): string[] {
  return Object.entries(mappingOf(settings, "require")).map(
    ([claim, value]) => `${claim} ${settingInWords(value)}`,
  );
}

/** The text of a setting, or the name of the environment variable that holds it: `$API_URL`. */
function settingInWords(setting: JsonValue | undefined): string {
  return isJsonObject(setting) ? `$${String(setting["env"])}` : String(setting);
}
