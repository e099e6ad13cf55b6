#!/usr/bin/env node
import * as nodeModule from "node:module";

/** Absent in Node.js 20. If Node.js cannot store the compiled code, it continues without the cache. */
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();

/** The published command. It is in a separate file, since Node.js caches compiled code for each file that it loads. */
require("./command.cjs");
