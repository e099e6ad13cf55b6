import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Cancellation } from "../engine/cancellation.js";
import { createLog } from "../observe/log.js";
import { openContext, type Caller } from "./context.js";

test("the caller of a call that is over is collected with the young objects", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: { readonly type: "minor" }) => void;
  const shared = { env: {}, services: {}, log: createLog({ write: () => undefined }) };
  const callerOf = (requestId: number): Caller & { readonly request: readonly number[] } => ({
    requestId,
    era: "modern",
    signal: new Cancellation(),
    sendLog: async () => undefined,
    clientCapabilities: () => undefined,
    request: Array.from({ length: 1_000 }, () => requestId),
  });
  const handle = (calls: number): void => {
    for (let id = 0; id < calls; id++) {
      openContext(callerOf(id), new Cancellation(), shared).end();
    }
    // What survives one collection is still young.
    for (let round = 0; round < 3; round++) collect({ type: "minor" });
  };
  handle(1_000);
  const before = process.memoryUsage().heapUsed;
  handle(1_000);
  const kept = (process.memoryUsage().heapUsed - before) / 1_000;
  assert.ok(kept < 1_000, `${kept} bytes of a call are kept, of about 8,000`);
});

test.run();
