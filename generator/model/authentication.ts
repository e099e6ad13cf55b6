import { itemsOf } from "./items.js";
import type { ServerModel } from "./server-model.js";

/** Whether callers can come over the network, so that a project may want to know who they are. */
export function hasNetwork({ transports }: ServerModel): boolean {
  return transports.some(({ type }) => type !== "stdio" && type !== "custom");
}

/** Whether the manifest says how callers are known, or some item needs scopes: then they must say who they are. */
export function needsAuthentication(model: ServerModel): boolean {
  return (
    hasNetwork(model) &&
    (model.auth !== undefined || itemsOf(model).some(({ scopes }) => scopes !== undefined))
  );
}
