import type { ServerModel } from "../../model/server-model.js";
import type { HttpTransportModel, WebSocketTransportModel } from "../../model/transports.js";
import { commandName, httpTransport, readsTokens } from "../model-facts.js";
import { localUrl } from "./local-url.js";

/** The host in examples for a server whose manifest names none. */
const EXAMPLE_HOST = "mcp.example.com";

/** The server's own default of `limits.bodyBytes`. */
const USUAL_BODY_BYTES = 4 * 2 ** 20;

/**
 * How the transports `http` and `websocket` are put behind a proxy, for the template of SERVER.md; null without both of
 * them.
 */
export function proxyView(model: ServerModel): object | null {
  const socket = model.transports.find(({ type }) => type === "websocket") as
    WebSocketTransportModel | undefined;
  const http = httpTransport(model) ?? socket;
  if (http === undefined) return null;
  const host = hostOf(model, http);
  const { origin } = new URL(localUrl(http));
  const socketUrl = socket && localUrl(socket);
  const prefix = `/${commandName(model).replace(/[^\w.-]/g, "-")}/`;
  return {
    host: host ?? EXAMPLE_HOST,
    path: http.path,
    prefix,
    nginxPrefix: `location ${prefix}`,
    caddyPrefix: `handle_path ${prefix}*`,
    needsHost: [http, socket ?? http].some(
      ({ allowedHosts }) => host === undefined || !allowedHosts.includes(host),
    ),
    socket: socket && {
      path: socket.path,
      nginxPrefix: `location = ${prefix}${socket.path.slice(1)}`,
    },
    origin: `https://${host ?? EXAMPLE_HOST}:8443`,
    trusts: http.trustProxy > 0 && socket?.trustProxy !== 0,
    tokens: readsTokens(model),
    nginx: nginxLines(host ?? EXAMPLE_HOST, origin, mebibytesOfBody(model), socketUrl),
    caddy: caddyLines(host ?? EXAMPLE_HOST, origin, socketUrl),
  };
}

/** The public name of the server, by its `resource` or by the hosts that it allows. Undefined if it has none. */
function hostOf(
  { auth }: ServerModel,
  { allowedHosts }: Pick<HttpTransportModel, "allowedHosts">,
): string | undefined {
  const { resource } = auth ?? {};
  const ofResource =
    typeof resource === "string" && URL.canParse(resource) ? [new URL(resource).hostname] : [];
  return [...ofResource, ...allowedHosts].find((host) => /^[\w-]+(?:\.[\w-]+)+$/.test(host));
}

/** The size of the longest message in mebibytes, rounded up; nginx takes no more than one by default. */
function mebibytesOfBody({ limits }: ServerModel): number {
  const bytes: unknown = limits?.["bodyBytes"];
  return Math.ceil((typeof bytes === "number" ? bytes : USUAL_BODY_BYTES) / 2 ** 20);
}

/**
 * A server of nginx that ends TLS. The certificate's files are the reader's own.
 * @param socketUrl The URL of the transport `websocket`, for which nginx passes on no upgrade by itself.
 */
function nginxLines(
  host: string,
  origin: string,
  mebibytes: number,
  socketUrl: string | undefined,
): string {
  return `server {
  listen 443 ssl;
  server_name ${host};
  ssl_certificate /etc/ssl/${host}.pem;
  ssl_certificate_key /etc/ssl/${host}.key;
  client_max_body_size ${mebibytes}m;

  location / {
    proxy_pass ${origin};
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header Connection "";
    proxy_buffering off;
    proxy_read_timeout 60s;
  }${socketUrl === undefined ? "" : nginxSocketLines(socketUrl)}
}`;
}

function nginxSocketLines(url: string): string {
  return `

  location = ${new URL(url).pathname} {
    proxy_pass ${url};
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection "upgrade";
    proxy_read_timeout 60s;
  }`;
}

/**
 * A site of Caddy, which gets its certificate itself, keeps Host and buffers no event streams.
 * @param socketUrl The URL of the transport `websocket`, whose upgrades Caddy passes on.
 */
function caddyLines(host: string, origin: string, socketUrl: string | undefined): string {
  const { origin: socketOrigin, pathname } = new URL(socketUrl ?? origin);
  const socketLine = socketOrigin === origin ? "" : `  reverse_proxy ${pathname} ${socketOrigin}\n`;
  return `${host} {
${socketLine}  reverse_proxy ${origin} {
    flush_interval -1
    transport http {
      keepalive 4s
    }
  }
}`;
}
