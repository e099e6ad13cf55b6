#!/usr/bin/env node
import * as nodeModule from "node:module";
import { setFlagsFromString } from "node:v8";

/** Absent in Node.js 20. If Node.js cannot store the compiled code, it continues without the cache. */
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();

const countsOfCalls = [
  "--invocation-count-for-maglev=4000",
  "--invocation-count-for-turbofan=30000",
];

/** By the version of Node.js, since V8 complains on stderr of a flag that it does not know. */
const flags: Readonly<Record<number, readonly string[]>> = {
  20: ["--interrupt-budget=675840"],
  22: countsOfCalls,
  24: countsOfCalls,
  26: countsOfCalls,
};

/**
 * Ten times V8's own thresholds. Most functions that reach those are compiled for speed shortly before the run is over:
 * that took a fourth of the CPU of the first `generate` of a large manifest.
 */
for (const flag of flags[Number.parseInt(process.versions.node)] ?? []) setFlagsFromString(flag);

/** The published command. It is in a separate file, since Node.js caches compiled code for each file that it loads. */
require("./command.cjs");
