import { test } from "uvu";
import * as assert from "uvu/assert";
import { filledIn } from "../../../templates/runtime/tools/defaults.js";
import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import { accepts } from "../../schema/interpret.js";
import { RandomSchemas } from "../../testing/harness/random/random-schemas.js";
import {
  readJsonFiles,
  readOwnGroups,
  readOwnTools,
  readTools,
  REAL_TOOLS,
  SCHEMA_SUITE,
  testShared,
  type SuiteGroup,
} from "../../testing/harness/runner/shared-data.js";
import {
  askCompiler,
  printDeclarations,
  type OracleAnswer,
  type OracleModule,
} from "../../testing/harness/oracles/type-oracle.js";
import { collectDefaults } from "../../schema/defaults/collect-defaults.js";
import type { TypeRequest } from "./emit-types.js";
import { emitTypes } from "../../testing/harness/oracles/types-in-one-module.js";

/*
 * The types against TypeScript itself. A valid value must be accepted in two forms: written down
 * where the type is expected, where TypeScript also refuses properties that it does not know, and
 * in a variable of its own exact type. An invalid value counts as refused in the first form.
 */

function moduleFor(
  schema: JsonSchema,
  mode: TypeRequest["mode"],
  values: readonly JsonValue[],
): OracleModule {
  return {
    declarations: emitTypes([{ typeName: "Subject", schema, mode }], []),
    typeName: "Subject",
    values,
  };
}

/** Fails with what was refused, and the types that refused it. */
function assertAccepts(
  module: OracleModule,
  { errors, verdicts }: OracleAnswer,
  count: number,
): void {
  const refused = module.values
    .slice(0, count)
    .filter((_, index) => !verdicts[index]?.asLiteral || !verdicts[index]?.asVariable);
  if (errors.length + refused.length === 0) return;
  const types = printDeclarations(module.declarations);
  assert.unreachable(`${JSON.stringify({ errors, refused })}\n${types}`);
}

/** The groups whose schemas a manifest may hold: objects, without identifiers and outer references. */
function suiteGroups(folder: URL): SuiteGroup[] {
  return readJsonFiles(folder)
    .filter(({ name }) => !name.includes("/"))
    .flatMap(({ content }) => content as SuiteGroup[])
    .filter(({ schema }) => typeof schema === "object")
    .filter(({ schema }) => {
      const text = JSON.stringify(schema);
      return !/"\$(id|vocabulary)"|"\$(ref|dynamicRef)":"[^#]/.test(text);
    });
}

/** How many of the suite's invalid values are refused; more is better, fewer is a regression. */
const REFUSED_AT_LEAST = 283;
const OWN_REFUSED_AT_LEAST = 1;

/** How many invalid values of groups their types refuse; throws where they refuse a valid one. */
function countRefused(suite: readonly SuiteGroup[]): number {
  const groups = suite.map(({ schema, tests }) => ({
    schema,
    valid: tests.filter(({ valid }) => valid).map((one) => one.data),
    invalid: tests.filter(({ valid }) => !valid).map((one) => one.data),
  }));
  const modules = groups.map(({ schema, valid, invalid }) =>
    moduleFor(schema, "value", [...valid, ...invalid]),
  );
  const totals = { valid: 0, invalid: 0, refused: 0 };
  askCompiler(modules).forEach((answer, index) => {
    const { valid, invalid } = groups[index]!;
    assertAccepts(modules[index]!, answer, valid.length);
    totals.valid += valid.length;
    totals.invalid += invalid.length;
    totals.refused += answer.verdicts.slice(valid.length).filter((one) => !one.asLiteral).length;
  });
  console.log(
    `${groups.length} groups: all ${totals.valid} valid values accepted, ` +
      `${totals.refused} of ${totals.invalid} invalid ones refused`,
  );
  return totals.refused;
}

test("the types accept every valid value of this project's test schemas", () => {
  const refused = countRefused(readOwnGroups());
  assert.ok(refused >= OWN_REFUSED_AT_LEAST, `${refused} refused`);
});

testShared(
  "every valid value of the JSON Schema test suite is accepted",
  SCHEMA_SUITE,
  (folder) => {
    const refused = countRefused(suiteGroups(folder));
    assert.ok(refused >= REFUSED_AT_LEAST, `${refused} refused`);
  },
);

interface Case {
  readonly schema: JsonObject;
  readonly accepts: readonly JsonValue[];
  readonly refuses: readonly JsonValue[];
}

const draft07 = { $schema: "http://json-schema.org/draft-07/schema#" };

const cases: Readonly<Record<string, Case>> = {
  "draft-07 tuples": {
    schema: { ...draft07, items: [{ type: "string" }, { type: "number" }], additionalItems: false },
    accepts: [[], ["a"], ["a", 1], { b: 1 }],
    refuses: [[1], ["a", 1, 1]],
  },
  "draft-07 dependencies": {
    schema: {
      ...draft07,
      type: "object",
      dependencies: { a: ["b"], c: { properties: { d: { const: 1 } }, required: ["d"] } },
    },
    accepts: [{}, { b: 1 }, { a: 1, b: 1 }, { c: 1, d: 1 }],
    refuses: [{ a: 1 }, { c: 1 }, { c: 1, d: 2 }],
  },
  "draft-07 ignores what stands beside a reference": {
    schema: {
      ...draft07,
      type: "object",
      properties: { a: { $ref: "#/definitions/text", type: "number" } },
      definitions: { text: { type: "string" } },
    },
    accepts: [{ a: "x" }],
    refuses: [{ a: 1 }],
  },
  "names that every object has": {
    schema: {
      type: "object",
      properties: { constructor: { type: "string" }, toString: { type: "string" } },
      additionalProperties: false,
    },
    accepts: [{}, { constructor: "Ferrari" }, { toString: "x" }],
    refuses: [{ other: 1 }],
  },
  "names of properties": {
    schema: {
      type: "object",
      propertyNames: { enum: ["a", "b"] },
      additionalProperties: { type: "number" },
    },
    accepts: [{}, { a: 1 }, { a: 1, b: 2 }],
    refuses: [{ c: 1 }, { a: "x" }],
  },
  "an else that a condition leads to": {
    schema: {
      type: "object",
      properties: { kind: { enum: ["a", "b"] } },
      required: ["kind"],
      if: { properties: { kind: { const: "a" } } },
      then: { required: ["x"] },
      else: { required: ["y"] },
    },
    accepts: [
      { kind: "a", x: 1 },
      { kind: "b", y: 1 },
    ],
    refuses: [{ kind: "a", y: 1 }, { kind: "b", x: 1 }, { kind: "b" }],
  },
  "objects that recursion narrows": {
    schema: {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          type: "object",
          properties: {
            next: { allOf: [{ $ref: "#/$defs/node" }, { required: ["id"] }] },
            id: { type: "string" },
          },
          additionalProperties: false,
        },
      },
    },
    accepts: [{}, { next: { id: "a", next: { id: "b" } } }],
    refuses: [{ next: {} }, { id: 1 }, { next: { id: "a", next: {} } }],
  },
};

const caseModules = Object.values(cases).map(({ schema, accepts, refuses }) =>
  moduleFor(schema, "value", [...accepts, ...refuses]),
);
const caseAnswers = askCompiler(caseModules);

for (const [index, [name, { accepts, refuses }]] of Object.entries(cases).entries()) {
  test(name, () => {
    const answer = caseAnswers[index]!;
    assertAccepts(caseModules[index]!, answer, accepts.length);
    const accepted = refuses.filter((_, at) => answer.verdicts[accepts.length + at]?.asLiteral);
    assert.equal(accepted, []);
  });
}

const SEED = 20_261_120;
const RANDOM_SCHEMAS = 40;
const VALUES_EACH = 30;

test("every value that a schema accepts fits its types, before and after defaults are filled in", () => {
  const random = new RandomSchemas(SEED);
  const modules: OracleModule[] = [];
  while (modules.length < RANDOM_SCHEMAS * 2) {
    const schema = random.schema();
    const values = Array.from({ length: VALUES_EACH }, () => random.value());
    const valid = values.filter((value) => fits(value, schema));
    if (valid.length === 0) continue;
    const defaults = collectDefaults(schema) ?? {};
    const filled = valid.map((value) => filledIn(value, defaults) as JsonValue);
    modules.push(moduleFor(schema, "value", valid), moduleFor(schema, "arguments", filled));
  }
  askCompiler(modules).forEach((answer, index) => {
    const module = modules[index]!;
    assertAccepts(module, answer, module.values.length);
  });
});

/** Endless recursion, which some random schemas are, accepts nothing. */
function fits(value: JsonValue, schema: JsonObject): boolean {
  try {
    return accepts(schema, value);
  } catch {
    return false;
  }
}

/** What the compiler finds in the types of tools' arguments. */
function errorsInTypes(tools: readonly JsonObject[]): readonly string[] | undefined {
  const requests = tools.map(({ inputSchema }, index): TypeRequest => ({
    typeName: `Tool${index}`,
    schema: inputSchema as JsonSchema,
    mode: "arguments",
  }));
  const declarations = emitTypes(requests, []);
  return askCompiler([{ declarations, typeName: "Tool0", values: [] }])[0]?.errors;
}

test("the types of typical tools have no compile errors", () => {
  assert.equal(errorsInTypes(readOwnTools()), []);
});

testShared("the types of real tools are free of errors", REAL_TOOLS, (folder) => {
  const tools = readTools(folder);
  assert.is(tools.length, 117);
  assert.equal(errorsInTypes(tools), []);
});

test.run();
