import type { CallToolResult } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Masking } from "../backends/masking.js";
import { embeddedBlob, image, text } from "../engine/content.js";
import { caller, sampleEngine } from "../samples/engine.js";
import { DatabaseAnswer } from "../databases/answer.js";
import { ProgramAnswer } from "../programs/answer.js";
import { erased, tool } from "../samples/server.js";
import { UpstreamAnswer } from "../upstreams/answer.js";

/** What becomes of an answer of another service that breaks the output schema of the tool that passes it on. */

const outputSchema = {
  type: "object",
  properties: {
    items: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, id: { type: "integer" } },
        required: ["name"],
      },
    },
  },
  required: ["items"],
};

interface Answered {
  readonly result: CallToolResult;
  readonly log: readonly Readonly<Record<string, unknown>>[];
}

async function answered(
  give: (answer: UpstreamAnswer) => unknown,
  body: string | Buffer,
  {
    type = "application/json",
    status = 200,
    masking = new Masking(),
    resultLength = 100_000,
    isTruncated = false,
  } = {},
): Promise<Answered> {
  const answer = new UpstreamAnswer(
    "api",
    { status, headers: { "content-type": type }, body: Buffer.from(body), isTruncated },
    masking,
  );
  return called(() => give(answer), outputSchema, resultLength);
}

/** Calls a tool with this handler. */
async function called(
  handler: () => unknown,
  schema: object,
  resultLength = 100_000,
): Promise<Answered> {
  const engine = sampleEngine({
    tools: [tool("only", erased(handler), { outputSchema: schema as typeof outputSchema })],
    limits: { resultLength },
  });
  const result = await engine.tools.call({ name: "only" }, caller);
  return { result: result as CallToolResult, log: engine.lines.map((line) => JSON.parse(line)) };
}

const passedOn = (answer: UpstreamAnswer): unknown => answer.result();

const NOTICE =
  /^The call was carried out and needs no repetition\. .*\((.*)\), so it follows as text:$/;

/** The problem that the notice names, and the texts behind it. */
function shownIn({ result }: Answered): readonly [problem: string | undefined, ...shown: string[]] {
  assert.is(result.isError, true, JSON.stringify(result));
  assert.not.ok("structuredContent" in result);
  const [notice = "", ...shown] = result.content.map((block) =>
    block.type === "text" ? block.text : block.type,
  );
  return [NOTICE.exec(notice)?.[1], ...shown];
}

test("an answer that fits its schema is the structured content", async () => {
  const body = '{"items":[{"name":"a","id":9007199254740993}]}';
  for (const give of [passedOn, (answer: UpstreamAnswer) => answer.result({ strict: true })]) {
    const { result, log } = await answered(give, body);
    assert.equal(result.structuredContent, { items: [{ name: "a", id: 9007199254740992 }] });
    assert.equal(result.content[0], text(body), "with all digits");
    assert.equal(log, []);
  }
});

test("an answer that breaks the schema reaches the model as text with a notice, and the log names the property", async () => {
  const body = '{"items":[{"name":"a"},{"name":"b"},{"name":"c"},{"id":9007199254740993}]}';
  const missing = "required property 'name' is missing at /items/3";
  const one = await answered(passedOn, body);
  assert.equal(shownIn(one), [missing, body]);
  assert.equal(
    one.log.map(({ level, message, problems, tool: name }) => [level, message, problems, name]),
    [["warning", "Tool only passed on an answer that breaks its output schema", [missing], "only"]],
  );
  const several = await answered(passedOn, '{"items":[{"name":null},{"name":5},{}]}');
  const [problem] = shownIn(several);
  assert.is(
    problem,
    "/items/0/name: type; /items/1/name: type; required property 'name' is missing at /items/2",
  );
  const whole = await answered(passedOn, "null");
  assert.equal(shownIn(whole), ["/: type", "null"]);
});

test("an answer that is empty or no JSON is shown, too, with secrets masked", async () => {
  const masking = new Masking();
  masking.add("hunter2hunter2");
  const of = async (...call: Parameters<typeof answered>) => shownIn(await answered(...call));
  assert.equal(await of(passedOn, ""), ["it is empty", "200 OK"]);
  assert.equal(await of(passedOn, "", { status: 204 }), ["it is empty", "204 No Content"]);
  assert.equal(await of(passedOn, "<b>in</b> hunter2hunter2", { type: "text/html", masking }), [
    "it is no JSON",
    "<b>in</b> [masked]",
  ]);
  assert.equal(await of(passedOn, "{", {}), ["it is no JSON", "{"]);
  assert.equal(await of(passedOn, Buffer.from([255, 0]), { type: "image/png" }), [
    "it is no JSON",
    "image",
  ]);
  const below = (answer: UpstreamAnswer): unknown => answer.result({ from: "/data" });
  assert.equal(await of(below, '{"error":"no lot"}'), [
    "it has nothing at /data",
    '{"error":"no lot"}',
  ]);
  assert.equal(await of(passedOn, '{"items":"hunter2hunter2"}', { masking }), [
    "/items: type",
    '{"items":"[masked]"}',
  ]);
});

test("an answer with fields left out is shown without them", async () => {
  const named = (answer: UpstreamAnswer): unknown => answer.result({ fields: ["name"] });
  const picked = await answered(named, '{"name":"a","secret":1}');
  assert.equal(shownIn(picked), ["required property 'items' is missing at /", '{"name":"a"}']);
  const noJson = await answered(named, "secret", { type: "text/plain" });
  assert.equal(shownIn(noJson), [
    "it is no JSON",
    "200 OK\n[text/plain, left out, since this tool shows only a part of answers]",
  ]);
});

test("an answer that is nested too deeply or was cut reaches the model, and the log says why", async () => {
  const masking = new Masking();
  masking.add("hunter2hunter2");
  const deepJson = `${"[".repeat(5_000)}"hunter2hunter2"${"]".repeat(5_000)}`;
  const deep = await answered(passedOn, deepJson, { masking });
  assert.equal(shownIn(deep), [
    "it is nested too deeply",
    deepJson.replace(/hunter\w+/, "[masked]"),
  ]);
  const cut = await answered(passedOn, '{"items":[{"na', { isTruncated: true });
  assert.equal(shownIn(cut), ["it was cut after 14 bytes", '{"items":[{"na\n[cut after 14 bytes]']);
  assert.equal(
    [deep, cut].map(({ log }) => log.map(({ level, problems }) => [level, problems])),
    [[["warning", ["it is nested too deeply"]]], [["warning", ["it was cut after 14 bytes"]]]],
  );
  const picture = { type: "image/png", isTruncated: true };
  assert.equal(shownIn(await answered(passedOn, "PNG", picture)), [
    "it was cut after 3 bytes",
    "200 OK\n[image/png of more than 3 bytes, left out]",
  ]);
  const named = (answer: UpstreamAnswer): unknown => answer.result({ fields: ["name"] });
  const left = await answered(named, deepJson);
  assert.equal(shownIn(left), [
    "it is nested too deeply",
    "200 OK\n[application/json, left out, since this tool shows only a part of answers]",
  ]);
  const strict = (answer: UpstreamAnswer): unknown => answer.result({ strict: true });
  for (const [body, isTruncated, message] of [
    [deepJson, false, "The upstream api answered with JSON that is nested too deeply."],
    ["[1", true, "The answer of the upstream api is longer than 2 bytes."],
  ] as const) {
    const refused = await answered(strict, body, { isTruncated });
    assert.equal(refused.result.content, [text(message)]);
  }
});

test("a strict tool refuses what breaks its schema without showing it", async () => {
  const strict = (answer: UpstreamAnswer): unknown => answer.result({ strict: true });
  const { result, log } = await answered(strict, '{"items":[{"id":1}]}');
  assert.equal(result, {
    content: [text("Tool only returned a result that breaks its output schema")],
    isError: true,
  });
  assert.equal(
    log.map(({ level, problems }) => [level, problems]),
    [["error", ["required property 'name' is missing at /items/0"]]],
  );
  const empty = await answered(strict, "");
  assert.equal(empty.result.content, [
    text("The upstream api answered with something that is no JSON."),
  ]);
});

test("errors of the upstream stay errors", async () => {
  const failed = await answered(passedOn, '{"message":"gone"}', { status: 410 });
  assert.equal(failed.result.content, [text("The upstream api answered 410 Gone: gone")]);
});

const TOO_LONG =
  "The call was carried out and needs no repetition. Its result is too long (it has more than 600 characters), so it follows as text, as far as it fits:";

/** What follows on the notice that a result is too long. */
function cutIn({ result, log }: Answered): string[] {
  assert.is(result.isError, true);
  assert.not.ok("structuredContent" in result);
  assert.ok(JSON.stringify(result.content).length <= 600 + 10, JSON.stringify(result));
  assert.equal(
    log.map(({ level, message, problems }) => [level, message, problems]),
    [["warning", "Tool only returned too long a result", ["it has more than 600 characters"]]],
  );
  const [notice, ...shown] = result.content;
  assert.equal(notice, text(TOO_LONG));
  return shown.map((block) => (block.type === "text" ? block.text : block.type));
}

test("of a result that is too long, the model gets what fits with a notice, and the log says so", async () => {
  const limit = { resultLength: 600 };
  const cases: Readonly<Record<string, string>> = {
    "fits the schema": JSON.stringify({ items: [{ name: "x".repeat(700) }] }),
    "breaks it": JSON.stringify({ items: [{ id: "z".repeat(700) }] }),
    "is no JSON": "q".repeat(700),
    "has many characters that JSON escapes": `{"items":[{"name":"${"\\u0001".repeat(200)}"}]}`,
    "has characters of two code units": JSON.stringify({ items: [{ name: "😀".repeat(400) }] }),
  };
  for (const [name, body] of Object.entries(cases)) {
    const [shown = "", ...rest] = cutIn(await answered(passedOn, body, limit));
    const [, start = "", count] = /^([^]*)\n\[cut after (\d+) characters\]$/.exec(shown) ?? [];
    assert.ok(body.startsWith(start) && start.length > 20, `${name}: ${shown}`);
    assert.is(start.length, Number(count), name);
    assert.not.match(start, /[\ud800-\udbff]$/, name);
    assert.equal(rest, [], name);
  }
  const short = JSON.stringify({ items: [{ name: "y".repeat(350) }] });
  assert.equal(cutIn(await answered(passedOn, short, limit)), [short], "fits without its value");
  const strict = await answered(
    (answer) => answer.result({ strict: true }),
    JSON.stringify({ items: [{ name: "x".repeat(700) }] }),
    limit,
  );
  assert.equal(strict.result, {
    content: [text("Tool only returned too long a result")],
    isError: true,
  });
  assert.is(strict.log[0]?.["level"], "error");
});

test("fields that are left out stay out of a result that is too long", async () => {
  const body = JSON.stringify({ secret: "s".repeat(700), items: [{ name: "x".repeat(700) }] });
  const named = (answer: UpstreamAnswer): unknown => answer.result({ fields: ["items"] });
  const [picked = ""] = cutIn(await answered(named, body, { resultLength: 600 }));
  assert.match(picked, /^\{"items":\[\{/);
  const select = (): unknown => ({ items: [{ name: "n".repeat(700) }] });
  const chosen = (answer: UpstreamAnswer): unknown => answer.result({ select });
  const [selected = ""] = cutIn(await answered(chosen, body, { resultLength: 600 }));
  assert.match(selected, /^\{"items":\[\{"name":"nnn/);
});

test("a tool without an output schema gives what fits of texts and names other content", async () => {
  const of = async (returned: unknown): Promise<string[]> => {
    const engine = sampleEngine({
      tools: [
        tool(
          "only",
          erased(() => returned),
        ),
      ],
      limits: { resultLength: 600 },
    });
    const result = await engine.tools.call({ name: "only" }, caller);
    return cutIn({ result, log: engine.lines.map((line) => JSON.parse(line)) });
  };
  assert.match((await of("a".repeat(700)))[0] ?? "", /^a{200,}\n\[cut after \d+ characters\]$/);
  const picture = image(Buffer.alloc(900), "image/png");
  assert.equal(await of([text("before"), picture, text("after")]), [
    "before",
    `[image/png of ${JSON.stringify(picture).length} characters, left out]`,
    "after",
  ]);
  const blob = embeddedBlob("x://a", Buffer.alloc(900), "application/pdf");
  assert.match((await of(blob))[0] ?? "", /^\[application\/pdf of \d+ characters, left out\]$/);
});

const lots = {
  type: "array",
  items: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
};
const REFUSED = "Tool only returned a result that breaks its output schema";

test("rows that break the schema reach the model, as do too many and numbers that are too long", async () => {
  const rows = (found: object[], isCut = false, inexact?: string): DatabaseAnswer =>
    new DatabaseAnswer("shop", { rows: found as Record<string, unknown>[], isCut }, inexact);
  const fit = await called(() => rows([{ id: 1 }]).result(), lots);
  assert.equal(fit.result.structuredContent, [{ id: 1 }]);
  const none = { type: ["object", "null"] };
  const absent = await called(() => rows([]).result({ row: true }), none);
  assert.is(absent.result.structuredContent, null);
  const unfit = rows([{ name: "a" }]);
  assert.equal(shownIn(await called(() => unfit.result(), lots)), [
    "required property 'id' is missing at /0",
    '[{"name":"a"}]',
  ]);
  assert.equal(shownIn(await called(() => unfit.result({ row: true }), lots)), [
    "/: type",
    '{"name":"a"}',
  ]);
  const more = rows([{ id: 1 }], true);
  assert.equal(shownIn(await called(() => more.result({ row: true }), lots)), [
    "it has more than one row",
    '[{"id":1}]',
    "This is the first row: there are more.",
  ]);
  const long = rows([{ id: "9007199254740993" }], false, "id");
  assert.equal(shownIn(await called(() => long.result(), lots)), [
    "/0/id: type",
    '[{"id":"9007199254740993"}]',
  ]);
  const strictly = async (answer: DatabaseAnswer): Promise<unknown> =>
    (await called(() => answer.result({ strict: true }), lots)).result.content;
  assert.equal(await strictly(unfit), [text(REFUSED)]);
  assert.equal(await strictly(more), [text("The database shop has more than one row for this.")]);
  assert.equal(await strictly(long), [
    text("The database shop has a value in id that no number of JSON is."),
  ]);
});

test("an output of a program that breaks the schema reaches the model, masked, whatever its form", async () => {
  const masking = new Masking();
  masking.add("hunter2hunter2");
  const printed = (stdout: string, isCut = false): ProgramAnswer =>
    new ProgramAnswer(
      "report",
      { status: 0, stdout: { text: () => stdout, isCut }, maxBytes: 9 },
      masking,
    );
  const of = async (...[answer, options]: [ProgramAnswer, object?]) =>
    shownIn(await called(() => answer.result(options), lots));
  const long = '[{"id":9007199254740993,"of":"hunter2hunter2"}]';
  const fit = await called(() => printed(long).result(), lots);
  assert.equal(fit.result.structuredContent, [{ id: 9007199254740992, of: "[masked]" }]);
  assert.equal(await of(printed('[{"of":"hunter2hunter2"}]')), [
    "required property 'id' is missing at /0",
    '[{"of":"[masked]"}]',
  ]);
  assert.equal(await of(printed("null")), ["/: type", "null"]);
  assert.equal(await of(printed("no hunter2hunter2\n")), ["it is no JSON", "no [masked]\n"]);
  assert.equal(await of(printed("")), ["it is empty", "exit status 0"]);
  assert.equal(await of(printed('[{"id":1}', true)), [
    "it was cut after 9 bytes",
    '[{"id":1}\n[cut after 9 bytes]',
  ]);
  const [deep] = await of(printed("[".repeat(5_000) + "]".repeat(5_000)));
  assert.is(deep, "it is nested too deeply");
  assert.equal(await of(printed("a\nb\n"), { output: "lines" }), ["/0: type; /1: type", "a\nb\n"]);
  assert.equal(await of(printed("a"), { output: "text" }), ["/: type", "a"]);
  for (const output of ["json", "lines"] as const) {
    const give = (): unknown => printed("[1]").result({ output, strict: true });
    assert.equal((await called(give, lots)).result.content, [text(REFUSED)]);
  }
  const noJson = await called(() => printed("no").result({ strict: true }), lots);
  assert.equal(noJson.result.content, [
    text("The program report printed something that is no JSON."),
  ]);
});

test.run();
