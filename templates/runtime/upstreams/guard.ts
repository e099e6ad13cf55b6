import { lookup as resolve } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { buildConnector, type Dispatcher } from "undici";
import type { Lookup } from "./definition.js";

/** A connection to an address that is not public was refused. */
export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";
}

/** Whether a text is an IP address of the public internet, in any notation. */
export function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

/**
 * A connector that connects to public addresses only, and fails with a PrivateAddressError otherwise. The address is
 * checked for each connection after the name was resolved, and the connection uses the checked address, so that DNS
 * rebinding has no effect.
 */
export function guarded(
  options: buildConnector.BuildOptions,
  lookup: Lookup = systemLookup,
): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: publicLookup(lookup) });
  return (target, callback) => {
    const host = hostOf(target.hostname);
    // The lookup does not check literal addresses, because they are not resolved.
    if (isIP(host) !== 0 && !isPublic(host)) callback(new PrivateAddressError(host), null);
    else connect(target, callback);
  };
}

/** For requests through a proxy: refuses literal addresses that are not public. @throws PrivateAddressError */
export const toPublicHosts: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options, handler) => {
    const host = hostOf(new URL(options.origin ?? "").hostname);
    if (isIP(host) !== 0 && !isPublic(host)) throw new PrivateAddressError(host);
    return dispatch(options, handler);
  };

/** The host of a URL, without the brackets of an IPv6 address. */
function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

const systemLookup: Lookup = (hostname, callback) => {
  resolve(hostname, { all: true }, callback);
};

/** The lookup for sockets that returns only public addresses. */
function publicLookup(lookup: Lookup): LookupFunction {
  return (hostname, { all }, callback) => {
    lookup(hostname, (error, addresses) => {
      const publicAddresses = addresses?.filter(({ address }) => isPublic(address)) ?? [];
      const [first] = publicAddresses;
      if (error !== null) callback(error, "", 0);
      else if (first === undefined) callback(new PrivateAddressError(hostname), "", 0);
      else if (all === true) callback(null, publicAddresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** The lookup for sockets that uses the lookup of a test. */
export function withLookup(lookup: Lookup): LookupFunction {
  return (hostname, { all }, callback) => {
    lookup(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) callback(error ?? new Error("no address"), "", 0);
      else if (all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}
