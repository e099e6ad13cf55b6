import { test } from "uvu";
import * as assert from "uvu/assert";
import type { TextTemplate } from "./fixed-content.js";
import { renderText } from "./fixed-content.js";

const render = (template: TextTemplate, values: Record<string, unknown>): string =>
  renderText(template, values, 1_000);

test("substituted values are not scanned for arguments", () => {
  const template: TextTemplate = ["Hello ", { argument: "who" }, "!"];
  assert.is(render(template, { who: "{{who}} $& $1 \\" }), "Hello {{who}} $& $1 \\!");
  assert.is(render(template, {}), "Hello !");
  assert.is(render(template, { who: { a: [1] } }), 'Hello {"a":[1]}!');
  assert.is(render(template, { who: 3 }), "Hello 3!");
});

test("conditional and nested parts depend on which arguments are present", () => {
  const template: TextTemplate = [
    { when: "a", then: ["a=", { argument: "a" }, { unless: "b", then: [" no b"] }] },
    { unless: "a", then: ["no a"] },
  ];
  assert.is(render(template, { a: "" }), "a= no b");
  assert.is(render(template, { a: "1", b: "2" }), "a=1");
  assert.is(render(template, {}), "no a");
});

test("only own properties are arguments", () => {
  assert.is(render([{ argument: "toString" }, { when: "constructor", then: ["x"] }], {}), "");
});

test("a text that would be too long is an error", () => {
  const template: TextTemplate = Array.from({ length: 1_000 }, () => ({ argument: "a" }));
  assert.throws(() => render(template, { a: "x".repeat(10) }), RangeError);
});

test.run();
