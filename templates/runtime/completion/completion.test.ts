import { test } from "uvu";
import * as assert from "uvu/assert";
import type { CompletionQuery } from "./definition.js";
import { caller, refusal, sampleEngine, type SampleEngine } from "../samples/engine.js";
import { erased } from "../samples/server.js";

const engine = sampleEngine();
const prompt = { type: "ref/prompt", name: "plan_trip" };
const template = { type: "ref/resource", uri: "sample://cities/{city}" };

async function complete(
  ref: unknown,
  name: string,
  value: string,
  using: SampleEngine = engine,
  given?: object,
) {
  const context = given === undefined ? {} : { context: { arguments: given } };
  const asked = { ref, argument: { name, value }, ...context };
  return (await using.completion.complete(asked, caller)).completion;
}

/** An engine whose one prompt completes `city` with this code. */
function withCode(code: (input: CompletionQuery) => unknown): SampleEngine {
  const [first] = engine.definition.prompts;
  return sampleEngine({ prompts: [{ ...first!, complete: { city: () => erased(code) } }] });
}

test("the values that start with the typed text, in any case, are suggested", async () => {
  const expected = { values: ["Berlin", "Bern"], total: 2, hasMore: false };
  assert.equal(await complete(prompt, "city", "bER"), expected);
  assert.equal(await complete(template, "city", "Ber"), expected);
  assert.is((await complete(prompt, "city", "")).total, 3);
  assert.equal((await complete(prompt, "city", "x".repeat(1_000_000))).values, []);
});

test("arguments without values, and listed resources, have no suggestions", async () => {
  const nothing = { values: [], total: 0, hasMore: false };
  assert.equal(await complete(prompt, "style", ""), nothing);
  assert.equal(await complete(prompt, "toString", ""), nothing);
  assert.equal(await complete({ type: "ref/resource", uri: "sample://help" }, "a", ""), nothing);
});

test("an answer has at most 100 values", async () => {
  const cities = Array.from({ length: 250 }, (_, index) => `City ${index}`);
  const [first] = engine.definition.prompts;
  const using = sampleEngine({ prompts: [{ ...first!, complete: { city: cities } }] });
  const { values, total, hasMore } = await complete(prompt, "city", "city", using);
  assert.equal([values.length, total, hasMore], [100, 250, true]);
});

test("a handler gets the typed text and the other arguments, and its order is kept", async () => {
  const asked: CompletionQuery[] = [];
  const using = withCode((input) => {
    asked.push(input);
    return ["Bonn", "Aachen"];
  });
  const expected = { values: ["Bonn", "Aachen"], total: 2, hasMore: false };
  assert.equal(await complete(prompt, "city", "B", using, { style: "bike", odd: 3 }), expected);
  assert.equal(asked, [{ value: "B", given: { style: "bike" } }]);
});

test("a handler may return the number of all values", async () => {
  const many = Array.from({ length: 120 }, (_, index) => `City ${index}`);
  const answers: [returned: unknown, total: number | undefined, hasMore: boolean][] = [
    [many, 120, true],
    [{ values: ["a"], total: 7 }, 7, true],
    [{ values: ["a"], hasMore: true }, undefined, true],
    [{ values: ["a"], total: 1.5 }, 1, false],
  ];
  for (const [returned, expectedTotal, expectedMore] of answers) {
    const { values, total, hasMore } = await complete(
      prompt,
      "city",
      "",
      withCode(() => returned),
    );
    assert.equal([total, hasMore], [expectedTotal, expectedMore]);
    assert.ok(values.length <= 100);
  }
});

test("the error of a handler, and a result that is no list of texts, are answered without details", async () => {
  const failing = withCode(() => {
    throw new Error("secret");
  });
  assert.not.match(await refusal(-32603, () => complete(prompt, "city", "", failing)), "secret");
  assert.match(failing.lines.join(), "secret");
  for (const returned of ["a", [1], undefined, { values: "a" }]) {
    await refusal(-32603, () =>
      complete(
        prompt,
        "city",
        "",
        withCode(() => returned),
      ),
    );
  }
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
  await refusal(-32602, () => engine.completion.complete({ ref: prompt }, caller));
});

test("the capability is declared only if there are suggestions", () => {
  assert.ok(engine.capabilities.completions);
  assert.not(sampleEngine({ prompts: [], resourceTemplates: [] }).capabilities.completions);
});

test.run();
