import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusal, sampleEngine, type SampleEngine } from "./testing/sample-engine.js";

const engine = sampleEngine();
const prompt = { type: "ref/prompt", name: "plan_trip" };
const template = { type: "ref/resource", uri: "sample://cities/{city}" };

function complete(ref: unknown, name: string, value: string, using: SampleEngine = engine) {
  return using.completion.complete({ ref, argument: { name, value } }).completion;
}

test("values that start with what was typed, whatever its case", () => {
  const expected = { values: ["Berlin", "Bern"], total: 2, hasMore: false };
  assert.equal(complete(prompt, "city", "bER"), expected);
  assert.equal(complete(template, "city", "Ber"), expected);
  assert.is(complete(prompt, "city", "").total, 3);
  assert.equal(complete(prompt, "city", "x".repeat(1_000_000)).values, []);
});

test("arguments without values, and listed resources, complete to nothing", () => {
  const nothing = { values: [], total: 0, hasMore: false };
  assert.equal(complete(prompt, "style", ""), nothing);
  assert.equal(complete(prompt, "toString", ""), nothing);
  assert.equal(complete({ type: "ref/resource", uri: "sample://help" }, "a", ""), nothing);
});

test("an answer has at most 100 values", () => {
  const cities = Array.from({ length: 250 }, (_, index) => `City ${index}`);
  const [first] = engine.definition.prompts;
  const using = sampleEngine({ prompts: [{ ...first!, complete: { city: cities } }] });
  const { values, total, hasMore } = complete(prompt, "city", "city", using);
  assert.equal([values.length, total, hasMore], [100, 250, true]);
});

test("unknown references and malformed requests are refused", async () => {
  const bad: unknown[] = [
    { type: "ref/prompt", name: "__proto__" },
    { type: "ref/resource", uri: "sample://nope" },
    { type: "ref/odd" },
    { type: 3 },
    "text",
    undefined,
  ];
  for (const ref of bad) await refusal(-32602, () => complete(ref, "a", ""));
  await refusal(-32602, () => engine.completion.complete({ ref: prompt }));
});

test("the capability is declared only where there are values", () => {
  assert.ok(engine.capabilities.completions);
  assert.not(sampleEngine({ prompts: [], resourceTemplates: [] }).capabilities.completions);
});

test.run();
