import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Methods } from "../engine/feature.js";
import type { Item } from "../engine/item.js";
import { caller } from "../samples/engine.js";
import { createDeprecations } from "./deprecations.js";

const HOUR = 60 * 60 * 1_000;

const old: Item = {
  definition: { name: "old" },
  deprecated: { since: "1.0.0", use: "fresh", until: "2.0.0" },
};
const items: Readonly<Record<string, Item>> = { old, fresh: { definition: { name: "fresh" } } };

test("the log warns of a deprecated item at its first use, and then once an hour with the number of uses", async () => {
  let now = 0;
  const warnings: object[] = [];
  const log = { warning: (message: string, data: object) => warnings.push({ message, ...data }) };
  // Only the log of the options is used, and only the last parameter is no setting of the server.
  const facility = createDeprecations({} as never, { log } as never, {}, () => now);
  const methods: Methods = {
    "tools/call": {
      parameters: ["name"],
      answer: () => ({}),
      itemOf: ({ name }) => items[String(name)],
    },
    "tools/list": { parameters: [], answer: () => ({}) },
  };
  const wrapped = facility.wrapMethods?.(methods) ?? {};
  const call = (name: string): unknown => wrapped["tools/call"]?.answer({ name }, caller);
  call("fresh");
  call("unknown");
  assert.equal(warnings, []);
  call("old");
  const told = { message: "A deprecated item was used", item: "old", ...old.deprecated };
  assert.equal(warnings, [{ ...told, count: 1 }]);
  for (let count = 0; count < 100; count++) call("old");
  now = HOUR - 1;
  call("old");
  assert.is(warnings.length, 1);
  now = HOUR;
  call("old");
  assert.equal(warnings[1], { ...told, count: 102 });
  assert.is(wrapped["tools/list"], methods["tools/list"]);
});

test.run();
