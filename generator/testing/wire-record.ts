import type { Transport } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";

/** A message that a server sent, and the method of the request that it answers, if it answers one. */
export interface ServerMessage {
  readonly message: JsonObject;
  readonly answers?: string;
}

/** Keeps every message that a server sends to a client: over HTTP as the bytes say, over stdio as the client got it. */
export class WireRecord {
  readonly #methods = new Map<JsonValue, string>();
  readonly #received: JsonObject[] = [];
  readonly #bodies: Promise<void>[] = [];

  /** A `fetch` that keeps what it sends and gets. */
  readonly fetch: typeof fetch = async (url, init) => {
    if (typeof init?.body === "string") this.#sent(JSON.parse(init.body) as JsonValue);
    const response = await fetch(url, init);
    // The body of a stream ends when the client leaves.
    const body = response
      .clone()
      .text()
      .then((text) => this.#readBody(response.headers.get("content-type") ?? "", text));
    this.#bodies.push(body.catch(() => undefined));
    return response;
  };

  /** The same transport, keeping what goes through it. */
  around<Kind extends Transport>(transport: Kind): Kind {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      this.#sent(message as unknown as JsonValue);
      return send(message, options);
    };
    const seen = new WeakSet<object>();
    let receive: Transport["onmessage"];
    Object.defineProperty(transport, "onmessage", {
      get: () => receive,
      set: (receiver: Transport["onmessage"]) => {
        receive = (message, extra) => {
          // A receiver that is put in front of another hands it the same message.
          if (!seen.has(message)) this.#received.push(message as unknown as JsonObject);
          seen.add(message);
          receiver?.(message, extra);
        };
      },
    });
    return transport;
  }

  /** What the server has sent; to be asked when the client has closed its connection. */
  async messages(): Promise<ServerMessage[]> {
    await Promise.all(this.#bodies);
    return this.#received.map((message) => {
      const isAnswer = "result" in message || "error" in message;
      const answers = isAnswer ? this.#methods.get(message["id"] ?? null) : undefined;
      return { message, ...(answers !== undefined && { answers }) };
    });
  }

  #sent(message: JsonValue): void {
    for (const one of [message].flat()) {
      if (!isJsonObject(one) || typeof one["method"] !== "string") continue;
      if (one["id"] !== undefined) this.#methods.set(one["id"], one["method"]);
    }
  }

  #readBody(contentType: string, text: string): void {
    const messages = contentType.startsWith("text/event-stream")
      ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data ?? "")
      : contentType.startsWith("application/json")
        ? [text]
        : [];
    for (const json of messages) this.#received.push(JSON.parse(json) as JsonObject);
  }
}
