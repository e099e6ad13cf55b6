import { search } from "@jmespath-community/jmespath";
import { test } from "uvu";
import * as assert from "uvu/assert";
import * as steps from "../../templates/runtime/selection/selection.js";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { makeValid } from "../schema/instances/make-instances.js";
import { accepts } from "../schema/interpret.js";
import { onOneLine } from "../text/code.js";
import { randomNumbers } from "../testing/harness/runner/random-numbers.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";
import { AnswerSchema } from "./answer-schema.js";
import { parseSelection } from "./parse-selection.js";
import { selectedSchema } from "./selected-schema.js";
import { selectedValue } from "./selected-value.js";
import { selectionCode } from "./selection-code.js";
import type { Selection } from "../model/selection.js";

function parsed(text: string): Selection {
  const result = parseSelection(text);
  if (result.problem !== undefined) throw new Error(`${text}: ${result.problem}`);
  return result.selection;
}

/** What the generated code of a selection makes of a value. */
function runCode(selection: Selection, value: unknown): unknown {
  const { code, steps: names } = selectionCode(selection, "answer", []);
  const used = names.map((name) => (steps as Record<string, unknown>)[name]);
  const made = new Function(...names, `return ${onOneLine(code)};`)(...used) as (
    value: unknown,
  ) => unknown;
  return value === null ? null : made(value);
}

type Outcome = { readonly value: unknown } | "fails";

function outcomeOf(select: () => unknown): Outcome {
  try {
    return { value: select() ?? null };
  } catch {
    return "fails";
  }
}

test("selections make of answers what JMESPath makes of them", () => {
  const answer = {
    items: [
      { id: 1, user: { login: "ann" }, tags: ["a", "b"], open: true, size: 3 },
      { id: 2, user: null, tags: [], open: false, size: 5 },
      { id: 3, tags: null, name: "third" },
    ],
    groups: [[1, null, 2], 3, [4]],
    byName: { one: { n: 1 }, two: { n: null }, three: 3 },
    total: 3,
    empty: [],
    "odd name": { "a.b": 1 },
  };
  for (const text of [
    "items[].{id: id, owner: user.login}",
    "items[*].user.login",
    "items[?open].id",
    "items[?size > `3`].id | [0]",
    "items[?user.login == 'ann'].{id: id, tags: join(', ', tags)}",
    "items[?contains(not_null(tags, `[]`), 'b')].id",
    "items[].tags[]",
    "groups[]",
    "groups[][]",
    "byName.*.n",
    "{total: total, first: items[0].id, last: items[-1].name}",
    "[total, length(items), keys(byName)]",
    "items[1:].id",
    "items[::-1].id",
    "items[5]",
    "empty || items[0].id",
    "total && items[0].open",
    "!empty",
    '"odd name"."a.b"',
    "items[*].[id, size]",
    "nothing.at.all",
    "nothing[].x",
    "items[].{n: name || 'none', s: to_string(size)}",
    "sum(items[].id)",
    "@",
    "items[?!open].{id: id}",
    "starts_with(items[2].name, 'th')",
    "items[?size >= `3` && size < `5`].id",
    "length(nothing)",
    "join(',', groups)",
  ]) {
    const expected = outcomeOf(() => search(answer, text));
    assert.equal(
      outcomeOf(() => selectedValue(parsed(text), answer)),
      expected,
      text,
    );
    assert.equal(
      outcomeOf(() => runCode(parsed(text), answer)),
      expected,
      `the code of ${text}`,
    );
  }
});

test("the code of selections reads as if a person had written it", () => {
  for (const [text, code] of [
    [
      "items[].{id: id, owner: user.login}",
      '(answer) => each(flat(at(answer, "items")), (item) => ({ id: at(item, "id"), owner: at(item, "user", "login") }))',
    ],
    [
      "items[?state == 'open'].number",
      '(answer) => each(where(at(answer, "items"), (item) => equal(at(item, "state"), "open")), (item) => at(item, "number"))',
    ],
    [
      "user.{name: login}",
      '(answer) => present(at(answer, "user"), (user) => ({ name: at(user, "login") }))',
    ],
    ["length(replies)", '(answer) => count(at(answer, "replies"))'],
    ["a.b || c", '(answer) => either(at(answer, "a", "b"), () => at(answer, "c"))'],
    ["items[0].id", '(answer) => at(nth(at(answer, "items"), 0), "id")'],
    [
      "items[].items[].id",
      '(answer) => each(flat(each(flat(at(answer, "items")), (item) => at(item, "items"))), (item) => at(item, "id"))',
    ],
    [
      "answers[].{a: answers[].b}",
      '(answer) => each(flat(at(answer, "answers")), (answer2) => ({ a: each(flat(at(answer2, "answers")), (answer3) => at(answer3, "b")) }))',
    ],
  ] as const) {
    assert.is(onOneLine(selectionCode(parsed(text), "answer", []).code), code);
  }
});

test("an invalid selection is refused with the reason", () => {
  for (const [text, problem] of [
    ["items[", /^it is no JMESPath: /],
    ["lenght(items)", /^a selection has no function "lenght": did you mean "length"\?$/],
    ["max_by(items, &size)", /^a selection has no function "max_by": it can call contains, /],
    ["length()", /length\(\) takes 1 argument$/],
    ["$.items", /^the root of the answer \("\$"\) cannot be used here$/],
    ["a ? b : c", /^a condition /],
    ["a + b", /^arithmetic cannot/],
    ["items[::0]", /step of a slice is 0|no JMESPath/],
  ] as const) {
    const { problem: found } = parseSelection(text);
    assert.match(found ?? "", problem, text);
  }
});

const TEXT = { type: "string" };
const ISSUES: JsonObject = {
  type: "object",
  properties: {
    items: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "integer", description: "Number" },
          user: { anyOf: [{ $ref: "#/$defs/User" }, { type: "null" }] },
          tags: { type: "array", items: TEXT },
        },
        required: ["id", "user"],
      },
    },
    total: { type: "integer" },
  },
  required: ["items"],
  $defs: { User: { type: "object", properties: { login: TEXT }, required: ["login"] } },
};

function schemaOf(text: string, answer: JsonSchema): ReturnType<typeof selectedSchema> {
  return selectedSchema(parsed(text), new AnswerSchema(answer, () => undefined));
}

test("the schema of a selection is derived from that of the answer", () => {
  const { schema, problems } = schemaOf("items[].{id: id, owner: user.login, user: user}", ISSUES);
  assert.equal(problems, []);
  assert.equal(schema, {
    type: "array",
    items: {
      type: "object",
      properties: {
        id: { type: "integer", description: "Number" },
        owner: { type: ["string", "null"] },
        user: { anyOf: [{ $ref: "#/$defs/User" }, { type: "null" }] },
      },
      required: ["id", "owner", "user"],
      additionalProperties: false,
    },
    $defs: { User: { type: "object", properties: { login: TEXT }, required: ["login"] } },
  });
  assert.equal(schemaOf("{count: length(items), sum: total}", ISSUES).schema, {
    type: "object",
    properties: { count: { type: "integer", minimum: 0 }, sum: { type: ["integer", "null"] } },
    required: ["count", "sum"],
    additionalProperties: false,
  });
});

test("a recursive answer keeps its schema as a definition", () => {
  const tree = {
    type: "object",
    properties: { name: TEXT, children: { type: "array", items: { $ref: "#" } } },
    required: ["name"],
  };
  const { schema } = schemaOf("children", tree);
  const value = [{ name: "a", children: [{ name: "b" }] }];
  assert.ok(accepts(schema, value));
  assert.not.ok(accepts(schema, [{ name: "a", children: [{ name: 1 }] }]));
});

test("parts that no answer has, and functions that fail, are problems in words", () => {
  for (const [text, problem] of [
    ["items[].{id: idd}", 'the answer\'s schema has no member "idd" there: did you mean "id"?'],
    ["total[].id", "a list is needed where the answer's schema has a number"],
    ["items[].id.x", 'nothing has a member "x": what it looks into is a number'],
    [
      "items[].{n: length(tags)}",
      "length() fails where its argument is null, unless the selection has something in its place (`tags || \\`[]\\``)",
    ],
    ["join(', ', items[].id)", "join() fails where its argument is a number"],
  ] as const) {
    assert.equal(schemaOf(text, ISSUES).problems, [problem], text);
  }
  assert.equal(schemaOf("items[].{n: length(tags || `[]`)}", ISSUES).problems, []);
  assert.equal(schemaOf("anything.at.all", true).problems, []);
});

/** Makes schemas of answers, and selections of which most find something in them. */
class RandomSelections {
  readonly #below: (limit: number) => number;

  constructor(seed: number) {
    this.#below = randomNumbers(seed);
  }

  #pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.#below(items.length)] ?? items[0];
  }

  schema(depth = 3): JsonObject {
    const root = this.#schema(depth);
    const shared = this.#schema(1);
    const definitions = {
      D: JSON.stringify(shared).includes("$ref") ? { type: "string" } : shared,
    };
    return { ...(isJsonObject(root) ? root : {}), $defs: definitions };
  }

  #schema(depth: number): JsonSchema {
    const scalar = (): JsonObject =>
      this.#pick<JsonObject>([
        { type: "string" },
        { type: "integer" },
        { type: ["number", "null"] },
        { type: "boolean" },
        { enum: ["a", null, 2] },
        { type: "null" },
        { const: "x" },
      ]);
    if (depth === 0) return scalar();
    const object = (): JsonObject => {
      const names = NAMES.filter(() => this.#below(2) === 0);
      return {
        type: this.#pick<JsonValue>(["object", "object", ["object", "null"]]),
        properties: Object.fromEntries(names.map((name) => [name, this.#schema(depth - 1)])),
        required: names.filter(() => this.#below(2) === 0),
        ...(this.#below(3) === 0 && {
          additionalProperties: this.#pick<JsonSchema>([false, scalar()]),
        }),
      };
    };
    const list = (): JsonObject => ({
      type: this.#pick<JsonValue>(["array", "array", ["array", "null"]]),
      items: this.#schema(depth - 1),
    });
    return this.#pick<() => JsonSchema>([
      object,
      object,
      list,
      list,
      scalar,
      () => ({ anyOf: [this.#schema(depth - 1), object()] }),
      () => ({ allOf: [object(), { type: "object", required: [this.#pick(NAMES)] }] }),
      () => ({ oneOf: [list(), scalar()] }),
      () => ({
        type: "array",
        prefixItems: [this.#schema(depth - 1)],
        items: this.#schema(depth - 1),
      }),
      () => ({ $ref: "#/$defs/D" }),
      () => true,
    ])();
  }

  text(depth = 3): string {
    const name = (): string => this.#pick(NAMES);
    const scalar = (): string => this.#pick(["`1`", "'a'", "`[]`", "`null`", '`{"k": 1}`']);
    if (depth === 0) return this.#pick([name(), name(), "@", scalar()]);
    const inner = (): string => this.text(depth - 1);
    const path = (): string =>
      `${name()}${this.#pick(["", "[]", "[*]", "[0]", "[-1]", "[1:]", "[::-1]", ".*"])}`;
    return this.#pick<() => string>([
      path,
      () => `${path()}.${path()}`,
      () => `${path()}.{${name()}: ${inner()}, ${name()}2: ${name()}}`,
      () => `${path()}.[${inner()}, ${name()}]`,
      () => `${name()}[?${inner()}].${path()}`,
      () => `${name()}[?${name()} ${this.#pick(["==", "!=", "<", ">="])} ${scalar()}]`,
      () => `${inner()} | ${path()}`,
      () => `(${inner()} || ${inner()})`,
      () => `(${inner()} && ${inner()})`,
      () => `!(${inner()})`,
      () => `not_null(${inner()}, ${scalar()})`,
      () => `length(${inner()} || \`[]\`)`,
      () => `to_string(${inner()})`,
      () => `{x: ${inner()}, y: ${inner()}}`,
      () => `${name()}[].{x: ${inner()}}`,
    ])();
  }
}

const NAMES = ["a", "b", "items", "n"] as const;

test("random selections of random answers are those of JMESPath, and fit the derived schema", () => {
  let compared = 0;
  const rounds = shortOrLong(600, 60_000);
  for (let seed = 1; seed <= rounds; seed++) {
    const random = new RandomSelections(seed);
    const answer = random.schema();
    const text = random.text();
    const selection = parsed(text);
    const { schema } = schemaOf(text, answer);
    for (const value of makeValid(answer)) {
      const where = `seed ${seed}: ${text} of ${JSON.stringify(value)}`;
      const made = outcomeOf(() => selectedValue(selection, value));
      assert.equal(
        outcomeOf(() => runCode(selection, value)),
        value === null ? { value: null } : made,
        `the code, ${where}`,
      );
      if (made === "fails" || value === null) continue;
      compared += 1;
      const isAccepted = accepts(schema, made.value as JsonValue);
      assert.ok(
        isAccepted,
        `${JSON.stringify(made.value)} does not fit ${JSON.stringify(schema)}; ${where} of ${JSON.stringify(answer)}`,
      );
      if (isSameInJmesPath(text, value))
        assert.equal(
          made,
          outcomeOf(() => search(value, text)),
          where,
        );
    }
  }
  assert.ok(compared > rounds, `${compared} values were compared`);
});

/**
 * False where the parser's package may differ from this project: here, null items of lists are left out before
 * something is made of them, an object or a list that is made of null is null (as in the first implementations of
 * JMESPath), and texts have no slices.
 */
function isSameInJmesPath(text: string, value: JsonValue): boolean {
  return !/1:|::| \| .*[{[]/.test(text) && !JSON.stringify(value).includes("null");
}

test.run();
