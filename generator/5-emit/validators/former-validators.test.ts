import { test } from "uvu";
import * as assert from "uvu/assert";
import { PAYLOADS } from "../../testing/hostile-text.js";
import { RandomSchemas } from "../../testing/random-schemas.js";
import { CHECKED_FORMATS } from "../../schema/formats/format-checks.js";
import { compileToSource } from "./compile-schema.js";
import { emitValidators, type ValidatorRequest } from "./emit-validators.js";
import { FormerValidators, usedIn } from "./former-validators.js";
import { isPlain } from "./plain-schema.js";
import { prepareSchema } from "./prepare-schema.js";
import { writeSection } from "./write-section.js";

const HEADER = "// Generated.";
const SCHEMAS = 60;

/** Of all kinds: plain, with unions and references, bounded, equal to others, with hostile texts. */
function requestsFrom(seed: number): ValidatorRequest[] {
  return Array.from({ length: SCHEMAS }, (_, index): ValidatorRequest => {
    const random = new RandomSchemas(seed + index);
    const text = PAYLOADS[(seed + index) % PAYLOADS.length] ?? "";
    const named = {
      anyOf: [{ const: text }, { type: "object", properties: { [text]: { format: "date" } } }],
    };
    return {
      exportName: `schema${index}${index % 2 === 0 ? "Input" : "Output"}`,
      schema:
        [random.schema(), random.evaluating(), named, { type: "string" }, OWN_CALLS][index % 5] ??
        true,
      namesKeywordsOnly: index % 2 === 1,
    };
  });
}

/** Names of runtime pieces where they are none. */
const OWN_CALLS = {
  anyOf: [
    { properties: { isDate: { const: "addIssue(" }, format: { enum: ["formatUri.test("] } } },
  ],
  additionalProperties: { type: "string", pattern: "isEqual(?:a)" },
  format: "uri",
};

function formerOf(
  requests: readonly ValidatorRequest[],
  text: string | undefined,
  kept: readonly ValidatorRequest[] = [],
): FormerValidators {
  const names = new Set(kept.map(({ exportName }) => exportName));
  return new FormerValidators({
    bytes: () => (text === undefined ? undefined : Buffer.from(text)),
    standIn: (part) => part.toString(),
    requests: () => requests,
    kept: names,
  });
}

test("what a section uses is read off its text", () => {
  for (const { exportName, schema, namesKeywordsOnly = false } of requestsFrom(1)) {
    const prepared = prepareSchema(schema, CHECKED_FORMATS);
    const reading = { namesKeywordsOnly, hasUnions: prepared.hasUnions };
    const { text, pieces, formats } = writeSection(exportName, compileToSource(prepared), reading);
    const used = usedIn(text);
    assert.equal([...used.pieces].sort(), [...pieces].sort(), text);
    assert.equal([...used.formats].sort(), [...formats].sort(), text);
  }
});

test("with the sections of a former generation, the same comes out", () => {
  for (const seed of [1, 30]) {
    const before = requestsFrom(seed);
    const { javascript } = emitValidators(before, HEADER);
    const former = formerOf(before, javascript);
    const other = requestsFrom(seed + 7);
    for (const requests of [
      before,
      before.toReversed(),
      before.slice(9),
      before.map((request, index) => (index % 4 === 0 ? (other[index] ?? request) : request)),
      before.map((request) => ({
        ...request,
        namesKeywordsOnly: request.namesKeywordsOnly !== true,
      })),
    ]) {
      const expected = emitValidators(requests, HEADER);
      assert.equal(emitValidators(requests, HEADER, former), expected);
      const same = requests.filter((request) => before.includes(request));
      const knowing = formerOf(before, javascript, same);
      assert.equal(emitValidators(requests, HEADER, knowing), expected);
    }
  }
});

test("what only a validator used that is gone goes with it", () => {
  const dated: ValidatorRequest = { exportName: "datedInput", schema: { format: "date" } };
  const long: ValidatorRequest = { exportName: "longInput", schema: { minLength: 2 } };
  const empty: ValidatorRequest = { exportName: "emptyInput", schema: {} };
  const { javascript } = emitValidators([dated, long, empty], HEADER);
  for (const requests of [[long, empty], [dated, empty], [empty]]) {
    const known = formerOf([dated, long, empty], javascript, requests);
    assert.equal(emitValidators(requests, HEADER, known), emitValidators(requests, HEADER));
  }
});

test("sections are taken where name and schema are the same, and nowhere else", () => {
  const before = requestsFrom(5);
  const marked = emitValidators(before, HEADER).javascript.replaceAll(
    "const issues = {",
    "const issues = /* marked */ {",
  );
  const former = formerOf(before, marked);
  const isOwn = ({ schema }: ValidatorRequest): boolean =>
    !isPlain(prepareSchema(schema, CHECKED_FORMATS));
  const taken = before.filter((request) => former.section(request) !== undefined);
  assert.ok(taken.filter(isOwn).length > SCHEMAS / 3, `${taken.length}`);
  for (const request of taken) {
    assert.match(former.section(request)?.text ?? "", "/* marked */");
    const changed = { ...request, schema: { ...(request.schema as object), minLength: 77 } };
    assert.is(former.section(changed), undefined);
    assert.is(former.section({ ...request, exportName: "otherInput" }), undefined);
  }
  const none = formerOf(before, undefined);
  assert.ok(before.every((request) => none.section(request) === undefined));
});

test.run();
