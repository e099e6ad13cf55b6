import { isIP } from "node:net";
import type { RequestHead } from "./request-head.js";

/**
 * The address of the client. Each proxy appends to `X-Forwarded-For` the address that it was called
 * from. Only the last entries, one for each of the operator's own proxies, are reliable; the client may
 * have written the others.
 * @param proxies The number of the operator's proxies in front of this server.
 */
export function clientAddress(
  { headers, socket }: Pick<RequestHead, "headers" | "socket">,
  proxies: number,
): string {
  const direct = socket.remoteAddress ?? "";
  if (proxies === 0) return direct;
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const reliable = forwarded.map(withoutPort).slice(-proxies);
  // The entries before one that is no address are not reliable.
  const invalid = reliable.findLastIndex((address) => !isAddress(address));
  return copyOf([...reliable.slice(invalid + 1), direct][0] ?? direct);
}

/** The longest text of an address: an IPv6 address whose last part is written as an IPv4 address. */
const maxAddressLength = 45;

/** True for an address. Node itself would accept a zone of any length after an IPv6 address. */
function isAddress(text: string): boolean {
  return text.length <= maxAddressLength && isIP(text) !== 0;
}

/** Copies an address, which is kept for long. V8's part of a text would keep the whole header in memory. */
function copyOf(address: string): string {
  return Buffer.from(address).toString();
}

/** Removes the port that some proxies add: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const address = entry.trim();
  const inBrackets = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1];
  return inBrackets ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? address;
}
