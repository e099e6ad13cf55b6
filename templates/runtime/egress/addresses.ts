import ipaddr from "ipaddr.js";

/**
 * What an address is: `metadata` stands for addresses at which clouds give a machine its credentials, and for all
 * link-local ones; `private` for all others that are not of the public internet.
 */
export type AddressKind = "public" | "private" | "metadata";

/** The metadata addresses of clouds that are not link-local: AWS, Google Cloud, Azure, Alibaba Cloud and Oracle Cloud. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  "fd00:ec2::254",
  "fd20:ce::254",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
]);

/** What an IP address is, in any notation; a text that is no address counts as private. */
export function kindOf(address: string): AddressKind {
  if (!ipaddr.isValid(address)) return "private";
  const parsed = ipaddr.process(address);
  if (isMetadata(parsed) || embeddedAddresses(parsed).some(isMetadata)) return "metadata";
  return parsed.range() === "unicast" && !isIPv4Compatible(parsed) ? "public" : "private";
}

/** The kind of a URL's host if it needs no resolver: that of an address, or of localhost; otherwise undefined. */
export function kindOfHost(hostname: string): AddressKind | undefined {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(host)) return kindOf(host);
  return /(?:^|\.)localhost\.?$/i.test(host) ? "private" : undefined;
}

function isMetadata(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === "linkLocal" || METADATA_ADDRESSES.has(address.toString());
}

/** Whether an address is of `::/96`, which once stood for IPv4 addresses. */
function isIPv4Compatible(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof ipaddr.IPv6 && address.toByteArray().slice(0, 12).every(isZero);
}

function isZero(byte: number): boolean {
  return byte === 0;
}

/** The IPv4 addresses to which gateways and tunnels may lead an IPv6 address: NAT64, SIIT and 6to4. */
function embeddedAddresses(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return [];
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === "6to4") return [new ipaddr.IPv4(bytes.slice(2, 6))];
  const isLast = range === "rfc6052" || range === "rfc6145" || isIPv4Compatible(address);
  return isLast ? [new ipaddr.IPv4(bytes.slice(12))] : [];
}
