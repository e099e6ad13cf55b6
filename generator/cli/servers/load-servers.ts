/**
 * Loads what commands need of the runtime of generated projects and of the SDK: the servers that they start, and the reader of
 * skills. Beside the published command this is a separate file of this name, which no other command reads. The two bundles
 * share no module state, so that only data may be passed.
 */
export const loadServers = (): Promise<typeof import("./servers.js")> => import("./servers.js");
