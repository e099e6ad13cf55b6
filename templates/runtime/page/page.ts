import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, gzipSync } from "node:zlib";
import type { HttpDefinition } from "../http/definition.js";
import type { HttpGate } from "../http/gate.js";
import { isLoopback } from "../http/guards.js";
import type { RunningServer } from "../server/create-server.js";

/** The document for people, as mcpwright made it. */
export interface PageDocument {
  /** Its Content-Security-Policy. */
  readonly policy: string;
  readonly html: string;
}

/** Answers a request where it is one for the page; false where it is none. */
export type TakePage = (request: IncomingMessage, response: ServerResponse) => boolean;

declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Loads the page for people: large, and mostly not asked for. */
    readonly loadPage?: () => Promise<PageDocument>;
  }
}

/**
 * Answers browsers that open the endpoint's address. The page is the same for everybody and says nothing of
 * the server, which it asks as any client does, so that nobody needs a token to see it.
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
    if (!gate.admits(request, response, ["GET", "HEAD"])) return true;
    document ??= loadPage().then(prepare);
    void document.then((loaded) => send(request, response, loaded));
    return true;
  };
}

/** Whether a browser asks for a document. Clients that follow a stream of events name its type. */
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
