import type { JSONRPCMessage, JSONRPCNotification } from "@modelcontextprotocol/server";
import type { Authentication } from "../authentication/authentication.js";
import { modernRequest } from "../suite/clients/http.js";
import { TASKS_EXTENSION } from "../tasks/definition.js";
import type { TaskSample } from "./tasks.js";

/** A message that asks to follow tasks. */
export function listenMessage(
  taskIds: readonly string[],
  extensions: object = { [TASKS_EXTENSION]: {} },
) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { extensions },
  };
  const params = { notifications: { taskIds: [...taskIds] }, _meta };
  return { jsonrpc: "2.0" as const, id: 7, method: "subscriptions/listen", params };
}

/** What a client on a stream of HTTP is told. */
export class TaskStream {
  readonly told: JSONRPCMessage[] = [];
  hasEnded = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor({ body }: Response) {
    this.#reader = (body as ReadableStream<Uint8Array>).getReader();
    void this.#read();
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }

  async #read(): Promise<void> {
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      const [, data] = /^data: (.*)$/m.exec(new TextDecoder().decode(value)) ?? [];
      if (data !== undefined) this.told.push(JSON.parse(data) as JSONRPCMessage);
    }
    this.hasEnded = true;
  }
}

/** Sends such a message to a server over HTTP. */
export async function listen(
  { server }: TaskSample,
  message: object,
  authentication?: Authentication,
): Promise<Response> {
  const { url, headers } = modernRequest("http://localhost/mcp", "subscriptions/listen");
  const request = new Request(url, { method: "POST", headers, body: JSON.stringify(message) });
  return server.fetch(request, { parsedBody: message, authentication });
}

/** The states that tell of tasks, and what an acknowledgement names. */
export function statesIn(messages: readonly JSONRPCMessage[]): unknown[] {
  return (messages as readonly JSONRPCNotification[]).map(({ method, params = {} }) => {
    if (method === "notifications/tasks") return params["statusMessage"] ?? params["status"];
    return (params["notifications"] as { readonly taskIds?: unknown } | undefined)?.taskIds;
  });
}
