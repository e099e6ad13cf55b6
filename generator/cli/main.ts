#!/usr/bin/env node
import "./short-run.js";
import { run } from "./run.js";
import { endOnSignals } from "./signals.js";
import { processTerminal } from "./terminal.js";

endOnSignals();
// Not process.exit(): what was printed must reach a pipe first.
process.exitCode = await run(process.argv.slice(2), processTerminal());
