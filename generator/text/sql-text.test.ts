import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseSql } from "./sql-text.js";
import type { SqlDialect } from "./sql-tokens.js";

const names = (text: string, dialect: SqlDialect = "postgres"): string[] =>
  parseSql(text, dialect).parameters.map(({ name }) => name);
const problems = (text: string, dialect: SqlDialect = "postgres"): string[] =>
  parseSql(text, dialect).problems.map(({ kind }) => kind);

test("parameters are found outside strings, quoted names and comments", () => {
  for (const [text, ...expected] of [
    ["select :a, :b_1, :A", "a", "b_1", "A"],
    ["select ':a', \":a\", :b", "b"],
    ["select 'it''s :a', :b", "b"],
    ["select E'\\' :a', :b", "b"],
    ["select e'\\\\', :a", "a"],
    ["select 'x\\', :a", "a"],
    ["select -- :a ' \n :b", "b"],
    ["select /* :a ' /* :b */ :c */ :d", "d"],
    ["select $$ :a ' $$, $x$ :b $$ $x$, :c", "c"],
    ["select a::text, :b::int, :c :: text", "b", "c"],
    ["select f(x := :a)", "a"],
    ["select a[1:2], a[i:j], a[:b], a[1:b[2]], :c", "b", "c"],
    ["select a[:lo : :hi]", "lo", "hi"],
    ["select array[:a, :b]", "a", "b"],
    ["select some$thing$ from t where x = :a", "a"],
    ["select :a where j ? 'x' and j @> '{}'", "a"],
  ] as const) {
    assert.equal(names(text), expected, text);
    assert.equal(problems(text), [], text);
  }
  assert.equal(names("select [:a], `:b`, :c /* /* :d */, :e", "sqlite"), ["c", "e"]);
  assert.equal(names("select 'x\\', :a", "sqlite"), ["a"]);
});

test("unclosed quotes, second statements and other parameters are problems", () => {
  assert.equal(problems("select 1;"), []);
  assert.equal(problems("select ';' ; -- end"), []);
  assert.equal(problems("select 1; delete from t"), ["secondStatement"]);
  assert.equal(problems("select 'a"), ["unclosed"]);
  assert.equal(problems("select E'a\\'"), ["unclosed"]);
  assert.equal(problems('select "a'), ["unclosed"]);
  assert.equal(problems("select $x$ a $$"), ["unclosed"]);
  assert.equal(problems("select /* a"), ["unclosed"]);
  assert.equal(problems("select $1"), ["otherParameter"]);
  assert.equal(problems("select ?, ?1, @a, $a", "sqlite"), Array(4).fill("otherParameter"));
  assert.equal(problems("select {{a}}"), ["templatePlaceholder"]);
});

test("the parts of a statement are its text and its arguments", () => {
  const { parts, parameters, keyword } = parseSql("(SELECT :a::int, ':b')", "postgres");
  assert.equal(parts, ["(SELECT ", { argument: "a" }, "::int, ':b')"]);
  assert.equal(parameters, [{ name: "a", offset: 8, cast: "int" }]);
  assert.is(keyword, "select");
});

test.run();
