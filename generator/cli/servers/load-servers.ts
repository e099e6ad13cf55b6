/**
 * Loads the servers that commands start, with the runtime of generated projects and the SDK. Beside the published command
 * they are a separate file of this name, which no other command reads. The two bundles share no module state, so that only
 * data may be passed.
 */
export const loadServers = (): Promise<typeof import("./servers.js")> => import("./servers.js");
