/**
 * The folder of mcpwright's own package, where `templates/` and `schemas/` are: three folders above
 * this file, and above the bundle that `packaging/bundle.ts` makes of it.
 */
export const packageRoot = new URL("../../../", import.meta.url);
