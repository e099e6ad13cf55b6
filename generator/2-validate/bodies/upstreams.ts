import { RESERVED_HEADERS } from "../../../templates/runtime/upstreams/reserved-headers.js";
import {
  absentUrl,
  headerValue,
  reservedHeader,
  urlVariable,
} from "../../model/catalogue/bodies.js";
import { meaninglessKey } from "../../model/catalogue/mcp-bodies.js";
import { contentConflict, urlForm } from "../../model/catalogue/rules-resources.js";
import { exposedSecret } from "../../model/catalogue/rules-text.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { quoted } from "../../text/value-words.js";
import {
  entriesIn,
  has,
  listIn,
  mappingIn,
  rootOf,
  textIn,
  type Mapping,
} from "../manifest-view.js";
import { fixedSettingProblems, literalUrlProblems } from "../rules/fixed-settings.js";
import { holdsKnownSecret, isSecretName } from "../rules/secrets.js";
import {
  credentialProblems,
  meantReference,
  variableIn,
  variableProblems,
} from "../rules/variables.js";
import { meansOneOf } from "../unknown-keys.js";
import { fixedProgramProblems, shellWordProblems } from "./fixed-command.js";
import { TOKEN_GRANTS } from "../../model/bodies.js";
import { actingProblems } from "./acting-upstreams.js";
import { clientCertificates, tokenClientProblems } from "./token-client.js";
import { connectionProblems } from "./upstream-connection.js";

/** A setting of an upstream: a text, or a reference to a variable. */
interface SettingPlace {
  readonly value: JsonValue;
  readonly path: ManifestPath;
  readonly kind: "url" | "credential" | "text";
}

const AUTH_KINDS = ["bearer", "basic", "header", "query", "cookie", ...TOKEN_GRANTS];

/** Checks `upstreams`: their addresses, credentials, headers and connections. */
export function checkUpstreams(manifest: LoadedManifest): Diagnostic[] {
  return entriesIn(rootOf(manifest), "upstreams").flatMap(([, value, path]) => {
    if (!isJsonObject(value)) return [];
    const upstream = { path, value };
    return [
      ...kindProblems(manifest, upstream),
      ...authProblems(manifest, upstream),
      ...settingsOf(upstream).flatMap((setting) => settingProblems(manifest, setting)),
      ...["ca", "cert", "key"].flatMap((key) =>
        variableProblems(manifest, textIn(value, key), [...path, key]),
      ),
      ...headerProblems(manifest, upstream, (text) => variableIn(manifest, text) !== undefined),
      ...certificateVariables(manifest, upstream),
      ...commandProblems(manifest, mappingIn(upstream, "mcp")),
      ...connectionProblems(manifest, upstream),
      ...actingProblems(manifest, upstream),
      ...tokenClientProblems(manifest, upstream),
    ];
  });
}

/** Checks the variables with the certificates that are shown to token endpoints. */
function certificateVariables(manifest: LoadedManifest, upstream: Mapping): Diagnostic[] {
  return clientCertificates(upstream).flatMap(({ value, path }) =>
    ["cert", "key"].flatMap((key) =>
      variableProblems(manifest, textIn(value, key), [...path, key]),
    ),
  );
}

/** Keys that have no effect for some MCP servers: for all, for programs, and for servers at a URL. */
const REQUEST_KEYS = ["retries", "redirects"];
const HTTP_KEYS = ["auth", "headers", "concurrency", "private", "proxy", "ca", "cert", "key"];
const PROGRAM_KEYS = ["cwd", "env"];

/** Checks that an upstream is either a service over HTTP or an MCP server, which is a program or at a URL. */
function kindProblems(manifest: LoadedManifest, upstream: Mapping): Diagnostic[] {
  const mcp = mappingIn(upstream, "mcp");
  const hasOneKind = has(upstream.value, "baseUrl") !== has(upstream.value, "mcp");
  if (!hasOneKind) {
    const keys = ["baseUrl", "mcp"];
    return [contentConflict(manifest.locate(upstream.path, "key"), { what: "an upstream", keys })];
  }
  if (mcp === undefined) return [];
  const isProgram = has(mcp.value, "command");
  if (isProgram === has(mcp.value, "url")) {
    const parameters = { what: "an MCP server", keys: ["url", "command"] };
    return [contentConflict(manifest.locate(mcp.path, "key"), parameters)];
  }
  const what = isProgram ? "an MCP server that is a program" : "an MCP server at a URL";
  const meaningless = (holder: Mapping, keys: readonly string[]): Diagnostic[] =>
    keys
      .filter((key) => has(holder.value, key))
      .map((key) => meaninglessKey(manifest.locate([...holder.path, key], "key"), { key, what }));
  return [
    ...meaningless(upstream, isProgram ? [...REQUEST_KEYS, ...HTTP_KEYS] : REQUEST_KEYS),
    ...meaningless(mcp, isProgram ? [] : PROGRAM_KEYS),
  ];
}

function authProblems(manifest: LoadedManifest, upstream: Mapping): Diagnostic[] {
  const auth = mappingIn(upstream, "auth");
  if (auth === undefined) return [];
  const kinds = AUTH_KINDS.filter((kind) => has(auth.value, kind));
  if (kinds.length === 1) return authHeaderProblems(manifest, mappingIn(auth, "header"));
  if (kinds.length === 0 && meansOneOf(manifest, auth, AUTH_KINDS)) return [];
  const place = manifest.locate(auth.path, "key");
  return [contentConflict(place, { what: "auth", keys: AUTH_KINDS })];
}

function authHeaderProblems(manifest: LoadedManifest, header: Mapping | undefined): Diagnostic[] {
  const name = header && textIn(header.value, "name");
  if (header === undefined || name === undefined || !RESERVED_HEADERS.test(name)) return [];
  return [
    reservedHeader(manifest.locate([...header.path, "name"], "value"), { found: quoted(name) }),
  ];
}

function settingsOf(upstream: Mapping): SettingPlace[] {
  const settings: SettingPlace[] = [];
  const add = (from: Mapping | undefined, key: string, kind: SettingPlace["kind"]): void => {
    const value = from?.value[key];
    if (from !== undefined && value !== undefined) {
      settings.push({ value, path: [...from.path, key], kind });
    }
  };
  add(upstream, "baseUrl", "url");
  add(upstream, "proxy", "url");
  for (const [name, value, path] of entriesIn(upstream, "headers")) {
    // `headerProblems` reports credentials that are texts.
    const isCredential = isJsonObject(value) && isSecretHeader(name);
    settings.push({ value, path, kind: isCredential ? "credential" : "text" });
  }
  settings.push(...serverSettings(upstream));
  const auth = mappingIn(upstream, "auth");
  add(auth, "bearer", "credential");
  if (auth === undefined) return settings;
  const basic = mappingIn(auth, "basic");
  add(basic, "username", "text");
  add(basic, "password", "credential");
  for (const kind of ["header", "query", "cookie"])
    add(mappingIn(auth, kind), "value", "credential");
  for (const grant of TOKEN_GRANTS) {
    const client = mappingIn(auth, grant);
    add(client, "tokenUrl", "url");
    add(client, "clientId", "text");
    add(client, "clientSecret", "credential");
    add(client, "clientKey", "credential");
    add(client, "keyId", "text");
    add(client, "assertionAudience", "text");
    add(client, "authorizationUrl", "url");
    add(client, "issuer", "text");
    if (grant !== "jwtBearer") continue;
    add(client, "key", "credential");
    add(client, "audience", "text");
  }
  return settings;
}

/** The settings of an MCP server. */
function serverSettings(upstream: Mapping): SettingPlace[] {
  const mcp = mappingIn(upstream, "mcp");
  if (mcp === undefined) return [];
  const { value, path } = mcp;
  const command = listIn(value, "command").map((part, index): SettingPlace => {
    return { value: part, path: [...path, "command", index], kind: "text" };
  });
  const variables = entriesIn(mcp, "env").map(([name, setting, at]): SettingPlace => {
    return { value: setting, path: at, kind: isSecretName(name) ? "credential" : "text" };
  });
  const others = (["url", "cwd"] as const).flatMap((key): SettingPlace[] => {
    const setting = value[key];
    if (setting === undefined) return [];
    return [{ value: setting, path: [...path, key], kind: key === "url" ? "url" : "text" }];
  });
  return [...command, ...variables, ...others];
}

/** Checks the command of an MCP server, which no shell reads. `settingProblems` reports declared variables in it. */
function commandProblems(manifest: LoadedManifest, mcp: Mapping | undefined): Diagnostic[] {
  const items = listIn(mcp?.value ?? {}, "command").map((part, index) => {
    const text = typeof part === "string" ? part : "";
    const isFixed = typeof part === "string" && variableIn(manifest, part) === undefined;
    const path = [...(mcp?.path ?? []), "command", index];
    return { path, text, isFixed, isOne: true };
  });
  return [
    ...items.slice(0, 1).flatMap((program) => fixedProgramProblems(manifest, program)),
    ...shellWordProblems(manifest, items, true),
  ];
}

function settingProblems(
  manifest: LoadedManifest,
  { value, path, kind }: SettingPlace,
): Diagnostic[] {
  if (typeof value === "string") return textProblems(manifest, value, path, kind);
  if (!isJsonObject(value)) return [];
  const name = textIn(value, "env");
  const at = [...path, "env"];
  if (kind === "credential") return credentialProblems(manifest, name, at);
  const problems = variableProblems(manifest, name, at, kind === "url" ? kind : undefined);
  if (name === undefined || problems.length > 0 || kind !== "url") return problems;
  const variables = mappingIn(rootOf(manifest), "env");
  const variable = (variables && mappingIn(variables, name)?.value) ?? {};
  const place = manifest.locate(at, "value");
  if (variable["type"] !== "url") return [urlVariable(place, { name })];
  const isAlwaysSet = variable["required"] === true || has(variable, "default");
  return isAlwaysSet || path.at(-1) === OPTIONAL_URL ? [] : [absentUrl(place, { name })];
}

/** Without a value, requests go to their upstream directly. */
const OPTIONAL_URL = "proxy";

function textProblems(
  manifest: LoadedManifest,
  text: string,
  path: ManifestPath,
  kind: SettingPlace["kind"],
): Diagnostic[] {
  const place = manifest.locate(path, "value");
  if (kind === "credential") {
    const what = "the credential of an upstream";
    const meant = meantReference(manifest, text);
    const reason = "it stands in the manifest";
    return [exposedSecret(place, { what, reason, found: text, ...meant })];
  }
  if (kind !== "url") return fixedSettingProblems(manifest, text, path);
  const literal = literalUrlProblems(manifest, text, path);
  if (literal.length > 0 || isPlainUrl(text)) return literal;
  const expected = "an http or https URL without a user, a password and a fragment";
  return [urlForm(place, { found: quoted(text), expected, ...meantReference(manifest, text) })];
}

function isPlainUrl(text: string): boolean {
  if (/\s/.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + hash === "";
}

/** True if the name of a header says that it holds a credential. */
function isSecretHeader(name: string): boolean {
  return /^authorization$/i.test(name) || isSecretName(name.replaceAll("-", "_"));
}

/**
 * Checks the mapping under `headers`: reserved names, characters of values, and credentials that are texts.
 *
 * @param isFilledIn says whether a text has something that is no credential itself
 * @param isOfRequest whether they are those of one request, which takes no variables of the server
 */
export function headerProblems(
  manifest: LoadedManifest,
  holder: Mapping,
  isFilledIn: (text: string) => boolean,
  isOfRequest = false,
): Diagnostic[] {
  return entriesIn(holder, "headers").flatMap(([name, value, path]) => {
    if (RESERVED_HEADERS.test(name)) {
      return [reservedHeader(manifest.locate(path, "key"), { found: quoted(name) })];
    }
    if (typeof value !== "string") return [];
    const place = manifest.locate(path, "value");
    if (!/^[\u0020-\u007e\u00a0-\u00ff]*$/.test(value)) {
      return [headerValue(place, { name: quoted(name) })];
    }
    if (!isSecretHeader(name) || isFilledIn(value) || holdsKnownSecret(value)) return [];
    const reason = "it stands in the manifest";
    const meant = meantReference(manifest, value);
    const found = { what: `the value of ${quoted(name)}`, reason, ...meant };
    return [
      exposedSecret(place, isOfRequest ? { ...found, header: name } : { ...found, found: value }),
    ];
  });
}
