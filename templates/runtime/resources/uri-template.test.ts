import { test } from "uvu";
import * as assert from "uvu/assert";
import type { UriTemplatePart } from "./definition.js";
import { uriMatcher } from "./uri-template.js";

const literal = (text: string): UriTemplatePart => ({ kind: "literal", text });
const variable = (operator: "" | "+" | "/" | "." | "?", ...names: string[]): UriTemplatePart => ({
  kind: "expression",
  operator,
  names,
  explode: false,
});
const list = (name: string): UriTemplatePart => ({
  kind: "expression",
  operator: "/",
  names: [name],
  explode: true,
});

const city = uriMatcher([literal("weather://cities/"), variable("", "city"), literal("/current")]);
const docs = uriMatcher([literal("file:///docs/"), variable("+", "path")]);
const tree = uriMatcher([literal("file:///docs"), list("path")]);
const search = uriMatcher([literal("x://find"), variable("?", "q", "page")]);

test("a variable is one segment, decoded once", () => {
  assert.equal(city("weather://cities/S%C3%A3o%20Paulo/current"), { city: "São Paulo" });
  assert.equal(city("weather://cities/100%2525/current"), { city: "100%25" });
  assert.equal(city("weather://cities/a,b/current"), { city: "a,b" });
  for (const uri of [
    "weather://cities//current",
    "weather://cities/a/b/current",
    "weather://cities/a",
    "weather://cities/a/current/",
    "weather://cities/a/CURRENT",
    "weather://cities/a?b/current",
    "weather://cities/a#b/current",
    "weather://cities/%ZZ/current",
    "weather://cities/%C3/current",
    "weather://cities/a%2Fb/current",
    "weather://cities/a%00b/current",
  ]) {
    assert.is(city(uri), undefined, uri);
  }
});

test("a segment may have text around a variable", () => {
  const match = uriMatcher([literal("x://h/report-"), variable("", "id"), literal(".json")]);
  assert.equal(match("x://h/report-7.json"), { id: "7" });
  assert.equal(match("x://h/report-a.json.json"), { id: "a.json" });
  assert.is(match("x://h/report-.json"), undefined);
  assert.is(match("x://h/report.json"), undefined);
  const overlapping = uriMatcher([literal("x://aba"), variable("", "v"), literal("aba")]);
  assert.is(overlapping("x://ababa"), undefined);
});

test("{+x} spans slashes up to the text that follows it", () => {
  assert.equal(docs("file:///docs/a/b/c.md"), { path: "a/b/c.md" });
  const between = uriMatcher([
    literal("x://h/"),
    variable("+", "path"),
    literal("/raw/"),
    variable("", "name"),
  ]);
  assert.equal(between("x://h/a/b/raw/c"), { path: "a/b", name: "c" });
  assert.equal(between("x://h/raw/raw/raw/c"), { path: "raw/raw", name: "c" });
  assert.is(between("x://h/raw/c"), undefined);
});

test("paths that lead to another folder never match", () => {
  for (const path of [
    "../../etc/passwd",
    "%2e%2e/%2e%2e/etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "a/../b",
    "a/./b",
    "/etc/passwd",
    "%2fetc/passwd",
    "a//b",
    "a/",
    "..",
    "..%5c..%5cwindows",
    "%5c%5chost%5cshare",
    "a%00.md",
    "a?b",
    "a#b",
    "",
  ]) {
    assert.is(docs(`file:///docs/${path}`), undefined, path);
    assert.is(tree(`file:///docs/${path}`), undefined, path);
  }
  assert.is(docs("file:///docs/../../etc/passwd"), undefined);
});

/** What only some file systems take for another place, or code that decodes once more. */
const TAKEN_OTHERWISE = [
  "%252e%252e",
  "%252E%252e%252fetc",
  "%25252e",
  "a%255cb",
  "a%253astream",
  "a.",
  "a..",
  "a%20",
  "a:stream",
  "a%3astream",
  "C:",
  "C:a",
  "%5c",
  "a%5cb",
  "CON",
  "nul.txt",
  "Com1",
  "LPT%C2%B9.log",
  "AUX%20.txt",
  "conin$",
];

test("values that some file systems resolve to another file are refused, unless the template has raw", () => {
  for (const value of TAKEN_OTHERWISE) {
    assert.is(city(`weather://cities/${value}/current`), undefined, value);
    for (const path of [value, `a/${value}`, `${value}/a`]) {
      assert.is(docs(`file:///docs/${path}`), undefined, path);
      assert.is(tree(`file:///docs/${path}`), undefined, path);
    }
    if (value === "%5c") continue;
    const raw = uriMatcher([literal("x://h/"), variable("", "v")], true);
    assert.equal(raw(`x://h/${value}`), { v: decodeURIComponent(value) });
  }
  for (const value of [
    "a.b",
    ".hidden",
    "console",
    "com10",
    "a b",
    "nullable",
    "100%25",
    "caf%C3%A9",
  ]) {
    assert.equal(docs(`file:///docs/${value}`), { path: decodeURIComponent(value) });
  }
  const raw = uriMatcher([literal("file:///docs/"), variable("+", "path")], true);
  for (const path of ["..", "a/../b", "%2e%2e/a", "..%5ca", "a//b", "a%00"]) {
    assert.is(raw(`file:///docs/${path}`), undefined, path);
  }
  assert.equal(search("x://find?q=a:b"), { q: "a:b" });
});

test("{/x} and {.x} have one value, and {/x*} has a list", () => {
  const label = uriMatcher([
    literal("x://h"),
    variable("/", "a", "b"),
    literal("/c"),
    variable(".", "ext"),
  ]);
  assert.equal(label("x://h/1/2/c.png"), { a: "1", b: "2", ext: "png" });
  assert.is(label("x://h/1/c.png"), undefined);
  assert.equal(tree("file:///docs/a/b%20c"), { path: ["a", "b c"] });
  assert.equal(tree("file:///docs"), { path: [] });
  assert.is(tree("file:///docs-evil/a"), undefined);
});

test("the variables of {?a,b} are optional, in any order, and no others are accepted", () => {
  assert.equal(search("x://find"), {});
  assert.equal(search("x://find?page=2&q=a%26b%3Dc"), { page: "2", q: "a&b=c" });
  assert.equal(search("x://find?q="), { q: "" });
  for (const query of ["z=1", "q=1&q=2", "q=%ZZ", "q=1#f", "q=1&&page=2", "toString=1"]) {
    assert.is(search(`x://find?${query}`), undefined, query);
  }
});

test("a template without variables in its query has the query as text", () => {
  const match = uriMatcher([literal("x://h/a?v=1&id="), variable("", "id")]);
  assert.equal(match("x://h/a?v=1&id=7"), { id: "7" });
  assert.is(match("x://h/a?v=2&id=7"), undefined);
});

test("two variables without a slash between them are refused when the template is compiled", () => {
  const parts = [literal("y://h/"), variable("", "a"), literal("-"), variable("", "b")];
  assert.throws(() => uriMatcher(parts), /no slash between/);
});

test("a hostile URI is parsed only once", () => {
  const match = uriMatcher([literal("y://h/"), variable("", "a"), literal("-end")]);
  assert.is(match(`y://h/${"-".repeat(1_000_000)}`), undefined);
  assert.is(docs(`file:///docs/${"a/".repeat(500_000)}`), undefined);
});

test.run();
