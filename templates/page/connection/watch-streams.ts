import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/**
 * Reports requests whose stream ends without an answer, since the SDK would wait for it.
 *
 * @param transport a connected transport
 */
export function watchStreams(
  transport: StreamableHTTPClientTransport,
  onUnanswered: () => void,
): void {
  const answered = new Set<unknown>();
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    if ("id" in message && !("method" in message)) answered.add(message.id);
    onmessage?.(message);
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      const requests = [message].flat().filter((one) => "id" in one && "method" in one);
      if (!requests.every((one) => "id" in one && answered.delete(one.id))) onUnanswered();
    };
    return send(message, { ...options, onRequestStreamEnd });
  };
}
