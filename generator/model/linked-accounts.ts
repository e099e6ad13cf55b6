import { accountTools } from "../../templates/runtime/linked-accounts/definitions.js";
import { isJsonObject, type JsonObject } from "./json.js";

/** The kind of `auth` of an upstream with accounts that its callers link. */
export const ACCOUNT_GRANT = "perCaller";

/** The part of a model that says which upstreams have accounts. */
interface WithUpstreams {
  readonly upstreams?: readonly { readonly name: string; readonly settings: JsonObject }[];
}

/** The names of the upstreams whose callers link accounts. */
export function accountUpstreams({ upstreams = [] }: WithUpstreams): string[] {
  return upstreams
    .filter(({ settings: { auth } }) => isJsonObject(auth) && auth["kind"] === ACCOUNT_GRANT)
    .map(({ name }) => name);
}

/** The tools that a server adds for accounts; none if it has no upstream with accounts. */
export function addedAccountTools(
  model: WithUpstreams,
): ReturnType<typeof accountTools> | readonly [] {
  const names = accountUpstreams(model);
  return names.length === 0 ? [] : accountTools(names);
}
