import { isJsonObject, type JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { NotImportable, textIn, type ApiDocument, type Located } from "./api-document.js";
import type { Operation } from "./operations.js";
import {
  NO_CREDENTIALS,
  schemeCredentials,
  variableName,
  type Credentials,
} from "./security-scheme.js";

/**
 * The credentials that an operation requires: the first alternative that an upstream supports.
 *
 * @param prefix the beginning of the names of variables
 * @throws {NotImportable} if an upstream supports no alternative
 */
export function credentialsOf(
  document: ApiDocument,
  operation: Operation,
  prefix: string,
): Credentials {
  const security = ownValue(operation.value, "security") ?? ownValue(document.value, "security");
  const alternatives = Array.isArray(security) ? security.filter(isJsonObject) : [];
  const isEmpty = (alternative: JsonObject): boolean => Object.keys(alternative).length === 0;
  const isOptional = alternatives.some(isEmpty);
  let problem: NotImportable | undefined;
  for (const alternative of alternatives.filter((entry) => !isEmpty(entry))) {
    try {
      return combinedCredentials(document, alternative, prefix, operation.path);
    } catch (error) {
      if (!(error instanceof NotImportable)) throw error;
      problem ??= error;
    }
  }
  if (problem !== undefined && !isOptional) throw problem;
  return problem === undefined ? NO_CREDENTIALS : { ...NO_CREDENTIALS, leftOut: problem };
}

/** The parameters that credentials fill, as place and name in lower case: `query key`. */
export function filledParameters({ auth = {}, headers }: Credentials): Set<string> {
  const keyParameters = ["query", "cookie"].flatMap((place) => {
    const { [place]: credential } = auth;
    const name = isJsonObject(credential) ? textIn(credential, "name") : undefined;
    return name === undefined ? [] : [`${place} ${name}`];
  });
  const isInHeader = ["bearer", "basic", "clientCredentials"].some((kind) => kind in auth);
  const headerNames = [...Object.keys(headers), ...(isInHeader ? ["Authorization"] : [])];
  const parameterNames = [...keyParameters, ...headerNames.map((name) => `header ${name}`)];
  return new Set(parameterNames.map((place) => place.toLowerCase()));
}

/** The credentials of an alternative, which requires all of its schemes together. */
function combinedCredentials(
  document: ApiDocument,
  alternative: JsonObject,
  prefix: string,
  path: Located["path"],
): Credentials {
  const names = Object.keys(alternative).sort();
  const parts = names.map((name) =>
    schemeCredentials(document, name, alternative[name], prefix, path),
  );
  const required = withTokenAsHeader(withoutSameHeader(parts), prefix);
  const { certificate } = required.find((part) => part.certificate !== undefined) ?? {};
  const [auth, secondAuth] = required.flatMap((part) =>
    part.auth === undefined ? [] : [part.auth],
  );
  if (secondAuth !== undefined) {
    throw new NotImportable(
      `needs ${names.join(" and ")} at once, and an upstream has one auth beside its headers`,
      path,
    );
  }
  return {
    schemes: names,
    ...(auth !== undefined && { auth }),
    ...(certificate !== undefined && { certificate }),
    headers: Object.assign({}, ...required.map(({ headers }) => headers)),
    variables: new Map(required.flatMap(({ variables }) => [...variables])),
  };
}

/** Keeps only one of the schemes that send `Authorization`: the one that says most about its value. */
function withoutSameHeader(parts: readonly Credentials[]): Credentials[] {
  const has = (kind: string) => parts.find(({ auth = {} }) => kind in auth);
  const token = has("clientCredentials") ?? has("bearer");
  const isOther = (part: Credentials): boolean => isToken(part) && part !== token;
  const isKey = ({ headers }: Credentials): boolean =>
    Object.keys(headers).some((name) => /^authorization$/i.test(name));
  const hasOther = token !== undefined || has("basic") !== undefined;
  return parts.filter((part) => !isOther(part) && !(hasOther && isKey(part)));
}

const isToken = ({ auth = {} }: Credentials): boolean =>
  "bearer" in auth || "clientCredentials" in auth;

/**
 * An upstream has only one `auth`. If that is a key in the query or a cookie, a token or a password becomes a header
 * whose whole value is in a variable.
 */
function withTokenAsHeader(parts: readonly Credentials[], prefix: string): Credentials[] {
  const isKey = ({ auth = {} }: Credentials): boolean => "query" in auth || "cookie" in auth;
  const isTokenOrPassword = ({ auth = {} }: Credentials): boolean =>
    "bearer" in auth || "basic" in auth;
  if (parts.filter(isTokenOrPassword).length !== 1 || !parts.some(isKey)) return [...parts];
  return parts.map((part) => (isTokenOrPassword(part) ? asHeader(part, prefix) : part));
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
