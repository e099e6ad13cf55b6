import { setFlagsFromString } from "node:v8";

/** Flags by version of V8, for Node.js 20, 22 and 24. V8 prints a warning for a flag that it does not know. */
const flags: Readonly<Record<string, readonly string[]>> = {
  "11.3": ["--interrupt-budget=1000000"],
  "12.4": ["--invocation-count-for-turbofan=45000", "--invocation-count-for-maglev=6000"],
  "13.6": ["--invocation-count-for-turbofan=45000", "--invocation-count-for-maglev=6000"],
};

/**
 * Makes V8 wait about fifteen times longer before it optimizes a function. A run of mcpwright ends within seconds.
 * With V8's defaults, a third of its CPU time went into optimizing code that then ran too short a time to benefit.
 * With large manifests, functions reach the higher count soon, so that these runs do not become slower.
 */
const version = /^\d+\.\d+/.exec(process.versions.v8)?.[0] ?? "";
for (const flag of flags[version] ?? []) setFlagsFromString(flag);
