import { test } from "uvu";
import * as assert from "uvu/assert";
import { openContext } from "../context/context.js";
import { Cancellation } from "../engine/cancellation.js";
import { sampleServer } from "../samples/server.js";
import { caller } from "../samples/engine.js";
import { createLog } from "../observe/log.js";
import { limitsOf } from "../engine/limits.js";
import { createBackends } from "./backends.js";

test("backends know who calls, so that what callers keep of them is of no use to others", () => {
  const bound: unknown[] = [];
  const definition = {
    ...sampleServer,
    createUpstreams: () => ({
      bind: (_call: object, _stop: unknown, _memory: unknown, principal?: string) => {
        bound.push(principal);
        return {};
      },
      check: async () => [],
      close: async () => undefined,
    }),
  };
  const log = createLog({ write: () => undefined });
  const { shared } = createBackends(definition, { root: ".", log }, limitsOf(definition));
  const ask = (principal?: string): void => {
    const authentication =
      principal === undefined ? {} : { authentication: { principal, scopes: [] } };
    const { context, end } = openContext({ ...caller, ...authentication }, new Cancellation(), {
      ...{ env: {}, services: {}, log },
      ...shared,
    });
    assert.ok((context as { readonly upstreams?: object }).upstreams);
    end();
  };
  ask("ada");
  ask();
  assert.equal(bound, ["ada", undefined]);
});

test.run();
