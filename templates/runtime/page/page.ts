import { constants, gzipSync } from "node:zlib";
import type { HttpDefinition } from "../http/definition.js";
import type { Authentication } from "../authentication/authentication.js";
import type { Gate } from "../http/gate.js";
import { isLoopback } from "../http/guards.js";
import {
  isRead,
  pageAnswer,
  READ_METHODS,
  type PageAnswer,
  type WholeAnswer,
} from "../http/page-answer.js";
import type { RequestHead } from "../http/request-head.js";
import { after, type Awaitable } from "../engine/awaitable.js";
import type { RunningServer } from "../server/create-server.js";
import { marksFor } from "./item-marks.js";

/** The type of what the page shows of items and no list of the protocol has. */
const MARKS_TYPE = "application/vnd.mcpwright.item-marks+json";

/** The HTML document of the page that browsers get. */
export interface PageDocument {
  /** Its Content-Security-Policy. */
  readonly policy: string;
  readonly html: string;
}

/** Answers a request for the page; undefined for other requests. */
export type TakePage = (request: RequestHead) => Awaitable<PageAnswer> | undefined;

/**
 * Makes the function that answers browsers. The page contains no data of the server, which it requests as any
 * client does. So everybody can load it without a token. The marks of items are no part of the protocol: the page
 * requests them with the token of the caller, who gets those of the items that the caller may see.
 */
export function createPage(
  gate: Gate,
  server: RunningServer,
  { host, page }: HttpDefinition,
): TakePage | undefined {
  const { definition, log } = server;
  const { loadPage } = definition;
  if (page === undefined || loadPage === undefined) return undefined;
  if (!isLoopback(host) && !page.public) {
    log.warning("the page is not served where other machines could see it", {
      host,
      manifest: "page: { public: true }",
    });
    return undefined;
  }
  let document: Promise<PreparedPage> | undefined;
  return (request) => {
    const isForMarks = isRead(request) && request.headers.accept === MARKS_TYPE;
    if (!isForMarks && !isForPage(request)) return undefined;
    const answer = gate.answerUnlessAdmitted(request, READ_METHODS);
    if (answer !== undefined) return answer;
    if (isForMarks) return marksAnswer(gate, request, server);
    document ??= loadPage().then(prepare);
    return document.then((loaded) => answerOf(request, loaded));
  };
}

/** Whether a browser requests a document. Clients that open a stream of events accept its type. */
function isForPage(request: RequestHead): boolean {
  const { accept = "" } = request.headers;
  return isRead(request) && accept.includes("text/html") && !accept.includes("text/event-stream");
}

/** The marks of the items that the sender of a request may see, or its refusal. */
function marksAnswer(
  gate: Gate,
  request: RequestHead,
  { definition, controls }: Pick<RunningServer, "definition"> & Partial<RunningServer>,
): Awaitable<PageAnswer> {
  const show = (caller?: Authentication): PageAnswer =>
    pageAnswer(200, MARKS_TYPE, JSON.stringify(marksFor(definition, { caller, controls })));
  if (gate.isOpen) return show();
  return after(gate.identify(request), (sender) =>
    sender.kind === "refused" ? sender : show(sender.caller),
  );
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

function answerOf(
  { headers: received }: RequestHead,
  { policy, unzipped, zipped }: PreparedPage,
): WholeAnswer {
  const takesGzip = /\bgzip\b/.test(String(received["accept-encoding"] ?? ""));
  const body = takesGzip ? zipped : unzipped;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-length": String(body.length),
    ...(takesGzip && { "content-encoding": "gzip" }),
    "content-security-policy": `${policy}; frame-ancestors 'none'`,
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    vary: "accept, accept-encoding",
    "x-content-type-options": "nosniff",
  };
  return { status: 200, headers, body };
}
