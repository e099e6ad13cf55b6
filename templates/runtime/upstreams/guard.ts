import { lookup as resolve } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { buildConnector, type Dispatcher } from "undici";
import type { Lookup } from "./definition.js";

/** A connection to an address that is not public was refused. */
export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";
}

/** Whether an address is one of the public internet, in whatever form it is written. */
export function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

/**
 * Connects to public addresses only. Addresses are checked at each connection, after the name was resolved,
 * and the connection goes to the checked address. So a name that resolves differently the next time changes
 * nothing.
 */
export function guarded(
  options: buildConnector.BuildOptions,
  lookup: Lookup = everyAddress,
): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: publicLookup(lookup) });
  return (target, callback) => {
    const host = hostOf(target.hostname);
    // An address is not resolved.
    if (isIP(host) !== 0 && !isPublic(host)) callback(new PrivateAddressError(host), null);
    else connect(target, callback);
  };
}

/** Refuses requests to literal addresses that are not public, where a proxy makes the connections. */
export const toPublicHosts: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options, handler) => {
    const host = hostOf(new URL(options.origin ?? "").hostname);
    if (isIP(host) !== 0 && !isPublic(host)) throw new PrivateAddressError(host);
    return dispatch(options, handler);
  };

/** A host as it stands in a URL, without the brackets of an address. */
function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

const everyAddress: Lookup = (hostname, callback) => {
  resolve(hostname, { all: true }, callback);
};

/** Resolves names as sockets ask for it, and leaves out the addresses that are not public. */
function publicLookup(lookup: Lookup): LookupFunction {
  return (hostname, { all }, callback) => {
    lookup(hostname, (error, addresses) => {
      const found = addresses?.filter(({ address }) => isPublic(address)) ?? [];
      const [first] = found;
      if (error !== null) callback(error, "", 0);
      else if (first === undefined) callback(new PrivateAddressError(hostname), "", 0);
      else if (all === true) callback(null, [...found]);
      else callback(null, first.address, first.family);
    });
  };
}

/** Resolves names by a function that tests give. */
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
