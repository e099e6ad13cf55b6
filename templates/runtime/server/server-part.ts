import type { ServerDefinition } from "../engine/definition.js";

/**
 * A part of a server that only some servers have, such as a backend. It gets the definition with the parts before it, and
 * returns what it adds.
 */
export type ServerPart = (definition: ServerDefinition) => Partial<ServerDefinition>;

/**
 * A part of a server whose code is imported when the server is made, and only if it is needed: returns undefined if the
 * definition has no use for it.
 */
export type LatePart = (
  definition: ServerDefinition,
) => Promise<Partial<ServerDefinition>> | undefined;

/** A part of a server that only some servers have, and whose code is imported when the server is made. */
export interface LateServerPart {
  /** What the part adds to the definition at once. */
  readonly settings?: Partial<ServerDefinition>;
  /** Imports the rest. */
  readonly load: LatePart;
}

/** What the settings of a server state. The late parts are still to be imported, by `loadParts`. */
export type StatedDefinition = Omit<ServerDefinition, "lateParts"> & {
  /** Import the rest of the definition, which a server is made of. */
  readonly lateParts: readonly LatePart[];
};
