import { once } from "node:events";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Server } from "../server/define-server.js";
import { fetchHandler, type FetchHandler, type FetchSettings } from "./handler.js";
import { noRequest } from "./request-head.js";

/** The members of an event that are read: payload format 2.0 of function URLs and of HTTP APIs of API Gateway. */
export interface LambdaEvent {
  /** The path, with the stage of an HTTP API. */
  readonly rawPath: string;
  /** The query of the URL, without the question mark. */
  readonly rawQueryString: string;
  /** The headers. Their names are in lower case, and values of repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The cookies, which the headers do not have. */
  readonly cookies?: readonly string[];
  /** The facts about the request that its headers do not have. */
  readonly requestContext: {
    /** The host name to which the request was sent. */
    readonly domainName: string;
    /** `$default`, or the first segment of each path. */
    readonly stage: string;
    /** The method, and the client's address. */
    readonly http: { readonly method: string; readonly sourceIp: string };
  };
  /** The body; absent if it is empty. */
  readonly body?: string;
  /** Whether the body is base64. */
  readonly isBase64Encoded: boolean;
}

/** An answer that the platform gets as a whole. */
export interface LambdaAnswer {
  /** The status of HTTP. */
  readonly statusCode: number;
  /** The headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or nothing. */
  readonly body: string;
  /** Whether the body is base64, as compressed ones are. */
  readonly isBase64Encoded: boolean;
}

type LambdaContext = { callbackWaitsForEmptyEventLoop: boolean };
type StreamingHandler = (
  event: LambdaEvent,
  output: Writable,
  context: LambdaContext,
) => Promise<void>;

/** What the platform has as a global beside the modules of Node.js. */
interface LambdaPlatform {
  /** Marks a handler as one that gets a stream. */
  streamifyResponse(handler: StreamingHandler): StreamingHandler;
  readonly HttpResponseStream: {
    /** The stream whose first write sends the head before it. */
    from(output: Writable, head: Pick<LambdaAnswer, "statusCode" | "headers">): Writable;
  };
}

/** The two ways in which the platform can call a server. */
export interface LambdaHandlers {
  /** For an HTTP API of API Gateway, and for a function URL that buffers. */
  readonly handler: (event: LambdaEvent) => Promise<LambdaAnswer>;
  /** For a function URL with the invoke mode `RESPONSE_STREAM`; undefined where the platform cannot stream. */
  readonly streamingHandler: StreamingHandler | undefined;
}

/**
 * Serves the transport `http` of a server as a function of AWS Lambda.
 *
 * @throws SettingError at once, if the server has no transport `http`
 */
export function lambdaHandlers<Env, Services>(
  server: Server<Env, Services>,
  settings: Pick<FetchSettings<LambdaEvent>, "environment" | "log"> = {},
): LambdaHandlers {
  const handle = fetchHandler<Env, Services, LambdaEvent>(server, {
    ...settings,
    keepsConnections: true,
    address: (_request, { requestContext }) => requestContext.http.sourceIp,
  });
  const { awslambda } = globalThis as { readonly awslambda?: LambdaPlatform };
  return {
    handler: async (event) => wholeAnswer(await answer(handle, event)),
    streamingHandler: awslambda?.streamifyResponse(streamed(awslambda, handle)),
  };
}

async function answer(
  handle: FetchHandler<LambdaEvent>,
  event: LambdaEvent,
  signal?: AbortSignal,
): Promise<Response> {
  const request = requestOf(event, signal);
  return request === undefined ? noRequest() : handle(request, event);
}

/** The request of an event; undefined if the web's own type has none like it. */
function requestOf(event: LambdaEvent, signal: AbortSignal | undefined): Request | undefined {
  const { body, cookies = [], isBase64Encoded, requestContext } = event;
  const { domainName, http, stage } = requestContext;
  const query = event.rawQueryString === "" ? "" : `?${event.rawQueryString}`;
  const prefix = `/${stage}/`;
  const path = event.rawPath.startsWith(prefix)
    ? event.rawPath.slice(prefix.length - 1)
    : event.rawPath;
  const isRead = http.method === "GET" || http.method === "HEAD";
  try {
    return new Request(`https://${domainName}${path}${query}`, {
      method: http.method,
      headers: {
        ...event.headers,
        ...(cookies.length > 0 && { cookie: cookies.join("; ") }),
      },
      ...(!isRead &&
        body !== undefined && { body: Buffer.from(body, isBase64Encoded ? "base64" : "utf8") }),
      ...(signal !== undefined && { signal }),
    });
  } catch {
    return undefined;
  }
}

async function wholeAnswer(response: Response): Promise<LambdaAnswer> {
  const headers = Object.fromEntries(response.headers);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isBase64Encoded = "content-encoding" in headers;
  const body = bytes.toString(isBase64Encoded ? "base64" : "utf8");
  return { statusCode: response.status, headers, body, isBase64Encoded };
}

function streamed(
  { HttpResponseStream }: LambdaPlatform,
  handle: FetchHandler<LambdaEvent>,
): StreamingHandler {
  return async (event, output, context) => {
    // Connections that are kept would let the platform wait for them before the next request.
    context.callbackWaitsForEmptyEventLoop = false;
    const disconnected = new AbortController();
    const leave = (): void => disconnected.abort();
    output.on("close", leave).on("error", leave);
    const response = await answer(handle, event, disconnected.signal);
    const { signal } = disconnected;
    if (signal.aborted) return void response.body?.cancel();
    const headers = Object.fromEntries(response.headers);
    const into = HttpResponseStream.from(output, { statusCode: response.status, headers });
    // The head is sent by a write, also where nothing follows.
    if (response.body === null) into.write("");
    try {
      for await (const bytes of response.body ?? []) {
        if (!into.write(bytes)) await once(into, "drain", { signal });
      }
      into.end();
      await finished(into, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
}
