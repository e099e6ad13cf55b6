import type { IncomingMessage, ServerResponse } from "node:http";
import type { Page } from "../http/transport.js";
import type { RunningServer } from "../server/create-server.js";
import { metadataUrl, scopesOfClients } from "./http-authentication.js";

/**
 * The page that tells clients where to get tokens (RFC 9728), with its paths as the keys. Web pages of every
 * origin may read it.
 */
export function protectedResourcePage({ definition, access }: RunningServer): Map<string, Page> {
  const { authentication, scopes = [] } = access ?? {};
  const resource = authentication?.protectedResource;
  if (resource === undefined) return new Map();
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
  const page = ({ method }: IncomingMessage, response: ServerResponse): void => {
    const isAllowed = method === "GET" || method === "HEAD";
    response.writeHead(isAllowed ? 200 : 405, {
      ...{ "access-control-allow-origin": "*", allow: "GET, HEAD" },
      ...(isAllowed ? { "content-type": "application/json" } : {}),
    });
    response.end(method === "GET" ? body : undefined);
  };
  // Some clients, and proxies that strip a prefix, ask at the root.
  const root = new URL("/", resource.resource).href;
  return new Map([resource.resource, root].map((url) => [metadataUrl(url).pathname, page]));
}
