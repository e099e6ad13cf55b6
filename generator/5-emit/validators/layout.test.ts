import { test } from "uvu";
import * as assert from "uvu/assert";
import { layOut } from "./layout.js";

/** AJV's way to write on the left, people's on the right. */
function laysOut(code: string, expected: string): void {
  assert.is(layOut(code), expected);
}

test("a condition of one statement has no braces, and one of several has", () => {
  laysOut("if(a){\nb();\n}", "if (a) b();");
  laysOut("if(a){\nb();\nc();\n}", "if (a) {\n  b();\n  c();\n}");
  laysOut("if(a){\nconst b = c;\n}", "if (a) {\n  const b = c;\n}");
  laysOut("function a(b){\nreturn b;\n}", "function a(b) {\n  return b;\n}");
});

test("what is too long for a line gets another", () => {
  const call = `add("${"x".repeat(90)}");`;
  laysOut(`if(a){\n${call}\n}`, `if (a)\n  ${call}`);
  laysOut(`for(b){\nif(a){\n${call}\n}\n}`, `for (b) {\n  if (a)\n    ${call}\n}`);
});

test("an else stands where its block ends, and a condition with an else has braces", () => {
  laysOut("if(a){\nb();\n}\nelse {\nc();\n}", "if (a) {\n  b();\n} else {\n  c();\n}");
  laysOut(
    "if(a){\nif(b){\nc();\n}\n}\nelse {\nd();\n}",
    "if (a) {\n  if (b) c();\n} else {\n  d();\n}",
  );
});

test("strings make no difference", () => {
  laysOut('if(a("){")){\nb("}");\n}', 'if (a("){")) b("}");');
});

test.run();
