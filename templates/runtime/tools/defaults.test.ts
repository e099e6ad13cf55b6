import { test } from "uvu";
import * as assert from "uvu/assert";
import { filledIn, type Defaults } from "./defaults.js";

test("missing members are filled in at every level that is present", () => {
  const defaults: Defaults = {
    properties: {
      days: { value: 3 },
      place: { properties: { unit: { value: "C" } } },
      tags: { items: { properties: { weight: { value: 1 } } } },
      options: {
        value: { deep: {} },
        properties: { deep: { properties: { on: { value: true } } } },
      },
      nothing: { value: null },
    },
  };
  assert.equal(filledIn({ days: 0, tags: [{}, { weight: 2 }, "odd"] }, defaults), {
    days: 0,
    tags: [{ weight: 1 }, { weight: 2 }, "odd"],
    options: { deep: { on: true } },
    nothing: null,
  });
  assert.equal(filledIn({ place: {} }, defaults), {
    place: { unit: "C" },
    days: 3,
    options: { deep: { on: true } },
    nothing: null,
  });
});

test("the input and the defaults are not changed", () => {
  const input = { list: [{}] };
  const value = { a: [1] };
  const defaults: Defaults = {
    properties: { options: { value }, list: { items: { properties: { x: { value: 1 } } } } },
  };
  const filled = filledIn(input, defaults) as { options: { a: number[] } };
  filled.options.a.push(2);
  assert.equal(value, { a: [1] });
  assert.equal(input, { list: [{}] });
});

test("names of Object.prototype are treated like other names", () => {
  const properties = Object.fromEntries(
    ["__proto__", "toString"].map((name) => [name, { value: 1 } as Defaults]),
  );
  const filled = filledIn({}, { properties }) as object;
  assert.equal(Object.entries(filled), [
    ["__proto__", 1],
    ["toString", 1],
  ]);
  assert.is(Object.getPrototypeOf(filled), Object.prototype);
});

test("values of another type than the schema's are not changed", () => {
  assert.is(filledIn("text", { properties: { a: { value: 1 } } }), "text");
  assert.equal(filledIn([1], { properties: { a: { value: 1 } } }), [1]);
});

test.run();
