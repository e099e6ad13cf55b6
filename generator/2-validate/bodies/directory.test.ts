import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

/** Problems of a template, with the place of each: `code line:column`. The directory is on line 8. */
function problems(directory: string, more = "", uriTemplate = "docs:///{+path}"): string[] {
  const text = `name: demo
version: 1.0.0
env: { DOCS: {}, COUNT: { type: number }, PLACE: { type: url } }
resourceTemplates:
  - name: docs
    description: Documents.
    uriTemplate: "${uriTemplate}"
    directory: { ${directory} }
${more === "" ? "" : `    ${more}\n`}`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest, text);
  return validateManifest(manifest).map(({ code, line, column }) => `${code} ${line}:${column}`);
}

test("correct directories have no problem", () => {
  for (const [directory, more, uriTemplate] of [
    ["root: docs"],
    ["root: { env: DOCS }, hidden: true, maxBytes: 1, list: false, watch: true"],
    ["root: ../docs"],
    ["root: /srv/docs"],
    ["root: docs", "list: code"],
    ["root: docs, list: false", "list: code"],
    ["root: docs", "complete: { path: [a.md] }"],
    ["root: docs", "mimeType: text/plain", "docs://all{/path*}"],
    ["root: docs", "raw: true", "docs:///{+path}.md"],
  ] as const) {
    assert.equal(problems(directory, more, uriTemplate), [], directory);
  }
});

test("each mistake of a directory is reported at its place", () => {
  for (const [directory, more, uriTemplate, ...expected] of [
    ["root: docs", "", "docs:///{path}", "MW2150 7:18"],
    ["root: docs", "", "docs:///{a}/{+path}", "MW2150 7:18"],
    ["root: docs", "", "docs:///{+path}{?a}", "MW2150 7:18"],
    ["root: docs", "", "docs:///all", "MW2150 7:18"],
    ["root: docs, list: true", "list: code", undefined, "MW2151 9:5"],
    ["root: { env: COUNT }", "", undefined, "MW2152 8:31"],
    ["root: { env: PLACE }", "", undefined, "MW2152 8:31"],
    ["root: { env: DOC }", "", undefined, "MW2080 8:31"],
    ['root: "docs/{{path}}"', "", undefined, "MW2145 8:24"],
    ["root: .", "", undefined, "MW2350 8:24"],
    ["root: ../..", "", undefined, "MW2350 8:24"],
    ["root: docs/..", "", undefined, "MW2350 8:24"],
    ["root: /", "", undefined, "MW2350 8:24"],
    ["root: 'C:\\'", "", undefined, "MW2350 8:24"],
    ["root: /root/.ssh", "", undefined, "MW2350 8:24"],
    ["root: node_modules", "", undefined, "MW2350 8:24"],
    ["root: ./node_modules/docs", "", undefined, "MW2350 8:24"],
    ["root: docs", "uses: [roots]", undefined, "MW2084 9:5"],
    ["hidden: true", "", undefined, "MW1204 8:16"],
    ["root: docs, maxBytes: 0", "", undefined, "MW1208 8:40"],
    ["root: docs, hiden: true", "", undefined, "MW1203 8:30"],
  ] as const) {
    const found = problems(directory, more, uriTemplate).filter((one) => !one.startsWith("MW231"));
    assert.equal(found, expected, `${directory} ${more} ${uriTemplate ?? ""}`);
  }
});

test("a directory beside an SQL statement is reported at the later key", () => {
  const found = problems("root: docs", 'sql: { database: shop, query: "select 1" }');
  assert.ok(found.includes("MW2026 8:5"), found.join());
});

test.run();
