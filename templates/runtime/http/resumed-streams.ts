import { setImmediate as endOfTurn } from "node:timers/promises";

/**
 * The answer to a client that resumes a stream. Where the stream is over and nothing is left to replay, it is 204, which says
 * to clients that they need not come again; the SDK would send a stream that ends at once.
 */
export async function resumedAnswer(response: Response): Promise<Response> {
  const { body, status, headers } = response;
  if (!response.ok || body === null) return response;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let first: ReturnType<typeof reader.read> | undefined = reader.read();
  // The SDK has ended such a stream already, so that its end is read before this turn of the event loop is over.
  const read = await Promise.race([first, endOfTurn(undefined)]);
  if (read?.done === true) {
    const session = headers.get("mcp-session-id");
    return new Response(null, {
      status: 204,
      headers: session === null ? {} : { "mcp-session-id": session },
    });
  }
  const rest = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await (first ?? reader.read());
      first = undefined;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(rest, { status, headers });
}
