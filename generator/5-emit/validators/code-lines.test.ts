import { test } from "uvu";
import * as assert from "uvu/assert";
import { layOutCode } from "./rewrite-code.js";

/** AJV's way to write on the left, people's on the right. */
function laysOut(code: string, expected: string): void {
  assert.is(layOutCode(code.trim()), expected.trim());
}

test("a block of one statement has no braces, and one of several has", () => {
  laysOut("if(a){\nb();\n}", "if (a) b();");
  laysOut("if(a){\nb();\nc();\n}", "if (a) {\n  b();\n  c();\n}");
  laysOut("for(const a of b){\nc(a);\n}", "for (const a of b) c(a);");
  laysOut("if(a){\nconst b = c;\n}", "if (a) {\n  const b = c;\n}");
  laysOut("function a(b){\nreturn b;\n}", "function a(b) {\n  return b;\n}");
});

test("what is too long for a line gets another", () => {
  const call = `add("${"x".repeat(90)}");`;
  laysOut(`if(a){\n${call}\n}`, `if (a)\n  ${call}`);
  laysOut(`for(b){\nif(a){\n${call}\n}\n}`, `for (b) {\n  if (a)\n    ${call}\n}`);
});

test("an else stands where its block ends", () => {
  laysOut("if(a){\nb();\n}\nelse {\nc();\n}", "if (a) b();\nelse c();");
  laysOut("if(a){\nb();\nc();\n}\nelse {\nd();\n}", "if (a) {\n  b();\n  c();\n} else d();");
  laysOut("if(a){\nb();\n}\nelse {\nif(c){\nd();\n}\n}", "if (a) b();\nelse if (c) d();");
});

test("a condition within a condition is one, unless an else or another statement hangs on it", () => {
  laysOut("if(a){\nif(b){\nif(c){\nd();\n}\n}\n}", "if (a && b && c) d();");
  laysOut("if(a){\nif(b){\nc();\n}\n}\nelse {\nd();\n}", "if (a) {\n  if (b) c();\n} else d();");
  laysOut("if(a){\nif(b){\nc();\n}\nelse {\nd();\n}\n}", "if (a) {\n  if (b) c();\n  else d();\n}");
  laysOut("if(a){\nif(b){\nc();\n}\nd();\n}", "if (a) {\n  if (b) c();\n  d();\n}");
  laysOut("if(a || b){\nif(c){\nd();\n}\n}", "if (a || b) {\n  if (c) d();\n}");
});

test("strings make no difference to that", () => {
  laysOut('if(a("||")){\nif(b){\nc();\n}\n}', 'if (a("||") && b) c();');
  const long = `a("${"x".repeat(90)}")`;
  laysOut(`if(${long}){\nif(b){\nc();\n}\n}`, `if (${long} && b)\n  c();`);
});

test("a block with nothing in it is left out, and its else", () => {
  laysOut("a();\nif(b){\n}\nc();", "a();\nc();");
  laysOut("if(a){\nb();\nc();\n}\nelse {\n}\nd();", "if (a) {\n  b();\n  c();\n}\nd();");
});

test.run();
