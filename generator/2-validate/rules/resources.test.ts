import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { checkTemplates } from "./resources.js";

/** The findings about templates, in the order of the manifest: the code and the message of each. */
function foundIn(templates: readonly string[]): string[] {
  const items = templates.map((template) => `  - ${template}\n`);
  const yaml = `name: demo\nversion: 1.0.0\nresourceTemplates:\n${items.join("")}`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(yaml));
  assert.ok(manifest);
  return checkTemplates(manifest).map(({ code, message }) => `${code} ${message}`);
}

function found(...templates: string[]): string[] {
  return foundIn(
    templates.map(
      (template, index) => `{uriTemplate: "${template}", name: t${index}, description: x}`,
    ),
  );
}

test("a template that differs from an earlier one only in the names of its variables is never used", () => {
  const hidden = 'MW2318 "x://{b}" matches what "x://{a}" on line 4 matches, which answers first';
  assert.equal(found("x://{a}", "x://{b}"), [hidden]);
  assert.equal(found("x://{a}", "x://y/{a}", "x://{b}"), [hidden]);
  assert.is(found("x://{a}/b{/more*}", "x://{b}/b{/path*}").length, 1);
});

test("templates with other texts, operators or names in a query are told apart", () => {
  assert.equal(found("x://{a}", "x://{+b}", "x://y/{b}", "x://{b}/{c}"), []);
  assert.equal(found("x://{a}{?page}", "x://{b}{?sort}"), []);
});

test("a template that may be off, or that leaves some values to another, hides none", () => {
  const both = (first: string, second: string): string[] =>
    foundIn([
      `{uriTemplate: "x://{a}", name: a, description: x, ${first}}`,
      `{uriTemplate: "x://{b}", name: b, description: x, ${second}}`,
    ]);
  assert.equal(both("enabled: false", "enabled: true"), []);
  assert.equal(both("mimeType: a/b", "raw: true"), []);
  assert.is(both("raw: true", "mimeType: a/b").length, 1);
});

test("a template without a variable is reported", () => {
  assert.equal(found("x://{a}", "x://about"), [
    'MW2319 "x://about" has no variable, so that it is the template of one URI',
  ]);
});

test.run();
