import {
  isJSONRPCErrorResponse,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import type { Refusals } from "../observe/refusals.js";

/** The words with which the SDK refuses a subscription beyond the limit. */
const refusal = "Subscription limit reached";

/** The answer to a `subscriptions/listen` request beyond the limit. @param limit The limit in words. */
export function subscriptionRefusal(id: RequestId | undefined, limit: string): Response {
  const error = { code: -32603, message: `${refusal} (${limit})` };
  return Response.json({ jsonrpc: "2.0", error, ...(id !== undefined && { id }) });
}

/**
 * Reports the subscriptions that the SDK refuses on a connection, and names the limit in its answers.
 * @param holder The client's principal or address; absent if the transport has only one client.
 */
export function nameSubscriptionLimit(
  transport: Transport,
  refusals: Pick<Refusals, "exceed">,
  holder?: string,
): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!isJSONRPCErrorResponse(message) || message.error.message !== refusal) {
      return send(message, options);
    }
    const limit = refusals.exceed({ limit: "subscriptions", address: holder });
    const error = { ...message.error, message: `${refusal} (${limit})` };
    return send({ ...message, error }, options);
  };
}
