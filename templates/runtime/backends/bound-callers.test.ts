import { test } from "uvu";
import * as assert from "uvu/assert";
import { openContext } from "../context/context.js";
import { Cancellation } from "../engine/cancellation.js";
import { createAsking } from "../asking/asking.js";
import { sampleAsks } from "../samples/asking.js";
import { sampleServer, tool } from "../samples/server.js";
import { caller, sampleEngine } from "../samples/engine.js";
import { createLog } from "../observe/log.js";
import { limitsOf } from "../engine/limits.js";
import { createBackends, type BackendsOfKind } from "./backends.js";

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

test("a handler that asks binds backends only where it reads them", async () => {
  let bound = 0;
  const tools = [
    tool("reads", (_input, ctx) => `${typeof (ctx as { upstreams?: object }).upstreams}`, {
      asks: sampleAsks,
    }),
    tool("does_not", () => "nothing", { asks: sampleAsks }),
  ];
  const createUpstreams = (): BackendsOfKind => ({
    bind: () => ({ times: ++bound }),
    check: async () => [],
    close: async () => undefined,
  });
  const definition = { ...sampleServer, tools, createUpstreams };
  const log = createLog({ write: () => undefined });
  const { shared } = createBackends(definition, { root: ".", log }, limitsOf(definition));
  const engine = sampleEngine({ tools }, { ...shared, runner: createAsking({}) });
  await engine.tools.call({ name: "does_not" }, caller);
  assert.is(bound, 0);
  await engine.tools.call({ name: "reads" }, caller);
  assert.is(bound, 1);
});

test.run();
