import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { syntaxProblem } from "../handlers/parse-module.js";
import { quickLook } from "./quick-look.js";

/** A handler with something of everything. */
const HANDLER = `import { z } from "zod";
import type { ToolHandler } from '../generated/index.js';

const PATTERN = /^[/\\]"'(]+\\/$/giu;
const cache = new Map<string, { at: number; value?: readonly string[] }>();

export const find: ToolHandler<"find"> = async ({ who, days = [] }, ctx) => {
  if (!PATTERN.test(who)) return { content: [{ type: "text", text: \`no \${who}: \${[1, 2].map((n) => \`#\${n}\`).join()}\` }] };
  const half = (days.length + 1) / 2 / Number(who!);
  for (const day of days) /\\d/.test(day) ? cache.delete(day) : await ctx.log({ day, half });
  return { found: cache.get(who)?.value ?? [] };
};
`;

test("quickLook: real modules look sound", () => {
  const root = fileURLToPath(new URL("../../../../", import.meta.url));
  for (const folder of ["generator", "templates/runtime"]) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts")) continue;
      assert.ok(quickLook(readFileSync(join(root, folder, name), "utf8")), name);
    }
  }
});

test("quickLook: what is rarer in real modules looks sound too", () => {
  for (const source of [
    "",
    "#!/usr/bin/env -S node (\n\uFEFF\texport const a = 1",
    "// it's { only\n/* a ` ( */ const a = '\\'[', b = \"\\\"(\\\r\n\", c = `${`}`}{`;",
    "a / b / c; (a) / b; a[0] / 2; a! / 2; i++ / 2; this / 2; a.return / 2; 'a' / 2; `a` / 2; // (",
    "if (a) /[(]/.test(b); while (a) /(\\(/ ; x = !/[)]/u.test(b) ? /\\[/ : /]/; void /`/;",
    "const a = 0x1F + 1_000n + .5 + 1e-7 + 1.e3 + 1..toFixed() + 0b1 + 0o7;",
    "class A { @Input() name: string; @Output name2!: string; #a = 1; static { this.#a; } get = 1; }",
    "label: for (;;) { continue label }\nfor await (const a of b) {}\ndo x(); while (a) b()",
    "const a = <const T,>(b: T): b is T & {} => true; type A = | 'a' | B<C<D<E>>>; let b = c satisfies D",
    "type A = { [K in B]-?: C[K]; d(): void }\ntype F<T> = T extends (infer U extends string)[] ? U : never",
    "declare module 'a' { export default b; export = c }\nimport d = require('d')\nexport * as e from 'e'",
    "enum A { class = 1, const }\nconst { a = 1, ...b } = c, [, d, , e] = f;",
    "f<{ a: string; b: number }>(new Map<string, { c: 1; d: 2 }>())\nconst g = { h(): { i: 1; j: 2 } { return k } };",
    "const a = i++ > 1 && i-- > f<A<B<C<D<E<F<G>>>>>>>(1); const g: A<\n  B<C<D<E<F<G<H\n>>>>>> > = <T,>(a: T) => a;",
    "for (const a of b) c(a == 1); for (let a = 1 == b; a == c; ) d(); let e; if (e == 1) f();",
    "String.raw`\\u(${a}\\x`; tag`a``b`;",
    "const f = <const T = { a: 1; b: 2 }>(a: T) => a; const g = { if: (a) / 2 }; const h = { b } as const",
    "const наука = 'é', $ = _, a\u200cb = 1;",
  ]) {
    assert.ok(quickLook(source), source);
  }
});

test("quickLook: without any of its brackets and quotation marks, a module is not sound", () => {
  assert.ok(quickLook(HANDLER));
  const pattern = HANDLER.indexOf("const cache");
  const ends = [...HANDLER.matchAll(/(?<!\$)[()[\]{}"'`]/g)].filter(({ index }) => index > pattern);
  assert.ok(ends.length > 50);
  for (const { index } of ends) {
    const source = HANDLER.slice(0, index) + HANDLER.slice(index + 1);
    assert.not(quickLook(source), source.slice(0, index));
  }
});

test("quickLook: what people leave half-done is not sound", () => {
  for (const source of [
    "const a = {;",
    "const a = ;",
    "const a = b +;",
    "const a = f(b, );;\nconst c = (d;",
    "const a =\nreturn b;",
    "const a = b.\nreturn c;",
    "const a = { b: 1\n c: 2 };",
    "return { b: 1; c: 2 };",
    "f({ b: 1\n c: 2 });",
    "f(a\n b);",
    "f(a b);",
    "f(a, , b);",
    "const a = { b, , c };",
    "import { a } from from 'b';",
    "export function function a() {}",
    "impor { a } from 'b';",
    "import typ { a } from 'b';",
    "export find = 1;",
    "if (a) retur { b };",
    "const a = asyn (b) => b;",
    "const a 1;",
    "cons a = 1;",
    "export cons a = 1;",
    "return a b;",
    "a 'b';",
    "3px",
    "const a = 'b\n';",
    "const a = 'C:\\users';",
    "const a = /b\n/;",
    "/* a",
    "`${}`",
    "`${a`",
    "import { a } 'b';",
    "import",
    "export const a = async () =>",
    "<<<<<<< ours\nexport const a = 1;\n=======\nexport const a = 2;\n>>>>>>> theirs\n",
    "export const a = 1;\n||||||| base\n",
    "export const a = 1;\n=======\n",
    "export const a = 1;\n>>>>>>> theirs\n",
    "export const a = 1\n>>>>>>> theirs\n",
    "function a() {}\n>>>>>>> theirs\n",
    "const a = () = > 1;",
    "const a = () - > 1;",
    "f(a, b: > 1);",
    "const a == 1;",
    "a #b",
    "a \\ b",
    "a 🌧 b",
  ]) {
    assert.not(quickLook(source), source);
  }
});

test("quickLook: of a module without one of its characters, it says mostly what the compiler says", () => {
  const counts = { sound: 0, noticed: 0, overlooked: 0 };
  for (let at = 0; at < HANDLER.length; at++) {
    const source = HANDLER.slice(0, at) + HANDLER.slice(at + 1);
    const looksSound = quickLook(source) !== undefined;
    if (syntaxProblem("find.ts", source) === undefined) {
      assert.ok(looksSound, source);
      counts.sound++;
    } else if (looksSound) counts.overlooked++;
    else counts.noticed++;
  }
  assert.ok(counts.noticed > 8 * counts.overlooked, JSON.stringify(counts));
});

test("quickLook: deep and long modules take no stack and no time to speak of", () => {
  const depth = 50_000;
  assert.ok(quickLook(`${"[".repeat(depth)}${"]".repeat(depth)}`));
  assert.not(quickLook("(".repeat(depth)));
  assert.ok(quickLook("`${".repeat(depth) + "a" + "}`".repeat(depth)));
  for (const long of ["a", "1", "'", "/", " ", "\\", "${", "/*", "!", "@", "é"]) {
    quickLook(long.repeat(depth));
    quickLook(`'${long.repeat(depth)}'`);
  }
});

test.run();
