/** The folder of mcpwright's own package, where `templates/` and `schemas/` are. */
export const packageRoot = new URL("../../../", import.meta.url);
