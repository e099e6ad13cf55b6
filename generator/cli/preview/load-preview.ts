/**
 * Loads the server of the preview, with the runtime of projects and the SDK. It is a file of its own beside the
 * published command, under this name, so that no other command reads it; what crosses here is data.
 */
export const loadPreview = (): Promise<typeof import("./preview-server.js")> =>
  import("./preview-server.js");
