import { readFile } from "node:fs/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  defaultAnswerBytes,
  defaultLimits,
  limitNames,
  limitRules,
  limitsOf,
  unmetLimit,
  type LimitRule,
} from "./limits.js";

interface Schema {
  readonly default?: number;
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const file = new URL("../../../../schemas/manifest.schema.json", import.meta.url);
const schema = JSON.parse(await readFile(file, "utf8")) as { $defs: Record<string, Schema> };

test("the manifest's schema says of every limit what the table of the runtime says", () => {
  const described = Object.entries(schema.$defs["limits"]?.properties ?? {});
  assert.equal(described.map(([name]) => name).sort(), [...limitNames].sort());
  for (const [name, { default: usual, oneOf }] of described) {
    const rule: LimitRule = limitRules[name as keyof typeof limitRules];
    const [number] = oneOf ?? [];
    assert.is(usual, rule.default, `default of ${name}`);
    assert.is(number?.type, rule.mayBeFraction === true ? "number" : "integer", `type of ${name}`);
    assert.is(number?.minimum ?? number?.exclusiveMinimum, rule.least, `least ${name}`);
    assert.is(number?.exclusiveMinimum !== undefined, rule.mayBeFraction === true, name);
    assert.is(number?.maximum, rule.most, `most ${name}`);
    assert.is(unmetLimit(name as keyof typeof limitRules, rule.default), undefined, name);
  }
});

test("the manifest's schema says of every `maxBytes` what the table of the runtime says", () => {
  const found: Record<string, number | undefined> = {};
  for (const [name, { properties = {} }] of Object.entries(schema.$defs)) {
    if (properties["maxBytes"] !== undefined) found[name] = properties["maxBytes"].default;
  }
  assert.ok(Object.keys(found).length >= 4, Object.keys(found).join());
  for (const [name, bytes] of Object.entries(found)) {
    const { file: fileBytes, backend } = defaultAnswerBytes;
    assert.is(bytes, name.toLowerCase().includes("director") ? fileBytes : backend, name);
  }
});

test("a variable sets a limit, and without a value the default holds", () => {
  const set = { limits: { ratePerSecond: { env: "RATE" }, depth: 3 } };
  assert.equal(limitsOf(set, { RATE: 0.5 }), { ...defaultLimits, depth: 3, ratePerSecond: 0.5 });
  assert.equal(limitsOf(set, {}), { ...defaultLimits, depth: 3 });
  const env = [{ name: "RATE", default: 7 }];
  assert.is(limitsOf({ ...set, env }, {}).ratePerSecond, 7, "the variable's default");
  assert.throws(
    () => limitsOf(set, { RATE: 0 }),
    "RATE sets limits.ratePerSecond, which must be a number above 0 and at most 1000000, not 0",
  );
});

test("the message about a wrong limit says in words what it must be", () => {
  const fit = [unmetLimit("ratePerSecond", 0.1), unmetLimit("subscriptions", 0)];
  assert.equal(fit, [undefined, undefined]);
  assert.is(unmetLimit("ratePerSecond", -1), "a number above 0 and at most 1000000");
  assert.is(unmetLimit("ratePerSecond", 1e7), "a number above 0 and at most 1000000");
  assert.is(unmetLimit("depth", 0), "a whole number from 1 to 512");
  assert.is(unmetLimit("depth", 1.5), "a whole number from 1 to 512");
  assert.is(unmetLimit("sessions", 0), "a whole number of at least 1");
  assert.is(unmetLimit("sessions", "12"), "a whole number of at least 1");
  assert.is(unmetLimit("sessions", NaN), "a whole number of at least 1");
});

test.run();
