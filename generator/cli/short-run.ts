import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 wait longer before it optimizes a function. A run of mcpwright ends within seconds: by
 * default, a third of its CPU time went into optimizing code that did not run long enough to repay it.
 * Large manifests reach the higher count soon and lose nothing.
 *
 * Only for the versions of V8 in Node.js 20 to 24, which are known to have the flag.
 */
if (/^1[1-3]\./.test(process.versions.v8)) setFlagsFromString("--interrupt-budget=1000000");
