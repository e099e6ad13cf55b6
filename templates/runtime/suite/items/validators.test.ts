import type { ToolEntry } from "../../tools/definition.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ValidationIssue, Validator } from "../../engine/item.js";
import type { JsonObject, ToolsContract } from "../contract.js";
import { testOutputs } from "./outputs.js";
import { testSeveralMistakes } from "./several-mistakes.js";
import { testValidators } from "./validators.js";

/** Runs the suite of compiled validators with right and wrong ones. */

const contract: ToolsContract = {
  settings: {},
  list: [
    {
      name: "add",
      inputSchema: {
        type: "object",
        properties: { note: { type: "string", maxLength: 30_000 } },
        additionalProperties: false,
      },
      outputSchema: { type: "object", required: ["sum"] },
    },
  ],
  tools: [
    {
      name: "add",
      fixed: true,
      accepted: [{ arguments: { a: 1, b: 2 } }],
      refused: [
        { value: { a: "1" }, says: "a: must be number" },
        { value: { b: "2" }, says: "b: must be number" },
      ],
      output: { accepted: [{ sum: 3, note: "three" }], refused: [] },
      examples: [],
      untested: [],
    },
  ],
};

type Find = (value: unknown) => ValidationIssue[];

function validator(find: Find): Validator {
  const validate: Validator = (value) => {
    const found = find(value);
    validate.errors = found.length === 0 ? null : found;
    return found.length === 0;
  };
  return validate;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const findInNote: Find = (note) =>
  String(note).length <= 30_000
    ? []
    : [{ instancePath: "/note", message: "must NOT have more than 30000 characters" }];

const findInArguments: Find = (value) => {
  if (!isObject(value)) return [{ instancePath: "", message: "must be object" }];
  const found = Object.entries(value).flatMap(([name, member]): ValidationIssue[] => {
    if (name === "note") return findInNote(member);
    if (!["a", "b"].includes(name)) return [{ instancePath: "", message: `not ${name}` }];
    if (typeof member === "number") return [];
    return [{ instancePath: `/${name}`, message: "must be number" }];
  });
  return found.slice(0, 20);
};

const findInResult: Find = (value) => {
  const { sum, note } = value as Record<string, unknown>;
  const isRight = typeof sum === "number" && ["string", "undefined"].includes(typeof note);
  return isRight ? [] : [{ instancePath: "", keyword: "type" }];
};

async function failures(
  input: Find,
  output: Find = findInResult,
  tested = contract,
): Promise<string[]> {
  const entry = {
    definition: { name: "add", inputSchema: { type: "object" } },
    validators: () => ({ input: validator(input), output: validator(output) }),
    answer: { content: [] },
  } satisfies ToolEntry;
  const failed: string[] = [];
  const runs: Promise<void>[] = [];
  const collect = (title: string, run: () => Promise<void>): void => {
    runs.push(run().catch(() => void failed.push(title)));
  };
  const registry = Object.assign(collect, { after: () => undefined });
  testValidators(registry, tested, [entry]);
  testSeveralMistakes(registry, tested, [entry]);
  testOutputs(registry, tested, noServer, [entry]);
  assert.is(runs.length, 5);
  await Promise.all(runs);
  return failed;
}

/** The tests of these contracts call no tool. */
const noServer = (): never => ({ close: async () => undefined }) as never;

const bounds = "add takes texts and lists up to their bounds, however long";
const mistakes = "add finds the mistakes of each argument";
const noEnd = "add finds several mistakes, but no endless list of them";

test("correct validators pass", async () => {
  assert.equal(await failures(findInArguments), []);
});

test("wrong validators make a test fail", async () => {
  const lenient: Find = (value) => (isObject(value) ? findInArguments(value) : []);
  assert.equal(await failures(lenient), ["add takes only objects for arguments"]);
  const silent: Find = (value) =>
    findInArguments(value).map((issue) => ({ ...issue, message: "no" }));
  assert.equal(await failures(silent), ["add takes only objects for arguments", bounds]);
  assert.equal(await failures((value) => findInArguments(value).slice(0, 1)), [mistakes, noEnd]);
  assert.equal(await failures((value) => findInArguments(value).slice(0, 19)), [noEnd]);
  const endless: Find = (value) => {
    const found = findInArguments(value);
    return found.length < 20 ? found : [...found, ...found];
  };
  assert.equal(await failures(endless), [noEnd]);
});

test("each expected mistake is looked for at its own property, with any property names", async () => {
  const names = ["", "a", "a.b", "a/b", "a b"];
  const properties = Object.fromEntries(names.map((name) => [name, { type: "boolean" }]));
  const { a: _any, ...typed } = properties;
  const inputSchema = { type: "object", properties: { ...typed, a: {} } };
  const values = Object.fromEntries(names.map((name) => [name, true]));
  const [tool] = contract.tools;
  if (tool === undefined) return assert.unreachable("the sample has a tool");
  const named: ToolsContract = {
    ...contract,
    list: [{ name: "add", inputSchema }],
    tools: [
      {
        ...tool,
        accepted: [{ arguments: values }],
        refused: ["a.b", "a/b", "a b"].map((name) => ({
          value: { [name]: "true" },
          says: `${name.replace("/", "~1")}: must be boolean`,
        })),
      },
    ],
  };
  const find: Find = (value) => {
    if (!isObject(value)) return [{ instancePath: "", message: "must be object" }];
    return names
      .filter((name) => name !== "a" && typeof value[name] !== "boolean")
      .map((name) => ({ instancePath: `/${name.replace("/", "~1")}`, message: "must be boolean" }));
  };
  assert.equal(await failures(find, findInResult, named), []);
  const few: Find = (value) =>
    find(value).filter(({ instancePath }) => instancePath !== "/a~1b" || !isObject(value));
  assert.equal(await failures(few, findInResult, named), [mistakes]);
});

test("a validator whose bound is off by one makes a test fail", async () => {
  const shorter: Find = (value) =>
    isObject(value) && String(value["note"] ?? "").length > 29_999
      ? [{ instancePath: "/note", message: "must NOT have more than 30000 characters" }]
      : findInArguments(value);
  assert.equal(await failures(shorter), [bounds]);
  const longer: Find = (value) =>
    isObject(value) && String(value["note"] ?? "").length === 30_001 ? [] : findInArguments(value);
  assert.equal(await failures(longer), [bounds]);
});

test("a result is compared as it is sent, without what JSON leaves out", async () => {
  const title = "add takes a property that is undefined for a missing one";
  const careless: Find = (value) => ("sum" in (value as object) ? [] : findInResult(value));
  assert.equal(await failures(findInArguments, careless), [title]);
  const strict: Find = (value) => {
    const isThere = "note" in (value as object);
    return isThere && typeof (value as JsonObject)["note"] !== "string"
      ? [{ instancePath: "" }]
      : findInResult(value);
  };
  assert.equal(await failures(findInArguments, strict), [title]);
});

test.run();
