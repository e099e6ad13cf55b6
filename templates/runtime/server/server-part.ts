import type { ServerDefinition } from "../engine/definition.js";

/**
 * A part of a server that only some servers have, such as a transport or a backend. It gets the definition with the
 * parts before it, and returns what it adds.
 */
export type ServerPart = (definition: ServerDefinition) => Partial<ServerDefinition>;
