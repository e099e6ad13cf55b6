import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * The address of the client. Each proxy appends to `X-Forwarded-For` the address that it was called
 * from, so only as many entries from the right can be believed as there are proxies of one's own;
 * what stands left of them is whatever the client wrote.
 * @param proxies How many proxies stand in front of this server.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  proxies: number,
): string {
  const direct = socket.remoteAddress ?? "";
  if (proxies === 0) return direct;
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const believed = forwarded.map(withoutPort).slice(-proxies);
  // A proxy that appended no address hides everything before it.
  const unreadable = believed.findLastIndex((address) => isIP(address) === 0);
  return [...believed.slice(unreadable + 1), direct][0] ?? direct;
}

/** Some proxies add the port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const address = entry.trim();
  const inBrackets = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1];
  return inBrackets ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? address;
}
