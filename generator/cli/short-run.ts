import { setFlagsFromString } from "node:v8";

/** By version of V8, those of Node.js 20, 22 and 24: V8 complains on stderr of a flag that it does not know. */
const flags: Readonly<Record<string, readonly string[]>> = {
  "11.3": ["--interrupt-budget=1000000"],
  "12.4": ["--invocation-count-for-turbofan=45000", "--invocation-count-for-maglev=6000"],
  "13.6": ["--invocation-count-for-turbofan=45000", "--invocation-count-for-maglev=6000"],
};

/**
 * Makes V8 wait some fifteen times longer before it optimizes a function. A run of mcpwright ends within
 * seconds: by default, a third of its CPU time went into optimizing code that did not run long enough to
 * repay it. Large manifests reach the higher count soon and lose nothing.
 */
const version = /^\d+\.\d+/.exec(process.versions.v8)?.[0] ?? "";
for (const flag of flags[version] ?? []) setFlagsFromString(flag);
