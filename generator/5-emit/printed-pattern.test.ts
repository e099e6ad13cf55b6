import { test } from "uvu";
import * as assert from "uvu/assert";
import { writeString } from "../text/literal.js";
import { constant } from "./modules/structures.js";
import { PrintedPattern } from "./printed-pattern.js";
import { createTypeScriptPrinter, type FileStatements } from "./typescript-printer.js";

type Words = Readonly<Record<"name" | "value" | "docs", string>>;

const file = ({ name, value, docs }: Words): FileStatements => [
  constant({ name, initializer: `{ title: ${value} }`, docs }),
];

test("a filled pattern is what the printer gives", async () => {
  const printer = createTypeScriptPrinter();
  const placeholders = { name: "nameOfIt", value: '"value of it"', docs: "What it is" };
  const pattern = new PrintedPattern(printer, file, placeholders);
  const cases: Words[] = [
    { name: "a", value: '"b"', docs: "c" },
    { name: "nameOfIt", value: '"value of it"', docs: "nameOfIt and $& and $1" },
    { name: "a", value: writeString('say "hi"'), docs: "quotes change" },
    { name: "a", value: writeString("x".repeat(120)), docs: "too long for a line" },
    { name: "a", value: "1e21", docs: "numbers are written anew" },
    { name: "a", value: "{ b: [1, 2] }", docs: "several\nlines" },
  ];
  for (const words of cases) {
    assert.is(await pattern.fill(words), await printer.print(file(words)), words.docs);
  }
});

test.run();
