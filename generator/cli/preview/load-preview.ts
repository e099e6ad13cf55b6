/**
 * Loads the server of the preview, with the runtime of generated projects and the SDK. Beside the published command it
 * is a separate file of this name, which no other command reads. The two bundles share no module state, so that only
 * data may be passed.
 */
export const loadPreview = (): Promise<typeof import("./preview-server.js")> =>
  import("./preview-server.js");
