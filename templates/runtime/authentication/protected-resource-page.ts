import { isRead, READ_METHODS, type WholeAnswer } from "../http/page-answer.js";
import type { RequestHead } from "../http/request-head.js";
import type { RunningServer } from "../server/create-server.js";
import { metadataUrl, scopesOfClients } from "./http-authentication.js";

/** Answers requests without a gate, by path. */
type ResourcePages = Map<string, (request: RequestHead) => WholeAnswer>;

/**
 * The page that tells clients where to get tokens (RFC 9728), with its paths as the keys. Web pages of every
 * origin may read it.
 */
export function protectedResourcePage({ definition, access }: RunningServer): ResourcePages {
  const { authentication, scopes: ofItems = [] } = access ?? {};
  const resource = authentication?.protectedResource;
  if (resource === undefined) return new Map();
  const scopes = resource.initialScopes ?? ofItems;
  const { name, title = name } = definition.info;
  const body = JSON.stringify({
    resource: resource.resource,
    ...(resource.authorizationServers.length > 0 && {
      authorization_servers: resource.authorizationServers,
    }),
    bearer_methods_supported: ["header"],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopesOfClients(scopes, resource) }),
    resource_name: title,
  });
  const page = (request: RequestHead): WholeAnswer => {
    const headers = { "access-control-allow-origin": "*", allow: READ_METHODS.join(", ") };
    if (!isRead(request)) return { status: 405, headers };
    const length = String(Buffer.byteLength(body));
    const own = { "content-type": "application/json", "content-length": length };
    return { status: 200, headers: { ...headers, ...own }, body };
  };
  // Some clients, and proxies that strip a prefix, ask at the root.
  const root = new URL("/", resource.resource).href;
  return new Map([resource.resource, root].map((url) => [metadataUrl(url).pathname, page]));
}
