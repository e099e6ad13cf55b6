import { lookup as resolve } from "node:dns";
import type { LookupFunction } from "node:net";
import { kindOf, kindOfHost, type AddressKind } from "./addresses.js";

/** The addresses that requests for one URL of the manifest may reach, also by redirects and by what answers name. */
export interface Reach {
  /** The origin of the URL, or of the service to which it belongs. */
  readonly ownOrigin: string;
  /** Whether this origin may be at an address that is not public. */
  readonly isPrivate: boolean;
}

/** Resolves a name to all of its addresses. */
export type Lookup = (
  hostname: string,
  callback: (error: Error | null, addresses: readonly ResolvedAddress[]) => void,
) => void;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** A connection was refused. The message is the end of a sentence that begins with what was asked. */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
}

const NOT_PUBLIC = "leads to an address that is not public, which is refused";

/**
 * Why an address must not be connected to for a target; undefined if it may be. Public addresses may. Others may only
 * for the own origin, and link-local and metadata addresses only if the URL of the manifest has the address itself.
 *
 * @param target the URL of the request, or its origin
 */
export function refusalOf(
  kind: AddressKind,
  target: URL,
  { ownOrigin, isPrivate }: Reach,
): ForbiddenAddressError | undefined {
  if (kind === "public") return undefined;
  const isOwn = target.origin === ownOrigin;
  const isNamed = isOwn && kindOfHost(target.hostname) === kind;
  if (kind === "metadata" && !isNamed) {
    return new ForbiddenAddressError(
      "leads to a link-local or metadata address that the manifest does not name, which is refused",
    );
  }
  if (!isPrivate) return new ForbiddenAddressError(`${NOT_PUBLIC} without \`private: true\``);
  if (isOwn) return undefined;
  return new ForbiddenAddressError(
    "leads to an address that is not public and not of its own origin, which is refused",
  );
}

/** Why the host of a target is refused before it is resolved: for an address in the URL, and for localhost. */
export function hostRefusal(target: URL, reach: Reach): ForbiddenAddressError | undefined {
  return refusalOf(kindOfHost(target.hostname) ?? "public", target, reach);
}

/**
 * The lookup for the sockets to a target. It returns permitted addresses only, and sockets connect to what it returns,
 * so that a name that changes between two lookups has no effect.
 *
 * @throws ForbiddenAddressError to its callback if the name has no permitted address
 */
export function permittedLookup(
  target: URL,
  reach: Reach,
  lookup: Lookup = systemLookup,
): LookupFunction {
  return (hostname, { all }, callback) => {
    lookup(hostname, (error, addresses) => {
      const judged = (addresses ?? []).map((resolved) => ({
        resolved,
        refusal: refusalOf(kindOf(resolved.address), target, reach),
      }));
      const permitted = judged.flatMap(({ resolved, refusal }) => (refusal ? [] : [resolved]));
      const [first] = permitted;
      if (error !== null) callback(error, "", 0);
      else if (first === undefined) callback(judged[0]?.refusal ?? new Error("no address"), "", 0);
      else if (all === true) callback(null, permitted);
      else callback(null, first.address, first.family);
    });
  };
}

const systemLookup: Lookup = (hostname, callback) => {
  resolve(hostname, { all: true }, callback);
};
