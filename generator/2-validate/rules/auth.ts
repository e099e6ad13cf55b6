import { CREDENTIALS, CREDENTIAL_KEYS, TOKEN_KEYS } from "../../credentials/index.js";
import {
  audienceForm,
  authWithoutNetwork,
  claimLikePath,
  insecureIssuer,
  issuerTwice,
  keysNowhere,
  missingResource,
  nothingToFilter,
  nothingToShow,
  refusedAlgorithm,
  sharedAnswers,
} from "../../model/catalogue/auth.js";
import { exposedSecret } from "../../model/catalogue/rules-text.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { networkTransport } from "../../model/transports.js";
import { quoted } from "../../text/value-words.js";
import {
  has,
  GUARDED_LISTS,
  itemsOf,
  listIn,
  mappingIn,
  mappingsIn,
  namesScopes,
  rootOf,
  textIn,
  type Mapping,
} from "../manifest-view.js";
import { issuerOf, presetProblems } from "./auth-presets.js";
import { fixedSettingProblems, literalUrlProblems } from "./fixed-settings.js";
import { credentialProblems, meantReference, variableIn, variableProblems } from "./variables.js";

const ALGORITHMS = /^(?:[RP]S(?:256|384|512)|ES(?:256|384|512)|EdDSA|Ed25519)$/;

/** Checks `auth`: the issuers of tokens, the API keys, and what else decides who may call. */
export function checkAuth(manifest: LoadedManifest): Diagnostic[] {
  const auth = mappingIn(rootOf(manifest), "auth");
  if (auth === undefined) return [];
  const issuers = mappingsIn(auth, "jwt");
  const sources = tokenSources(auth);
  return [
    ...missingPartProblems(manifest, auth, sources.length > 0),
    ...settingProblems(manifest, auth, sources),
    ...repeatedIssuers(manifest, issuers),
    ...issuers.flatMap((issuer) => presetProblems(manifest, issuer)),
    ...issuers.flatMap((issuer) => algorithmProblems(manifest, issuer)),
    ...settingsOf(sources, "secret").flatMap(([source, key]) =>
      secretProblems(manifest, source, key),
    ),
    ...keyProblems(manifest, auth),
    ...sources.flatMap((source) => audienceProblems(manifest, source)),
    ...sources.flatMap((source) => claimProblems(manifest, source)),
    ...filterProblems(manifest, auth),
  ];
}

/** What names an authorization server, with the settings of its kind. */
interface TokenSource extends Mapping {
  readonly settings: Readonly<Record<string, string>>;
}

function tokenSources(auth: Mapping): TokenSource[] {
  return TOKEN_KEYS.flatMap((key) => {
    const { isList, settings } = CREDENTIALS[key];
    const sources = isList ? mappingsIn(auth, key) : [mappingIn(auth, key) ?? []].flat();
    return sources.map((source) => ({ ...source, settings }));
  });
}

/** The settings of sources that hold URLs or secrets, by their names. */
function settingsOf(sources: readonly TokenSource[], content: "url" | "secret") {
  return sources.flatMap((source) =>
    Object.entries(source.settings)
      .filter(([, what]) => what === content)
      .map(([key]) => [source, key] as const),
  );
}

function missingPartProblems(
  manifest: LoadedManifest,
  auth: Mapping,
  hasTokens: boolean,
): Diagnostic[] {
  const place = manifest.locate(auth.path, "key");
  return [
    ...(CREDENTIAL_KEYS.some((key) => has(auth.value, key))
      ? []
      : [nothingToShow(place, { keys: CREDENTIAL_KEYS })]),
    ...(hasTokens && !has(auth.value, "resource") ? [missingResource(place, {})] : []),
    ...(hasNetworkTransport(manifest) ? [] : [authWithoutNetwork(place, {})]),
  ];
}

/** A path to a claim inside others, as `jq` and other languages write it: names with dots, or with slashes. */
const LIKE_PATH = /^(?:\$\.)?[A-Za-z_][\w-]*(?:(?:\.[A-Za-z_][\w-]*)+|(?:\/[A-Za-z_][\w-]*)+)$/;

/** Reports names of claims that look like paths. Names with a scheme or a colon are names. */
function claimProblems(manifest: LoadedManifest, source: Mapping): Diagnostic[] {
  const scopes = mappingIn(source, "scopes");
  const claim = scopes && textIn(scopes.value, "claim");
  const required = mappingIn(source, "require");
  const named = [
    ...(scopes === undefined || claim === undefined
      ? []
      : [{ name: claim, place: manifest.locate([...scopes.path, "claim"], "value") }]),
    ...(required === undefined ? [] : Object.keys(required.value)).map((name) => ({
      name,
      place: manifest.locate([...source.path, "require", name], "key"),
    })),
  ];
  return named
    .filter(({ name }) => LIKE_PATH.test(name))
    .map(({ name, place }) => {
      const pointer = `/${name.replace("$.", "").replaceAll(".", "/")}`;
      return claimLikePath(place, { found: quoted(name), pointer });
    });
}

/** Reports `lists: filter` if no item requires scopes. A manifest without items is unfinished and not reported. */
function filterProblems(manifest: LoadedManifest, { value, path }: Mapping): Diagnostic[] {
  const hasItems = GUARDED_LISTS.some((list) => itemsOf(manifest, list).length > 0);
  if (value["lists"] !== "filter" || namesScopes(manifest) || !hasItems) return [];
  return [nothingToFilter(manifest.locate([...path, "lists"], "value"), {})];
}

/** Reports caching hints that let caches share answers, although callers must authenticate. */
export function checkSharedAnswers(manifest: LoadedManifest): Diagnostic[] {
  const needsCallers = has(manifest.value, "auth") || namesScopes(manifest);
  if (!needsCallers || !hasNetworkTransport(manifest)) return [];
  const items = [...itemsOf(manifest, "resources"), ...itemsOf(manifest, "resourceTemplates")];
  return [rootOf(manifest), ...items].flatMap((mapping) => {
    const cache = mappingIn(mapping, "cache");
    if (cache?.value["cacheScope"] !== "public") return [];
    return [sharedAnswers(manifest.locate([...cache.path, "cacheScope"], "value"), {})];
  });
}

function hasNetworkTransport(manifest: LoadedManifest): boolean {
  return itemsOf(manifest, "transports").some(
    ({ value }) => networkTransport(textIn(value, "type")) !== undefined,
  );
}

/** Checks the URLs, and the variables of all settings that are not secret. */
function settingProblems(
  manifest: LoadedManifest,
  auth: Mapping,
  sources: readonly TokenSource[],
): Diagnostic[] {
  const urls = [...settingsOf(sources, "url"), [auth, "resource"] as const];
  const audiences = sources.flatMap(({ value, path }) =>
    listIn(value, "audience").map((entry, index) => [entry, [...path, "audience", index]] as const),
  );
  return [
    ...urls.flatMap(([{ value, path }, key]) =>
      referenceProblems(manifest, value[key], [...path, key]),
    ),
    ...sources.flatMap(({ value, path }) =>
      fixedSettingProblems(manifest, value["client"], [...path, "client"]),
    ),
    ...audiences.flatMap(([entry, path]) => referenceProblems(manifest, entry, path)),
    ...urls.flatMap(([holder, key]) => urlProblems(manifest, holder, key)),
  ];
}

function referenceProblems(
  manifest: LoadedManifest,
  setting: JsonValue | undefined,
  path: ManifestPath,
): Diagnostic[] {
  if (!isJsonObject(setting)) return [];
  return variableProblems(manifest, textIn(setting, "env"), [...path, "env"]);
}

function urlProblems(
  manifest: LoadedManifest,
  { value, path }: Mapping,
  key: string,
): Diagnostic[] {
  const text = textIn(value, key);
  if (text === undefined) return [];
  const at = [...path, key];
  const isFile = key === "jwks" && !/^[a-z][a-z0-9+.-]*:/i.test(text);
  if (isFile) return fixedSettingProblems(manifest, text, at);
  const literal = literalUrlProblems(manifest, text, at);
  if (literal.length > 0 || isTrustworthy(text)) return literal;
  const expected = "an https URL without a user, a password and a fragment, or one on localhost";
  const found = quoted(text);
  const parameters = { found, expected, ...meantReference(manifest, text) };
  return [insecureIssuer(manifest.locate(at, "value"), parameters)];
}

function isTrustworthy(text: string): boolean {
  if (/\s/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback);
  return isSafe && username + password + hash === "";
}

function repeatedIssuers(manifest: LoadedManifest, issuers: readonly Mapping[]): Diagnostic[] {
  const named = issuers.map(issuerOf);
  return issuers
    .filter((_issuer, index) => named[index] !== undefined && named.indexOf(named[index]) < index)
    .map(({ value, path }) => {
      const key = has(value, "issuer") ? "issuer" : "preset";
      return issuerTwice(manifest.locate([...path, key], "value"), {});
    });
}

function algorithmProblems(manifest: LoadedManifest, { value, path }: Mapping): Diagnostic[] {
  return listIn(value, "algorithms").flatMap((found, index) => {
    if (typeof found !== "string" || ALGORITHMS.test(found)) return [];
    const place = manifest.locate([...path, "algorithms", index], "value");
    return [refusedAlgorithm(place, { found: quoted(found), isSymmetric: /^HS\d/.test(found) })];
  });
}

/** Checks that the API keys are in a secret variable or in a file. */
function keyProblems(manifest: LoadedManifest, auth: Mapping): Diagnostic[] {
  const keys = mappingIn(auth, "apiKeys");
  if (keys === undefined) return [];
  const isFile = has(keys.value, "file");
  if (isFile === has(keys.value, "env")) {
    return [keysNowhere(manifest.locate(keys.path, "key"), { isTwice: isFile })];
  }
  return isFile
    ? fixedSettingProblems(manifest, keys.value["file"], [...keys.path, "file"])
    : secretProblems(manifest, auth, "apiKeys");
}

function secretProblems(
  manifest: LoadedManifest,
  { value, path }: Mapping,
  key: string,
): Diagnostic[] {
  const setting = value[key];
  if (typeof setting === "string") {
    const place = manifest.locate([...path, key], "value");
    const meant = meantReference(manifest, setting);
    const reason = "it stands in the manifest";
    return [exposedSecret(place, { what: quoted(key), reason, ...meant })];
  }
  if (!isJsonObject(setting)) return [];
  return credentialProblems(manifest, textIn(setting, "env"), [...path, key, "env"]);
}

function audienceProblems(manifest: LoadedManifest, { value, path }: Mapping): Diagnostic[] {
  return listIn(value, "audience").flatMap((found, index) => {
    if (typeof found !== "string") return [];
    const at = [...path, "audience", index];
    // An audience may be any text, so that only a declared variable is certainly not meant literally.
    const isLiteral = variableIn(manifest, found) !== undefined;
    const literal = isLiteral ? literalUrlProblems(manifest, found, at) : [];
    if (literal.length > 0 || URL.canParse(found)) return literal;
    const parameters = { found: quoted(found), ...meantReference(manifest, found) };
    return [audienceForm(manifest.locate(at, "value"), parameters)];
  });
}
