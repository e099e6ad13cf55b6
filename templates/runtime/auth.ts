/** API keys, and the types of callers. Each kind of tokens of authorization servers has an entry of its own. */
import { apiKeys as verifyKeys } from "./access/api-keys.js";
import type { CallerSource } from "./access/caller-source.js";
import { apiKeysIn } from "./access/key-file.js";
import { newKey } from "./access/new-key.js";
import { createFilteredList, isHidden } from "./authentication/filtered-lists.js";
import { mustStandBefore } from "./server/needed-parts.js";
import type { ServerPart } from "./server/server-part.js";

export type { CallerSource } from "./access/caller-source.js";
export type {
  Authenticate,
  ManifestAuth,
  ProtectedResource,
} from "./authentication/authenticate.js";
export type * from "./authentication/authentication.js";
export { callerOf } from "./authentication/known-caller.js";
export type { ClaimTypes, KnownCaller } from "./authentication/known-caller.js";

/**
 * Identifies machines by API keys. The principal of a caller is `key:` and the name of the key.
 *
 * @param lines returns the keys, one on each line, `name:sha256:scopes`: the SHA-256 of the key in lower-case hexadecimal,
 *   and scopes with spaces between them. `npm start -- --new-key NAME` prints a key and its line. If it returns undefined,
 *   no key is valid. The server does not start if a line has another form.
 */
export function apiKeys<Env>(lines: (env: Env) => string | undefined): CallerSource<Env> {
  return {
    open: (env, server) => {
      const text = lines(env) ?? "";
      if (text.trim() === "") server.log.warning(noKeys("their variable"));
      return verifyKeys(text);
    },
    newKey,
  };
}

/**
 * Identifies machines by API keys in a file, which is read again within a second after a change.
 *
 * @param path returns the path of the file, relative to the project. Its lines are those of {@link apiKeys}.
 */
export function apiKeyFile<Env>(path: (env: Env) => string | undefined): CallerSource<Env> {
  return {
    open: (env, server) => {
      const file = path(env);
      if (file === undefined || file === "") server.log.warning(noKeys("the path of their file"));
      return apiKeysIn(file, server);
    },
    newKey,
  };
}

/** What the log says at the start of a server that knows no key, and so refuses each. */
function noKeys(what: string): string {
  return `no API key is known, since ${what} has no value; the option --new-key NAME makes a key, and the line for the server`;
}

/** Lists show each caller only the items that the caller may use. */
export function filteredLists(): ServerPart {
  return ({ isHidden: restricted }) => {
    mustStandBefore("filteredLists()", "restrict()", restricted !== undefined);
    return { createPagedList: createFilteredList, isHidden };
  };
}
