import type { TransportDefinition } from "../engine/definition.js";
import type { StartFlags, TransportType } from "./command-line.js";

/**
 * Returns the transports that the flags name. Without such flags it returns all, except stdio if the server
 * has other transports too and stdin is a terminal.
 * @throws Error with a message for the user if the server does not have a named transport
 */
export function chooseTransports(
  declared: readonly TransportDefinition[],
  { transports: requested }: StartFlags,
  isTerminal: boolean,
): ReadonlySet<TransportType> {
  const types = declared.map(({ type }) => type);
  for (const type of requested) {
    if (!types.some((other) => other === type))
      throw new Error(`This server has no transport ${type}`);
  }
  if (requested.length > 0) return new Set(requested);
  const isLeftOut = (type: TransportType): boolean =>
    type === "stdio" && isTerminal && types.length > 1;
  return new Set(types.filter((type) => !isLeftOut(type)));
}
