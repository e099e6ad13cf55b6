import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../model/json.js";
import { callOf, functionOf, literalOf, onOneLine, sequenceOf } from "../text/code.js";
import { constant } from "./modules/structures.js";
import { layOutWithPrettier } from "./prettier-layout.js";
import { createTypeScriptPrinter } from "./typescript-printer.js";

test("the content of a literal does not change the code that is printed after it", async () => {
  const printer = createTypeScriptPrinter();
  for (const text of ["\\", "/*", "//", "`${", "'", '"', "\n", "/"]) {
    const values = [`${text}\\`, `a ${text}`, text];
    const statements = [
      constant({ name: "values", value: literalOf(values) }),
      constant({ name: "last", value: "1", docs: "The last." }),
    ];
    const printed = await printer.print(statements);
    assert.match(
      printed,
      /^export const values = \[[^]*\];\n\n\/\*\* The last\. \*\/\nexport const last = 1;\n$/,
    );
  }
});

test("calls in tests that people own have prettier's layout, even when prettier is not loaded", async () => {
  const text = "a text that takes its room";
  const inputs: JsonValue[] = [
    {},
    { short: 1 },
    { first: text, second: [text], third: { inner: 1, other: text }, "with-dash": true },
    { list: [text, text, text, text], nested: { list: [{ a: 1 }, { a: 2 }], empty: [] } },
    { numbers: [1e8, 2e8, 3e8, 4e8, 5e8, 6e8, 7e8, 8e8, 9e8, 1, 2, 3], filled: [1, 2, 3] },
    { few: 1, list: [[1, 2], [3]], text: text.repeat(5) },
    { "\u00e9": 'it is "quoted"', exponent: 1e300, name: [9e7, 8e7, 7e7, 6e7], is: true, end: "." },
  ];
  const printer = createTypeScriptPrinter();
  for (const input of inputs) {
    const call = callOf("findOrders", [literalOf(input), "createTestContext()"]);
    const body = functionOf("async ()", [sequenceOf(["const answer = await ", call, ";"])]);
    const statements = [{ code: sequenceOf(["await test(", body, ");"]) }];
    assert.is(
      await printer.printOwned(statements, onOneLine),
      await layOutWithPrettier(
        `await test(async () => { const answer = await ${onOneLine(call)}; });`,
      ),
    );
  }
});

test.run();
