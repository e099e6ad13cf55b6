import { test } from "uvu";
import * as assert from "uvu/assert";
import { Masking } from "../backends/masking.js";
import { asText, at, compare, each, join } from "../selection/selection.js";
import { unfitAnswer, ToolResult } from "../tools/result.js";
import { UpstreamAnswer } from "./answer.js";

function answered(value: unknown, status = 200): UpstreamAnswer {
  return answeredJson(JSON.stringify(value), status);
}

function answeredJson(json: string, status = 200, masking = new Masking()): UpstreamAnswer {
  const body = Buffer.from(json);
  const headers = { "content-type": "application/json" };
  return new UpstreamAnswer("api", { status, headers, body, isTruncated: false }, masking);
}

test("JSON is read as UTF-8, and in the character set that its headers name where it is none", () => {
  for (const [charset, encoding] of [
    ["iso-8859-1", "latin1"],
    ["iso-8859-1", "utf8"],
    ['"UTF-16LE"', "utf16le"],
    ["UTF8", "utf8"],
    ["unknown-1", "utf8"],
  ] as const) {
    const headers = { "content-type": `application/json; charset=${charset}` };
    const body = Buffer.from('{"name":"José"}', encoding);
    const answer = new UpstreamAnswer(
      "api",
      { status: 200, headers, body, isTruncated: false },
      new Masking(),
    );
    assert.equal([answer.json(), answer.text()], [{ name: "José" }, '{"name":"José"}'], charset);
  }
});

test("values are the texts and numbers of a list, or a member of each object in it", () => {
  assert.equal(answered(["a", 1, null, {}, true]).values(), ["a", "1"]);
  const found = { items: [{ name: "a" }, { name: 2 }, { other: "x" }, "y", null] };
  assert.equal(answered(found).values("/items", "name"), ["a", "2"]);
  assert.equal(answered([{ "a/b": "c", toString: "d" }]).values("", "a/b"), ["c"]);
  assert.equal(answered([{}]).values("", "toString"), []);
});

test("an answer without a list has no values", () => {
  for (const value of [{ items: [] }, "text", null]) {
    assert.throws(() => answered(value).values(), "has no list where one is due");
  }
  assert.throws(() => answered({}).values("/items"), "has nothing at /items");
  assert.throws(() => answered([], 500).values(), "answered 500");
});

test("the message of an upstream may be a text, an object or a list of them", () => {
  for (const [body, message] of [
    [{ message: "a" }, ": a"],
    [{ error: { message: "b" } }, ": b"],
    [{ message: ["c", "", "d"] }, ": c; d"],
    [{ detail: [{ msg: "field required" }, { msg: 1 }, null] }, ": field required"],
    [{ message: [[["e"]]], title: {} }, "."],
  ] as const) {
    assert.is(
      answered(body, 422).failure().message,
      `The upstream api answered 422 Unprocessable Entity${message}`,
    );
  }
});

test("what an upstream finds wrong with arguments reaches the model, argument by argument", () => {
  const fields = [{ resource: "Issue", field: "title", code: "too_long" }];
  for (const [body, message] of [
    [{ message: "Validation Failed", errors: fields }, "Validation Failed: title: too_long"],
    [
      { detail: [{ loc: ["body", "items", 0], msg: "field required" }] },
      "body/items/0: field required",
    ],
    [
      { title: "Invalid", "invalid-params": [{ name: "age", reason: "must be positive" }] },
      "Invalid: age: must be positive",
    ],
    [
      { title: "Invalid", errors: [{ detail: "must be positive", pointer: "#/age" }] },
      "Invalid: #/age: must be positive",
    ],
    [
      { message: "Invalid", errors: { name: ["is taken", "is short"], age: "is odd", more: [1] } },
      "Invalid: name: is taken, is short; age: is odd",
    ],
    [{ errors: [{ message: "a" }, null, 1, []] }, undefined],
  ] as const) {
    const end = message === undefined ? "." : `: ${message}`;
    const whole = `The upstream api answered 422 Unprocessable Entity${end}`;
    assert.is(answered(body, 422).failure().message, whole);
  }
  const many = Array.from({ length: 40 }, (_, index) => ({ field: `f${index}`, message: "bad" }));
  assert.match(answered({ errors: many }, 422).failure().message, /f9: bad; and 30 more$/);
  const long = answered({ message: "a".repeat(499), errors: fields }, 422).failure().message;
  assert.ok(long.endsWith("a\u2026") && long.length < 560, long);
});

test("an error says when the upstream may be asked again", () => {
  const failed = (retryAfter: string, message = "Slow down"): string => {
    const headers = { "content-type": "application/json", "retry-after": retryAfter };
    const body = Buffer.from(JSON.stringify({ message }));
    const answer = { status: 429, headers, body, isTruncated: false };
    return new UpstreamAnswer("api", answer, new Masking()).failure().message;
  };
  const start = "The upstream api answered 429 Too Many Requests: Slow down.";
  assert.is(failed("30"), `${start} It may be asked again in 30 seconds.`);
  assert.is(failed("1", "Slow down."), `${start} It may be asked again in 1 second.`);
  assert.is(failed("0"), `${start} It may be asked again now.`);
  for (const other of ["soon", "-1", "99999999"]) assert.is(failed(other), start.slice(0, -1));
});

test("a message that quotes a part of an answer is short, on one line, and without secrets", () => {
  const json =
    '{"owner":{"name":"ann\\nbob"},"id":9007199254740993,"list":[1,2],"token":"s3cret-s3cret","no":null}';
  const masking = new Masking();
  masking.add("s3cret-s3cret");
  const answer = answeredJson(json, 409, masking);
  assert.is(answer.words("/owner/name"), "ann\\u000abob");
  assert.is(answer.words("/id"), "9007199254740993");
  assert.is(answer.words("/list"), "[1,2]");
  assert.not.match(answer.words("/token") ?? "", "s3cret");
  for (const absent of ["/no", "/none", "/owner/x"]) assert.is(answer.words(absent), undefined);
  assert.is(answered({ text: "a".repeat(500) }).words("/text")?.length, 201);
  assert.is(answeredJson("no JSON", 409).words(""), undefined);
});

test("numbers that JavaScript rounds keep their digits", () => {
  const json =
    '{"items":[{"id":12345678901234567890,"a\\"1":"12345678901234567890","n":1e30}],"message":-9007199254740993}';
  const answer = answeredJson(json);
  const only = { from: "/items/0", fields: ["id"] };
  assert.is(answer.content(only), '{"id":12345678901234567890}');
  assert.is(answer.content({ from: "/message" }), "-9007199254740993");
  assert.equal(answer.resource(only), {
    text: '{"id":12345678901234567890}',
    mimeType: "application/json",
  });
  assert.equal(answer.values("/items", "id"), ["12345678901234567890"]);
  assert.equal(answer.exact("/items", ["id"]), [{ id: "12345678901234567890" }]);
  assert.equal(answer.pick("/items/0"), JSON.parse(json).items[0]);
  assert.equal(answer.json(), JSON.parse(json));
  assert.is(
    answeredJson(json, 400).failure().message,
    "The upstream api answered 400 Bad Request.",
  );
});

/** What reads the value of an answer, and refuses what is none. */
const VALUES: readonly ((answer: UpstreamAnswer) => unknown)[] = [
  (answer) => answer.json(),
  (answer) => answer.exact(),
  (answer) => answer.result({ strict: true }),
  (answer) => answer.content({ from: "" }),
  (answer) => answer.resource({ from: "" }),
];

/** Every form in which a caller or a handler may see an answer. */
const FORMS: readonly ((answer: UpstreamAnswer) => unknown)[] = [
  ...VALUES,
  (answer) => answer.result(),
  (answer) => answer.pick("/a"),
  (answer) => answer.exact("/a", ["a", "b"]),
  (answer) => answer.result({ from: "/a", fields: ["a"] }),
  (answer) => unfitAnswer("Tool a", answer.result(), ["/: type"])?.content,
  (answer) => unfitAnswer("Tool a", answer.result({ from: "/a" }), [])?.content,
  (answer) => answer.values("/a", "a"),
  (answer) => answer.failure().message,
];

const LONG = "12345678901234567890";

test("a text that is no JSON stays invalid although it has a long number", () => {
  for (const json of [
    `{${LONG}:1}`,
    `{"a":{${LONG} :1}}`,
    `[{-${LONG}\n\t:1}]`,
    `{"a":${LONG},${LONG}:2}`,
    `[00${LONG}]`,
    `-0${LONG}`,
    `[${LONG}.]`,
    `[${LONG}e]`,
    `[+${LONG}]`,
    `[a${LONG}]`,
    `[${LONG}a]`,
    `[${LONG}n]`,
    `[0x${LONG}]`,
    `["a"${LONG}]`,
    `[${LONG}"a"]`,
    `[${LONG}${"-1"}]`,
    `${LONG}${LONG} ${LONG}`,
    `{"a\n":${LONG}}`,
  ]) {
    assert.throws(() => JSON.parse(json), SyntaxError, json);
    assert.throws(() => answeredJson(json).json(), "something that is no JSON", json);
    assert.throws(
      () => answeredJson(json).content({ from: "" }),
      "something that is no JSON",
      json,
    );
  }
});

test("no answer shows the internal form of long numbers", () => {
  const strange = [
    `{"${LONG}":${LONG},"a":[${LONG},{"a":-${LONG},"b":"${LONG}"}]}`,
    `{"a":{"${LONG}":{"${LONG}":[${LONG}]}}}`,
    `[[${LONG}],[${LONG} , ${LONG}]]`,
    LONG,
    `{"message":${LONG},"a":"\\"${LONG}"}`,
    `{"a":"\\u0022${LONG}\\u0022","b":"${LONG}\\\\"}`,
    `{"a":${LONG.repeat(50)}}`,
    `{"a":[${LONG},"[masked]${LONG}"]}`,
  ];
  for (const secrets of [[], ["123456"], ["78901234567890"], [LONG], ["exact "]]) {
    const masking = new Masking();
    for (const secret of secrets) masking.add(secret);
    for (const json of strange) {
      for (const status of [200, 500]) {
        const answer = answeredJson(json, status, masking);
        for (const form of FORMS) {
          const shown = shownBy(() => form(answer));
          assert.not.match(
            shown,
            /(?=[\w-]*[a-zA-Z_])[\w-]{15}/,
            `${json} ${secrets.join()}: ${shown}`,
          );
          for (const secret of secrets)
            assert.not.ok(shown.includes(secret), `${secret}: ${shown}`);
        }
      }
    }
  }
});

/** What a function gives, or the message of its error, as JSON without the words of known notices. */
function shownBy(give: () => unknown): string {
  try {
    const given = give();
    const shown = JSON.stringify(given instanceof ToolResult ? given.parts : given);
    return shown.replaceAll("structuredContent", "");
  } catch (error) {
    return String(error);
  }
}

test("JSON that is nested too deeply is refused in words, and stays readable as text", () => {
  for (const [depth, isTooDeep] of [
    [200, false],
    [5_000, true],
    [100_000, true],
  ] as const) {
    for (const inner of ["1", LONG, '"\\u0031"']) {
      for (const [open, close] of [
        ["[", "]"],
        ['{"a":', "}"],
      ] as const) {
        const json = open.repeat(depth) + inner + close.repeat(depth);
        const masking = new Masking();
        masking.add("a-secret-of-the-test");
        const answer = answeredJson(json, 200, masking);
        for (const form of VALUES) {
          const error = errorOf(() => form(answer));
          assert.is(
            error,
            isTooDeep
              ? "The upstream api answered with JSON that is nested too deeply."
              : undefined,
          );
        }
        assert.is(answer.content(), json);
        assert.match(answeredJson(json, 500, masking).failure().message, "answered 500");
      }
    }
  }
});

function errorOf(give: () => unknown): string | undefined {
  try {
    give();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test("a result has a text with the digits of rounded numbers", () => {
  const answer = answeredJson('[{"id":9007199254740993,"b":1},{"id":9007199254740992,"b":2}]');
  assert.equal(answer.result({ fields: ["b"] }), [{ b: 1 }, { b: 2 }]);
  const { parts } = answer.result({ fields: ["id"] }) as ToolResult;
  assert.equal(parts.structuredContent, [{ id: 9007199254740992 }, { id: 9007199254740992 }]);
  assert.equal(texts(parts), [
    '[{"id":9007199254740993},{"id":9007199254740992}]',
    "[structuredContent has rounded numbers: their digits are in the text]",
  ]);
});

test("the content of an answer to HEAD is its status, whatever its type", () => {
  for (const type of ["text/html", "application/json", "image/png"]) {
    const headers = { "content-type": type };
    const head = { status: 200, headers, body: Buffer.alloc(0), isTruncated: false, isHead: true };
    const content = new UpstreamAnswer("api", head, new Masking()).content();
    assert.equal(content, { type: "text", text: "200 OK" }, type);
  }
});

const texts = ({ content }: ToolResult["parts"]): unknown[] =>
  [content]
    .flat()
    .map((block) => (typeof block === "object" && "text" in block ? block.text : block));

test("what a selection makes of an answer keeps the digits of its numbers", () => {
  const answer = answeredJson('{"items":[{"id":9007199254740993,"b":{"c":"d"}},{"id":1}],"n":2}');
  const select = (json: unknown): unknown =>
    each(at(json, "items"), (item) => ({
      id: at(item, "id"),
      c: at(item, "b", "c"),
      text: asText(at(item, "id")),
      isLarge: compare(at(item, "id"), ">", 5),
    }));
  const { parts } = answer.result({ select }) as ToolResult;
  const large = { id: 9007199254740992, c: "d", text: "9007199254740993", isLarge: true };
  assert.equal(parts.structuredContent, [large, { id: 1, c: null, text: "1", isLarge: false }]);
  assert.match(
    JSON.parse(JSON.stringify(parts.content))[0].text,
    '[{"id":9007199254740993,"c":"d","text":"9007199254740993"',
  );
  assert.is(answered(null).result({ select: () => "never called" }) instanceof ToolResult, true);
});

test("a selection that an answer does not fit is an error that shows nothing of it", () => {
  const answer = answered({ secret: "s", items: "none" });
  const message =
    "The call was carried out and needs no repetition, but its answer is not as expected: join() needs a list of texts and got a text.";
  assert.throws(() => answer.result({ select: (json) => join(", ", at(json, "items")) }), message);
  const noJson = answeredJson("<html>s</html>").result({ select: () => 1 }) as object;
  const shown = JSON.stringify(unfitAnswer("the tool", noJson, [])?.content);
  assert.match(shown, "it is no JSON");
  assert.not.match(shown, "html");
});

test.run();
