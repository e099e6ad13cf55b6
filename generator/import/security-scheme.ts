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

/** The settings of an upstream that authenticate the server, and the variables that they need. */
export interface Credentials {
  /** Names of the security schemes in the document. */
  readonly schemes: readonly string[];
  readonly auth?: JsonObject;
  /** The client certificate that the upstream gets. */
  readonly certificate?: JsonObject;
  readonly headers: JsonObject;
  /** The settings of environment variables, by their names. */
  readonly variables: ReadonlyMap<string, JsonObject>;
  /** Why there are no credentials although the API accepts some. */
  readonly leftOut?: NotImportable;
}

export const NO_CREDENTIALS: Credentials = { schemes: [], headers: {}, variables: new Map() };

/** A security scheme of a document. */
interface Scheme {
  readonly document: ApiDocument;
  readonly name: string;
  readonly definition: Located<JsonObject>;
  readonly scopes: unknown;
  /** The beginning of the names of variables. */
  readonly prefix: string;
}

/**
 * The credentials that a security scheme requires.
 *
 * @param scopes the scopes that the operation requires
 * @param prefix the beginning of the names of variables
 * @param path the path of the operation, for problems
 * @throws {NotImportable} if an upstream cannot send such credentials
 */
export function schemeCredentials(
  document: ApiDocument,
  name: string,
  scopes: unknown,
  prefix: string,
  path: Located["path"],
): Credentials {
  const definition = schemeNamed(document, name, path);
  const scheme = { document, name, definition, scopes, prefix };
  const type = textIn(definition.value, "type")?.toLowerCase();
  const httpScheme = textIn(definition.value, "scheme")?.toLowerCase();
  if (type === "basic" || (type === "http" && httpScheme === "basic")) return basicAuth(scheme);
  if (type === "mutualtls") return clientCertificate(scheme);
  if (type === "apikey") return apiKey(scheme);
  const grantCredentials = type === "oauth2" ? clientCredentials(scheme) : undefined;
  if (grantCredentials !== undefined) return grantCredentials;
  const isBearer =
    type === "oauth2" || type === "openidconnect" || (type === "http" && httpScheme === "bearer");
  if (!isBearer)
    throw new NotImportable(
      `needs ${name}, which is no kind of auth that an upstream has`,
      definition.path,
    );
  const [token, settings] = variable(scheme, "TOKEN", true);
  return withAuth(scheme, { bearer: { env: token } }, [token, settings]);
}

type Variable = readonly [name: string, settings: JsonObject];

/** An environment variable for a part of the credentials. */
function variable(
  { name, definition, prefix }: Scheme,
  suffix: string,
  isSecret: boolean,
): Variable {
  const description = firstLine(textIn(definition.value, "description"));
  return [
    variableName(prefix, name, suffix),
    {
      description: description ?? `${suffixWords[suffix] ?? "Credential"} of ${name}`,
      ...(isSecret && { secret: true }),
    },
  ];
}

function withAuth({ name }: Scheme, auth: JsonObject, ...variables: Variable[]): Credentials {
  return { ...NO_CREDENTIALS, schemes: [name], auth, variables: new Map(variables) };
}

function basicAuth(scheme: Scheme): Credentials {
  const user = variable(scheme, "USERNAME", false);
  const password = variable(scheme, "PASSWORD", true);
  const basic = { username: { env: user[0] }, password: { env: password[0] } };
  return withAuth(scheme, { basic }, user, password);
}

function clientCertificate(scheme: Scheme): Credentials {
  const [cert, key] = [variable(scheme, "CERT", false), variable(scheme, "CERT_KEY", false)];
  const certificate = { cert: cert[0], key: key[0] };
  return { ...NO_CREDENTIALS, certificate, variables: new Map([cert, key]) };
}

/** The words for a suffix in the description of a variable. */
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

/** The definition of a security scheme. @throws {NotImportable} if there is none */
function schemeNamed(
  document: ApiDocument,
  name: string,
  path: Located["path"],
): Located<JsonObject> {
  const containerPath =
    document.version === "2.0" ? ["securityDefinitions"] : ["components", "securitySchemes"];
  let at: Located<JsonObject> | undefined = { value: document.value, path: [] };
  for (const key of [...containerPath, name]) at = at && objectIn(document, at, key);
  if (at === undefined)
    throw new NotImportable(`needs ${name}, which the document does not describe`, path);
  return at;
}

function apiKey(scheme: Scheme): Credentials {
  const { value, path } = scheme.definition;
  const place = textIn(value, "in");
  const name = textIn(value, "name") ?? "";
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    throw new NotImportable("needs a key with a name that no request can have", path);
  const key = variable(scheme, "KEY", true);
  const credentials = { ...NO_CREDENTIALS, variables: new Map([key]) };
  if (place === "header") return { ...credentials, headers: { [name]: { env: key[0] } } };
  if (place !== "query" && place !== "cookie")
    throw new NotImportable("needs a key in no known place", path);
  return { ...credentials, auth: { [place]: { name, value: { env: key[0] } } } };
}

/** The OAuth grant for client credentials. Undefined if the scheme does not offer it. */
function clientCredentials(scheme: Scheme): Credentials | undefined {
  const { document, definition, scopes } = scheme;
  const flow =
    document.version === "2.0"
      ? textIn(definition.value, "flow") === "application"
        ? definition.value
        : undefined
      : entriesOf(ownValue(definition.value, "flows")).find(
          ([name]) => name === "clientCredentials",
        )?.[1];
  const tokenUrl = isJsonObject(flow) ? textIn(flow, "tokenUrl") : undefined;
  if (tokenUrl === undefined || !isWebAddress(tokenUrl)) return undefined;
  const id = variable(scheme, "CLIENT_ID", false);
  const secret = variable(scheme, "CLIENT_SECRET", true);
  const scope = Array.isArray(scopes) ? scopes.map(String).join(" ") : "";
  const auth: JsonObject = {
    clientCredentials: {
      tokenUrl,
      clientId: { env: id[0] },
      clientSecret: { env: secret[0] },
      ...(scope !== "" && { scope }),
    },
  };
  return { ...NO_CREDENTIALS, auth, variables: new Map([id, secret]) };
}

/** True for a URL with http or https that has no user name, password or fragment. */
export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${hash}` === "";
}

/** The name of a variable: the prefix `SHOP`, the scheme `apiKey` and the suffix `KEY` give `SHOP_API_KEY`. */
export function variableName(prefix: string, scheme: string, suffix: string): string {
  const words = upperWords(scheme)
    .replace(/(?:^|_)(?:O_?AUTH_?2?|AUTH|SCHEME|SECURITY)$/, "")
    .replace(new RegExp(`(?:^|_)${suffix}$`), "");
  const isRepeated = words === "" || `_${prefix}_`.includes(`_${words}_`);
  return [prefix, ...(isRepeated ? [] : [words]), suffix].join("_");
}

/** A name as the name of a variable: `petstoreAuth` becomes `PETSTORE_AUTH`. */
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
