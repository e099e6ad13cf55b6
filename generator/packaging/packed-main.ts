#!/usr/bin/env node
import "../cli/short-run.js";
import * as nodeModule from "node:module";

/** Absent in Node.js 20. Where the compiled code cannot be kept, Node.js goes on without. */
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();

/** The published command. All but this is in a file of its own, since Node.js keeps compiled code by file. */
require("./command.cjs");
