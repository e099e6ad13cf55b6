import type { TransportDefinition } from "../engine/definition.js";
import type { StartFlags, TransportType } from "./command-line.js";

/**
 * The transports to start: those that flags name, or all. Without flags, stdio is left out beside others
 * where stdin is a terminal.
 * @throws Error with a message for the user where the server has no such transport
 */
export function chooseTransports(
  declared: readonly TransportDefinition[],
  { transports: wanted }: StartFlags,
  isTerminal: boolean,
): ReadonlySet<TransportType> {
  const types = declared.map(({ type }) => type);
  for (const type of wanted) {
    if (!types.some((other) => other === type))
      throw new Error(`This server has no transport ${type}`);
  }
  if (wanted.length > 0) return new Set(wanted);
  const isLeftOut = (type: TransportType): boolean =>
    type === "stdio" && isTerminal && types.length > 1;
  return new Set(types.filter((type) => !isLeftOut(type)));
}
