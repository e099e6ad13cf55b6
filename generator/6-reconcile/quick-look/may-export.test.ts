import { test } from "uvu";
import * as assert from "uvu/assert";
import { mayExport } from "./may-export.js";

test("mayExport: a declaration or a list with the whole name, or a star", () => {
  for (const source of [
    "export const find: ToolHandler = 1;",
    "x;export const find=1",
    "export  const\n find = 1;",
    "export async function find() {}",
    "export abstract class find {}",
    "const find = 1;\nexport { other, find };",
    "export { other as find } from './x.js';",
    "export * from './x.js';",
    "export const findAll = 1; export const find = 2;",
    "export /* of all */ const // things\n find = 1;",
    "export function* find() {}",
    "export { type other, find };",
    "export * as find from './x.js';",
  ]) {
    assert.ok(mayExport(source, "find"), source);
  }
});

test("mayExport: not another name, and nothing that is not exported", () => {
  for (const source of [
    "export const findAll = 1;",
    "export const find$ = 1;",
    "reexport const find = 1;",
    "const find = 1; export { other };",
    "export { $find };",
    "find",
    "// export const find = 1;",
    "/*\nexport const find = 1;\n*/ x;",
    "const text = 'export const find = 1';",
    "const text = `\nexport const find = 1;\n`;",
    "{ export const find = 1; }",
    "export default find;",
    "export default function find() {}",
    "export { find as other };",
    "export { /* find, */ other };",
    "export * as other from './x.js';",
    "a.export; const find = 1;",
    "export const find = {",
  ]) {
    assert.not.ok(mayExport(source, "find"), source);
  }
  assert.ok(mayExport("export const $a$ = 1;", "$a$"));
  assert.not.ok(mayExport("export const $a$b = 1;", "$a$"));
});

test.run();
