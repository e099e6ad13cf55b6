import { test } from "uvu";
import * as assert from "uvu/assert";
import { typeError } from "../../model/catalogue/development.js";
import { wholeFile } from "../../model/place.js";
import { parseCompilerOutput, placeOfWord } from "./compiler-findings.js";

test("errors in files and in the configuration are parsed with the lines that explain them", () => {
  const text = [
    "src/tools/a.ts(4,7): error TS2322: Type '{ b: number; }' is not assignable to type 'A'.",
    "  Types of property 'b' are incompatible.",
    "    Type 'number' is not assignable to type 'string'.",
    "src/(odd) name.ts(1,1): error TS1005: ';' expected.",
    "error TS5023: Unknown compiler option 'nonsense'.",
    "",
  ].join("\r\n");
  assert.equal(parseCompilerOutput(text), [
    {
      file: "src/tools/a.ts",
      line: 4,
      column: 7,
      code: "TS2322",
      message:
        "Types of property 'b' are incompatible. Type 'number' is not assignable to type 'string'.",
    },
    { file: "src/(odd) name.ts", line: 1, column: 1, code: "TS1005", message: "';' expected." },
    { line: 1, column: 1, code: "TS5023", message: "Unknown compiler option 'nonsense'." },
  ]);
  assert.equal(parseCompilerOutput("Segmentation fault\n"), []);
});

test("the place of a finding is the word at its position", () => {
  const text = 'one\r\n  days: "x",\n';
  assert.equal(placeOfWord(text, "a.ts", { line: 2, column: 3 }), {
    file: "a.ts",
    ...{ line: 2, column: 3, endLine: 2, endColumn: 7 },
  });
  assert.is(placeOfWord(text, "a.ts", { line: 2, column: 9 }).endColumn, 12);
  assert.is(placeOfWord(text, "a.ts", { line: 9, column: 9 }).endColumn, 10);
});

test("only of what handlers return is said how a whole result is made", () => {
  const hintOf = (message: string): string | undefined =>
    typeError(wholeFile("a.ts"), { message, code: "TS2322" }).hint;
  const output = "'WeighOutput | ToolResult<WeighOutput>'";
  for (const message of [
    "Type '{ content: { type: string; }[]; }' is not assignable to type 'ToolContent'.",
    "Type 'number' is not assignable to type 'Awaitable<ToolContent>'.",
    `Type '{ isError: boolean; content: string; }' is not assignable to type ${output}.`,
    "Type '{ [x: string]: unknown; _m...' is missing the following properties from type 'readonly ContentBlock[]': length.",
    "Property 'kilograms' is missing in type '{ a: 1; content: string; }' but required in type 'WeighOutput'.",
  ]) {
    assert.match(hintOf(message) ?? "", "result({ content");
  }
  for (const message of [
    "Property 'kilograms' is missing in type '{ pounds: number; }' but required in type 'WeighOutput'.",
    "Property 'kilograms' does not exist on type 'WeighOutput | ToolResult<WeighOutput>'.",
    "Argument of type 'ToolResult<A>' is not assignable to parameter of type 'A'.",
    "Type '{ content: string; }' is not assignable to type 'Page'.",
    "Type 'string' is not assignable to type 'number'.",
  ]) {
    assert.is(hintOf(message), undefined);
  }
});

test.run();
