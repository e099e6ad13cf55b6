import * as assert from "uvu/assert";
import { textOf } from "./demo-server.js";
import type { Probes } from "./probes.js";

/** Arguments for schemas that lead back to themselves; beside the shared list. */
export const schemaProbes: Probes = {
  "an expression as deep as arguments may be": async (server) => {
    const expression = (operator: string, innermost: string): object =>
      Array.from({ length: 60 }).reduce<object>((operand) => ({ operator, operand }), {
        operator: innermost,
      });
    for (const operator of ["plus", "minus"]) {
      const right = await server.call("evaluate", { of: expression(operator, "minus") });
      assert.is(right.message.result?.["isError"], undefined, right.text.slice(0, 300));
      const wrong = await server.call("evaluate", { of: expression(operator, "times") });
      assert.is(wrong.message.result?.["isError"], true, wrong.text.slice(0, 300));
      assert.ok(wrong.text.length <= 8_192, "a short error");
    }
  },
  "a list that takes too much effort to check": async (server) => {
    const items = Array.from({ length: 20_000 }, () => ({ self: {} }));
    const many = await server.call("untangle", { items });
    assert.is(many.message.result?.["isError"], true, many.text.slice(0, 300));
    assert.match(textOf(many), "tool untangle: is too deep or too costly to be checked");
    const few = await server.call("untangle", { items: items.slice(0, 100) });
    assert.is(textOf(few), "100");
  },
};
