import { isJsonObject, type JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  entriesOf,
  NotImportable,
  objectIn,
  textIn,
  type ApiDocument,
  type Located,
} from "./api-document.js";
import type { Operation } from "./operations.js";

/** A way to prove who the server is: what of an upstream's settings it becomes, and its variables. */
export interface Credentials {
  /** Names of the schemes in the document. */
  readonly schemes: readonly string[];
  readonly auth?: JsonObject;
  /** The certificate that the upstream is shown. */
  readonly certificate?: JsonObject;
  readonly headers: JsonObject;
  /** Variables, by name, with what they hold. */
  readonly variables: ReadonlyMap<string, JsonObject>;
  /** Why callers are not known although they could be. */
  readonly leftOut?: NotImportable;
}

const NONE: Credentials = { schemes: [], headers: {}, variables: new Map() };

/**
 * What an operation asks of its callers, the first alternative that an upstream can say.
 *
 * @param prefix what names of variables begin with
 * @throws {NotImportable} where no alternative can be said
 */
export function credentialsOf(
  document: ApiDocument,
  operation: Operation,
  prefix: string,
): Credentials {
  const said = ownValue(operation.value, "security") ?? ownValue(document.value, "security");
  const alternatives = Array.isArray(said) ? said.filter(isJsonObject) : [];
  const isFree = alternatives.some((one) => Object.keys(one).length === 0);
  let problem: NotImportable | undefined;
  for (const alternative of alternatives.filter((one) => Object.keys(one).length > 0)) {
    try {
      return joined(document, alternative, prefix, operation.path);
    } catch (error) {
      if (!(error instanceof NotImportable)) throw error;
      problem ??= error;
    }
  }
  if (problem !== undefined && !isFree) throw problem;
  return problem === undefined ? NONE : { ...NONE, leftOut: problem };
}

/** The parameters that credentials fill, as place and name in small letters: `query key`. */
export function placesOf({ auth = {}, headers }: Credentials): Set<string> {
  const named = ["query", "cookie"].flatMap((place) => {
    const { [place]: credential } = auth;
    const name = isJsonObject(credential) ? textIn(credential, "name") : undefined;
    return name === undefined ? [] : [`${place} ${name}`];
  });
  const isInHeader = ["bearer", "basic", "clientCredentials"].some((kind) => kind in auth);
  const inHeaders = [...Object.keys(headers), ...(isInHeader ? ["Authorization"] : [])];
  const all = [...named, ...inHeaders.map((name) => `header ${name}`)];
  return new Set(all.map((place) => place.toLowerCase()));
}

function joined(
  document: ApiDocument,
  alternative: JsonObject,
  prefix: string,
  path: Located["path"],
): Credentials {
  const names = Object.keys(alternative).sort();
  const parts = names.map((name) => credential(document, name, alternative[name], prefix, path));
  const needed = besideEachOther(withoutSameHeader(parts), prefix);
  const { certificate } = needed.find((part) => part.certificate !== undefined) ?? {};
  const [auth, second] = needed.flatMap((part) => (part.auth === undefined ? [] : [part.auth]));
  if (second !== undefined) {
    throw new NotImportable(
      `needs ${names.join(" and ")} at once, and an upstream has one auth beside its headers`,
      path,
    );
  }
  return {
    schemes: names,
    ...(auth !== undefined && { auth }),
    ...(certificate !== undefined && { certificate }),
    headers: Object.assign({}, ...needed.map(({ headers }) => headers)),
    variables: new Map(needed.flatMap(({ variables }) => [...variables])),
  };
}

/** What several schemes put into `Authorization` can be one value only: the one of which most is known. */
function withoutSameHeader(parts: readonly Credentials[]): Credentials[] {
  const has = (kind: string) => parts.find(({ auth = {} }) => kind in auth);
  const token = has("clientCredentials") ?? has("bearer");
  const isOther = (part: Credentials): boolean => isToken(part) && part !== token;
  const isKey = ({ headers }: Credentials): boolean =>
    Object.keys(headers).some((name) => /^authorization$/i.test(name));
  const isSaid = token !== undefined || has("basic") !== undefined;
  return parts.filter((part) => !isOther(part) && !(isSaid && isKey(part)));
}

const isToken = ({ auth = {} }: Credentials): boolean =>
  "bearer" in auth || "clientCredentials" in auth;

/** Where an upstream's auth is in the query or a cookie, a token or a password stands among its headers, as a whole. */
function besideEachOther(parts: readonly Credentials[], prefix: string): Credentials[] {
  const isPlaced = ({ auth = {} }: Credentials): boolean => "query" in auth || "cookie" in auth;
  const isWhole = ({ auth = {} }: Credentials): boolean => "bearer" in auth || "basic" in auth;
  const whole = parts.filter(isWhole);
  if (whole.length !== 1 || !parts.some(isPlaced)) return [...parts];
  return parts.map((part) => (isWhole(part) ? asHeader(part, prefix) : part));
}

function asHeader({ schemes: [name = ""], auth = {} }: Credentials, prefix: string): Credentials {
  const variable = variableName(prefix, name, "AUTHORIZATION");
  const value =
    "bearer" in auth ? '"Bearer" and the token' : '"Basic" and the base64 of user:password';
  const settings = { description: `The whole header Authorization: ${value}`, secret: true };
  return {
    schemes: [name],
    headers: { Authorization: { env: variable } },
    variables: new Map([[variable, settings]]),
  };
}

function credential(
  document: ApiDocument,
  name: string,
  scopes: unknown,
  prefix: string,
  path: Located["path"],
): Credentials {
  const scheme = schemeNamed(document, name, path);
  const description = textIn(scheme.value, "description");
  const variable = (suffix: string, isSecret: boolean): [string, JsonObject] => [
    variableName(prefix, name, suffix),
    {
      description: firstLine(description) ?? `${suffixWords[suffix] ?? "Credential"} of ${name}`,
      ...(isSecret && { secret: true }),
    },
  ];
  const made = (auth: JsonObject, ...variables: [string, JsonObject][]): Credentials => ({
    ...NONE,
    schemes: [name],
    auth,
    variables: new Map(variables),
  });
  const type = textIn(scheme.value, "type")?.toLowerCase();
  const kind = textIn(scheme.value, "scheme")?.toLowerCase();
  if (type === "basic" || (type === "http" && kind === "basic")) {
    const user = variable("USERNAME", false);
    const password = variable("PASSWORD", true);
    return made(
      { basic: { username: { env: user[0] }, password: { env: password[0] } } },
      user,
      password,
    );
  }
  if (type === "mutualtls") {
    const [cert, key] = [variable("CERT", false), variable("CERT_KEY", false)];
    const certificate = { cert: cert[0], key: key[0] };
    return { ...NONE, certificate, variables: new Map([cert, key]) };
  }
  if (type === "apikey") return apiKey(scheme, variable("KEY", true));
  if (type === "oauth2") {
    const grant = clientCredentials(document, scheme, scopes, variable);
    if (grant !== undefined) return grant;
  }
  const isBearer =
    type === "oauth2" || type === "openidconnect" || (type === "http" && kind === "bearer");
  if (!isBearer)
    throw new NotImportable(
      `needs ${name}, which is no kind of auth that an upstream has`,
      scheme.path,
    );
  const token = variable("TOKEN", true);
  return made({ bearer: { env: token[0] } }, token);
}

const suffixWords: Readonly<Record<string, string>> = {
  USERNAME: "User",
  PASSWORD: "Password",
  KEY: "Key",
  TOKEN: "Token",
  CERT: "Path of a PEM file with the certificate",
  CERT_KEY: "Path of a PEM file with the key of the certificate",
  CLIENT_ID: "Client id",
  CLIENT_SECRET: "Client secret",
};

function schemeNamed(
  document: ApiDocument,
  name: string,
  path: Located["path"],
): Located<JsonObject> {
  const holder =
    document.version === "2.0" ? ["securityDefinitions"] : ["components", "securitySchemes"];
  let at: Located<JsonObject> | undefined = { value: document.value, path: [] };
  for (const key of [...holder, name]) at = at && objectIn(document, at, key);
  if (at === undefined)
    throw new NotImportable(`needs ${name}, which the document does not describe`, path);
  return at;
}

function apiKey({ value, path }: Located<JsonObject>, variable: [string, JsonObject]): Credentials {
  const place = textIn(value, "in");
  const name = textIn(value, "name") ?? "";
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    throw new NotImportable("needs a key with a name that no request can have", path);
  const variables = new Map([variable]);
  if (place === "header") return { ...NONE, headers: { [name]: { env: variable[0] } }, variables };
  if (place !== "query" && place !== "cookie")
    throw new NotImportable("needs a key in no known place", path);
  return { ...NONE, auth: { [place]: { name, value: { env: variable[0] } } }, variables };
}

function clientCredentials(
  document: ApiDocument,
  { value }: Located<JsonObject>,
  scopes: unknown,
  variable: (suffix: string, isSecret: boolean) => [string, JsonObject],
): Credentials | undefined {
  const flows = ownValue(value, "flows");
  const flow =
    document.version === "2.0"
      ? textIn(value, "flow") === "application"
        ? value
        : undefined
      : entriesOf(flows).find(([name]) => name === "clientCredentials")?.[1];
  const tokenUrl = isJsonObject(flow) ? textIn(flow, "tokenUrl") : undefined;
  if (tokenUrl === undefined || !isWebAddress(tokenUrl)) return undefined;
  const id = variable("CLIENT_ID", false);
  const secret = variable("CLIENT_SECRET", true);
  const scope = Array.isArray(scopes) ? scopes.map(String).join(" ") : "";
  const auth: JsonObject = {
    clientCredentials: {
      tokenUrl,
      clientId: { env: id[0] },
      clientSecret: { env: secret[0] },
      ...(scope !== "" && { scope }),
    },
  };
  return { ...NONE, auth, variables: new Map([id, secret]) };
}

export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${hash}` === "";
}

/** `SHOP`, `apiKey` and `KEY` make `SHOP_API_KEY`. */
function variableName(prefix: string, scheme: string, suffix: string): string {
  const words = upperWords(scheme)
    .replace(/(?:^|_)(?:O_?AUTH_?2?|AUTH|SCHEME|SECURITY)$/, "")
    .replace(new RegExp(`(?:^|_)${suffix}$`), "");
  const isSaid = words === "" || `_${prefix}_`.includes(`_${words}_`);
  return [prefix, ...(isSaid ? [] : [words]), suffix].join("_");
}

/** `petstoreAuth` → `PETSTORE_AUTH` */
export function upperWords(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase()
    .slice(0, 60);
}

function firstLine(text: string | undefined): string | undefined {
  const line = text
    ?.split("\n")[0]
    ?.replace(/<[^<>]*>/g, "")
    .trim();
  return line === undefined || line === "" ? undefined : line.slice(0, 120);
}
