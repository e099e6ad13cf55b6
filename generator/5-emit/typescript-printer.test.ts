import { test } from "uvu";
import * as assert from "uvu/assert";
import { literalOf } from "../text/code.js";
import { constant } from "./modules/structures.js";
import { createTypeScriptPrinter } from "./typescript-printer.js";

test("what stands in a literal does not change what is printed after it", async () => {
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

test.run();
