import type { Transport } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../model/json.js";

/** A message that a server sent, and the method of the request that it answers, if it answers one. */
export interface ServerMessage {
  readonly message: JsonObject;
  readonly answers?: string;
}

interface RecordedBody {
  readonly type: string;
  readonly chunks: Uint8Array[];
  hasEnded: boolean;
}

/** Keeps every message that a server sends to a client: over HTTP as the bytes say, over stdio as the client got it. */
export class WireRecord {
  readonly #methods = new Map<JsonValue, string>();
  readonly #received: JsonObject[] = [];
  readonly #bodies: RecordedBody[] = [];
  readonly #send: typeof fetch;

  /** @param send Sends the requests of {@link fetch}. */
  constructor(send: typeof fetch = fetch) {
    this.#send = send;
  }

  /** A `fetch` that records requests and answers. */
  readonly fetch: typeof fetch = async (url, init) => {
    if (typeof init?.body === "string") this.#sent(JSON.parse(init.body) as JsonValue);
    const response = await this.#send(url, init);
    if (response.body === null) return response;
    const type = response.headers.get("content-type") ?? "";
    return new Response(response.body.pipeThrough(this.#keeping(type)), response);
  };

  /** Wraps a transport, and records its messages. */
  around<Kind extends Transport>(transport: Kind): Kind {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      // A message is JSON, but its type has members of any type.
      this.#sent(message as unknown as JsonValue);
      return send(message, options);
    };
    const seen = new WeakSet<object>();
    let receive: Transport["onmessage"];
    Object.defineProperty(transport, "onmessage", {
      get: () => receive,
      set: (receiver: Transport["onmessage"]) => {
        receive = (message, extra) => {
          // A receiver that is put in front of another hands it the same message. It is JSON, as what is sent.
          if (!seen.has(message)) this.#received.push(message as unknown as JsonObject);
          seen.add(message);
          receiver?.(message, extra);
        };
      },
    });
    return transport;
  }

  /**
   * What the client has got so far. It does not wait for the end of bodies: one whose request is given
   * up between its last piece and its end never ends in Node's `fetch`.
   */
  messages(): ServerMessage[] {
    return [...this.#received, ...this.#bodies.flatMap(messagesOf)].map((message) => {
      const isAnswer = "result" in message || "error" in message;
      const answers = isAnswer ? this.#methods.get(message["id"] ?? null) : undefined;
      return { message, ...(answers !== undefined && { answers }) };
    });
  }

  /** The methods of the server's own messages. `input_required` represents questions of the newest era. */
  heard(): ReadonlySet<string> {
    const methods = this.messages().flatMap(({ message: { method, result } }) => {
      if (typeof method === "string") return [method];
      const isQuestion = isJsonObject(result) && result["resultType"] === "input_required";
      return isQuestion ? ["input_required"] : [];
    });
    return new Set(methods);
  }

  /** Hands a body on as it comes, and keeps it. */
  #keeping(type: string): TransformStream<Uint8Array, Uint8Array> {
    const body: RecordedBody = { type, chunks: [], hasEnded: false };
    this.#bodies.push(body);
    return new TransformStream({
      transform: (piece, controller) => {
        body.chunks.push(piece);
        controller.enqueue(piece);
      },
      flush: () => void (body.hasEnded = true),
    });
  }

  #sent(message: JsonValue): void {
    for (const one of [message].flat()) {
      if (!isJsonObject(one) || typeof one["method"] !== "string") continue;
      if (one["id"] !== undefined) this.#methods.set(one["id"], one["method"]);
    }
  }
}

/** The messages of a body: every whole event of a stream; a JSON document if it has come to its end. */
function messagesOf({ type, chunks, hasEnded }: RecordedBody): JsonObject[] {
  const text = Buffer.concat(chunks).toString();
  const messages = type.startsWith("text/event-stream")
    ? [...text.matchAll(/(?<=^|\n)data: ([^\n]+)\n/g)].map(([, data]) => data ?? "")
    : type.startsWith("application/json") && hasEnded
      ? [text]
      : [];
  return messages.map((json) => JSON.parse(json) as JsonObject);
}
