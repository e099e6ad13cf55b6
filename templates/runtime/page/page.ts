import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, gzipSync } from "node:zlib";
import type { HttpDefinition } from "../http/definition.js";
import type { HttpGate } from "../http/node-gate.js";
import { isLoopback } from "../http/guards.js";
import type { RunningServer } from "../server/create-server.js";

/** The HTML document of the page that browsers get. */
export interface PageDocument {
  /** Its Content-Security-Policy. */
  readonly policy: string;
  readonly html: string;
}

/** Answers a request for the page. @returns whether the request was one */
export type TakePage = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Makes the function that answers browsers. The page contains no data of the server, which it requests as any
 * client does. So everybody can load it without a token.
 */
export function createPage(
  gate: HttpGate,
  { definition: { loadPage }, log }: RunningServer,
  { host, page }: HttpDefinition,
): TakePage | undefined {
  if (page === undefined || loadPage === undefined) return undefined;
  if (!isLoopback(host) && !page.public) {
    log.warning("the page is not served where other machines could see it", {
      host,
      manifest: "page: { public: true }",
    });
    return undefined;
  }
  let document: Promise<PreparedPage> | undefined;
  return (request, response) => {
    if (!isForPage(request)) return false;
    if (!gate.admitOrRefuse(request, response, ["GET", "HEAD"])) return true;
    document ??= loadPage().then(prepare);
    document
      .then((loaded) => send(request, response, loaded))
      .catch((error: unknown) => gate.fail(request, response, error));
    return true;
  };
}

/** Whether a browser requests a document. Clients that open a stream of events accept its type. */
function isForPage({ method, headers: { accept = "" } }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return accept.includes("text/html") && !accept.includes("text/event-stream");
}

interface PreparedPage {
  readonly policy: string;
  readonly unzipped: Buffer;
  readonly zipped: Buffer;
}

function prepare({ policy, html }: PageDocument): PreparedPage {
  const unzipped = Buffer.from(html);
  return { policy, unzipped, zipped: gzipSync(unzipped, { level: constants.Z_BEST_COMPRESSION }) };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { policy, unzipped, zipped }: PreparedPage,
): void {
  const takesGzip = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  const body = takesGzip ? zipped : unzipped;
  response.writeHead(200, {
    "content-type": "text/html; charset=utf-8",
    "content-length": body.length,
    ...(takesGzip && { "content-encoding": "gzip" }),
    "content-security-policy": `${policy}; frame-ancestors 'none'`,
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    vary: "accept, accept-encoding",
    "x-content-type-options": "nosniff",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
