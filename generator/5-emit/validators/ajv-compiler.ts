/**
 * What compiles schemas with AJV. In a packed mcpwright it is a file of its own that is loaded when it is
 * first needed, since most schemas need none of it: `packaging/bundle.ts` puts that in place of this.
 */
export { compileToSource } from "./schema-compiler.js";
