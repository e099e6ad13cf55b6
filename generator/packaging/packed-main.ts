#!/usr/bin/env node
import "../cli/short-run.js";
import { fileURLToPath } from "node:url";
import type * as command from "../cli/run-process.js";
import type { GenerationKind } from "../cli/terminal.js";
import { loadCached } from "./code-cache.js";

/** The published command: `cli/main.ts` with the rest of the code from a cache. Packed, it is CommonJS. */
const file = fileURLToPath(new URL("command.cjs", import.meta.url));
const folder = fileURLToPath(new URL("code-cache", import.meta.url));
const { exports, keepCode } = loadCached<typeof command>(file, folder, require);
const kinds = new Set<GenerationKind>();
void exports.runProcess((kind) => kinds.add(kind)).then(() => keepCode(kinds));
