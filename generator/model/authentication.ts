import { itemsOf } from "./items.js";
import type { ServerModel } from "./server-model.js";
import { networkKinds } from "./transports.js";

/** True if callers can connect over the network, so that the server may have to authenticate them. */
export function hasNetwork(model: ServerModel): boolean {
  return networkKinds(model).length > 0;
}

/**
 * True if callers over the network must authenticate: the manifest has `auth`, or at least one item
 * requires scopes.
 */
export function needsAuthentication(model: ServerModel): boolean {
  return (
    hasNetwork(model) &&
    (model.auth !== undefined || itemsOf(model).some(({ scopes }) => scopes !== undefined))
  );
}
