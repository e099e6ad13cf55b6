import type { McpServer, RequestId, ServerContext } from "@modelcontextprotocol/server";
import { RequestProgress } from "../context/context.js";

/**
 * The calls of one SDK server whose callers asked for progress. In the older eras, a call goes on while its client's user
 * answers a question: the handler runs again with the answer, and between its runs the call reports that it waits.
 */
export class CallProgress {
  /** By the signal of the request, which all runs of its handler have. */
  readonly #progress = new WeakMap<AbortSignal, RequestProgress>();
  readonly #waiting = new Map<RequestId, RequestProgress>();

  /** Ends the reports of a call that waits when the SDK server answers it. Must be called before it is connected. */
  endWaits({ server }: McpServer): void {
    const connect = server.connect.bind(server);
    server.connect = async (transport) => {
      const send = transport.send.bind(transport);
      transport.send = (message, options) => {
        if (!("method" in message) && message.id !== undefined) this.#end(message.id);
        return send(message, options);
      };
      await connect(transport);
    };
  }

  /** The progress of a request; undefined if its caller did not ask for it. */
  of({ mcpReq }: ServerContext): RequestProgress | undefined {
    const { progressToken } = mcpReq._meta ?? {};
    if (progressToken === undefined) return undefined;
    const existing = this.#progress.get(mcpReq.signal);
    if (existing !== undefined) return existing;
    const progress = new RequestProgress((report) =>
      mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...report } }),
    );
    this.#progress.set(mcpReq.signal, progress);
    return progress;
  }

  /** Reports that a call waits for its client's answer, until its handler runs again or it has ended. */
  wait({ mcpReq }: ServerContext): void {
    const progress = this.#progress.get(mcpReq.signal);
    if (progress === undefined) return;
    this.#waiting.set(mcpReq.id, progress);
    const isWaiting = (): boolean =>
      this.#waiting.get(mcpReq.id) === progress && !mcpReq.signal.aborted;
    progress.startHeartbeat("Waiting for an answer", isWaiting);
  }

  #end(id: RequestId): void {
    this.#waiting.get(id)?.stopHeartbeat();
    this.#waiting.delete(id);
  }
}
