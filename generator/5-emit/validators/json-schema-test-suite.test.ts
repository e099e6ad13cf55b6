import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Validator } from "../../../templates/runtime/engine/item.js";
import { isJsonObject, type JsonSchema } from "../../model/json.js";
import { DIALECT_URIS } from "../../schema/json-schema.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { walkSchema } from "../../schema/subschemas.js";
import {
  readJsonFiles,
  readOwnGroups,
  SCHEMA_SUITE,
  testShared,
  type SuiteGroup,
} from "../../testing/harness/runner/shared-data.js";
import { prepareSchema } from "../../schema/keywords/emission/prepare-schema.js";
import { importValidators } from "../../testing/harness/projects/emitted-validators.js";
import {
  KNOWN_DISAGREEMENTS,
  OTHER_FILES,
  REFUSED_GROUPS,
} from "../../testing/harness/oracles/json-schema-test-suite-skips.js";

/** The groups of a suite, by file. */
type SuiteFiles = readonly (readonly [file: string, groups: readonly SuiteGroup[]])[];

const readFiles = (folder: URL): SuiteFiles =>
  readJsonFiles(folder)
    .filter(({ name }) => !(name in OTHER_FILES))
    .map(({ name, content }) => [name, content as SuiteGroup[]]);

async function validatorsOf(schemas: readonly JsonSchema[]): Promise<Validator[]> {
  const requests = schemas.map((schema, index) => ({ exportName: `schema${index}Input`, schema }));
  const validators = await importValidators(requests);
  return requests.map(({ exportName }) => validators[exportName]!);
}

/** The tests of a group that a validator answers otherwise. */
function disagreements(group: SuiteGroup, validate: Validator): string[] {
  return group.tests
    .filter(({ data, valid }) => validate(data) !== valid)
    .map(({ description }) => description);
}

/** Declares a test of our own groups, and the same of the suite's where they are there. */
function testSuite(title: string, check: (files: SuiteFiles) => void | Promise<void>): void {
  test(`this project's cases: ${title}`, () => check([["own", readOwnGroups()]]));
  testShared(`the suite: ${title}`, SCHEMA_SUITE, (folder) => check(readFiles(folder)));
}

testSuite("emitted validators agree, but for the tests that are listed", async (files) => {
  for (const [file, groups] of files) {
    const refused = REFUSED_GROUPS[file] ?? [];
    const kept = groups.filter(({ description }) => !refused.includes(description));
    const validators = await validatorsOf(kept.map(({ schema }) => schema));
    const wrong = kept.flatMap((group, index) => disagreements(group, validators[index]!));
    const known = Object.values(KNOWN_DISAGREEMENTS).flatMap((files) => files[file] ?? []);
    assert.equal(wrong.sort(), [...known].sort(), file);
  }
});

test("references that lead nowhere are refused", () => {
  for (const $ref of ["#/$defs/none", "#none", "https://example.com/none"]) {
    assert.throws(() => prepareSchema({ $ref }), "leads nowhere", $ref);
  }
});

testShared("the groups listed as refused are", SCHEMA_SUITE, (folder) => {
  const groups = new Map(readFiles(folder));
  for (const [file, refused] of Object.entries(REFUSED_GROUPS)) {
    for (const description of refused) {
      const group = groups.get(file)?.find((candidate) => candidate.description === description);
      assert.ok(group, `${file}: ${description}`);
      assert.throws(() => prepareSchema(group.schema), "leads nowhere", description);
    }
  }
});

/** Whether a schema means the same in draft-07. */
function isCommonToDialects(schema: JsonSchema): boolean {
  const changed = ["$ref", "$id", "items", "$anchor"];
  return [...walkSchema(schema)].every(([, inner]) =>
    Object.keys(isJsonObject(inner) ? inner : {}).every(
      (name) => !changed.includes(name) && KEYWORDS.get(name)?.dialects.length === 2,
    ),
  );
}

testSuite("what both dialects share is the same in draft-07", async (files) => {
  const known = Object.values(KNOWN_DISAGREEMENTS).flatMap((files) => Object.values(files).flat());
  const all = files.flatMap(([, fileGroups]) => fileGroups);
  const groups = all.filter(({ schema }) => isJsonObject(schema) && isCommonToDialects(schema));
  assert.ok(groups.length > all.length / 2, `${groups.length} of ${all.length} groups`);
  const schemas = groups.map(({ schema }) => ({
    ...(schema as object),
    $schema: DIALECT_URIS["draft-07"],
  }));
  const validators = await validatorsOf(schemas);
  const wrong = groups.flatMap((group, index) => disagreements(group, validators[index]!));
  assert.equal(
    wrong.filter((description) => !known.includes(description)),
    [],
  );
});

test.run();
