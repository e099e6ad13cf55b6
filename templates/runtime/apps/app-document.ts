/** The page of MCP Apps without its view. The build of the package writes what it makes of `templates/page/result/` in place of this module. */
export const html: string = "";
