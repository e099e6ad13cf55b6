/** The server of `examples/author`, which `packaging/bundle.ts` puts there. */
declare module "mcpwright-author" {
  export const server: import("../../../templates/runtime/index.js").Server;
}
