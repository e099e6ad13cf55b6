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

test("a parameter has no type of its own in a test for null, and where a function takes any", () => {
  const untyped = (text: string): (string | undefined)[] =>
    parseSql(text, "postgres").parameters.map((parameter) => parameter.untyped);
  for (const [text, ...expected] of [
    ["select 1 where :a is null or x = :a", "null test", undefined],
    ["select 1 where x = :a or :a IS /* ? */ NOT NULL", undefined, "null test"],
    ["select ((:a)) isnull, not :b notnull", "null test", "null test"],
    ["select :a is distinct from null, :b is distinct from x", "null test", undefined],
    ["select case when :a is null then 1 else 2 end", "null test"],
    ["select 1 where x between 1 and :a is null", undefined],
    ["select 1 where x between 1 and 2 and :a is null", "null test"],
    ["select 1 where x = :a is null, x || :b is null, f(:c) is null", ...Array(3).fill(undefined)],
    ["select 1 where :a::int is null and cast(:b as int) is null", undefined, undefined],
    ["select concat(:a, lower(:b), :c::int, (:d) || 'x')", "any", undefined, undefined, undefined],
    [
      "select PG_CATALOG.Format(:a, :b, x), mine.format(:c, :d)",
      undefined,
      "any",
      undefined,
      undefined,
    ],
    ["select json_agg(:a order by x), count(distinct :b)", "any", "any"],
    ["select * from unnest(:a) u, f(array[:b, :c])", "list", undefined, undefined],
  ] as const) {
    assert.equal(untyped(text), expected, text);
  }
  assert.equal(untyped("select extract(year from :a), date_trunc('day', :b), to_char(:c, :d)"), [
    "time",
    "time",
    "number or time",
    undefined,
  ]);
  assert.equal(parseSql("select :a is null", "sqlite").parts, [
    "select ",
    { argument: "a" },
    " is null",
  ]);
});

test("parameters get a type from each other where nothing beside them tells it", () => {
  const commonOf = (text: string): readonly (string | undefined)[] =>
    parseSql(text, "postgres").parts.flatMap((part) =>
      typeof part === "string"
        ? []
        : [part.common && `${part.common.names.join(" ")}${part.common.besideNumber ? " 0" : ""}`],
    );
  for (const [text, ...expected] of [
    ["select coalesce(:a, 0), GREATEST(:b, :c), least(:d, -1.5, null)", "a 0", "b c", "b c", "d 0"],
    ["select nullif(:a, ''), nullif(:b, :c)", undefined, "b c", "b c"],
    ["select array[:a, :b], array[:c]::int[], x[:d]", "a b", "a b", undefined, undefined],
    ["select case when :a then :b when x then null else :c end", undefined, "b c", "b c"],
    ["select case :a when 1 then :b + 1 else :c end", "a", undefined, undefined],
    ["select case :a when 'x' then 1 end, case :b when :c then 1 end", undefined, "b c", "b c"],
    ["select case x when :a then 1 end", undefined],
    ["select generate_series(:a, :b), mod(:c, 2)", "a b", "a b", undefined],
    [
      "select coalesce(:a, x), coalesce(:b::int, :c), coalesce(f(:d), :e)",
      ...Array(5).fill(undefined),
    ],
    ["select greatest(coalesce(:a, :b), (select 1), :c)", "a b", "a b", undefined],
    [
      "select coalesce(case when true then :a end, 'end', :b), mine.least(:c)",
      "a",
      undefined,
      undefined,
    ],
  ] as const) {
    assert.equal(commonOf(text), expected, text);
  }
  assert.equal(parseSql("select coalesce(:a, 0)", "sqlite").parts[1], { argument: "a" });
});

test.run();
