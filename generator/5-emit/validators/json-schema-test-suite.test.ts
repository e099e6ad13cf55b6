import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Validator } from "../../../templates/runtime/engine/definition.js";
import { isJsonObject, type JsonSchema, type JsonValue } from "../../model/json.js";
import { DIALECT_URIS } from "../../schema/json-schema.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { walkSchema } from "../../schema/subschemas.js";
import { compileValidator } from "./compile-schema.js";
import { emitValidators } from "./emit-validators.js";
import {
  KNOWN_DISAGREEMENTS,
  OTHER_FILES,
  REFUSED_GROUPS,
} from "./json-schema-test-suite.test.skips.js";

interface SuiteGroup {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly { description: string; data: JsonValue; valid: boolean }[];
}

const SUITE = new URL(
  "../../../../../shared/data/json-schema-test-suite/draft2020-12/",
  import.meta.url,
);
const available = existsSync(SUITE);
if (!available) console.log("skipped: the JSON Schema test suite is not beside this checkout");

function readFiles(): [string, SuiteGroup[]][] {
  const names = readdirSync(SUITE, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".json") && !(name in OTHER_FILES)).sort();
  return files.map((name) => [name, JSON.parse(readFileSync(new URL(name, SUITE), "utf8"))]);
}

async function importValidators(schemas: readonly JsonSchema[]): Promise<Validator[]> {
  const requests = schemas.map((schema, index) => ({ exportName: `schema${index}Input`, schema }));
  const { javascript } = emitValidators(requests, "// test");
  const validators = await import(`data:text/javascript,${encodeURIComponent(javascript)}`);
  return requests.map(({ exportName }) => validators[exportName]);
}

/** The tests of a group that a validator answers otherwise. */
function disagreements(group: SuiteGroup, validate: Validator): string[] {
  return group.tests
    .filter(({ data, valid }) => validate(data) !== valid)
    .map(({ description }) => description);
}

const runSuite = available ? test : test.skip;

runSuite("emitted validators agree with the suite, but for the tests that are listed", async () => {
  for (const [file, groups] of readFiles()) {
    const refused = REFUSED_GROUPS[file] ?? [];
    const kept = groups.filter(({ description }) => !refused.includes(description));
    const validators = await importValidators(kept.map(({ schema }) => schema));
    const wrong = kept.flatMap((group, index) => disagreements(group, validators[index]!));
    const known = Object.values(KNOWN_DISAGREEMENTS).flatMap((files) => files[file] ?? []);
    assert.equal(wrong.sort(), [...known].sort(), file);
  }
});

runSuite("validators for use in this process answer like the emitted ones", () => {
  for (const [file, groups] of readFiles()) {
    const refused = REFUSED_GROUPS[file] ?? [];
    const kept = groups.filter(({ description }) => !refused.includes(description));
    const wrong = kept.flatMap((group) => disagreements(group, compileValidator(group.schema)));
    const known = Object.values(KNOWN_DISAGREEMENTS).flatMap((files) => files[file] ?? []);
    assert.equal(wrong.sort(), [...known].sort(), file);
  }
});

runSuite("the groups listed as refused are", () => {
  const groups = new Map(readFiles());
  for (const [file, refused] of Object.entries(REFUSED_GROUPS)) {
    for (const description of refused) {
      const group = groups.get(file)?.find((candidate) => candidate.description === description);
      assert.ok(group, `${file}: ${description}`);
      assert.throws(() => compileValidator(group.schema), "leads nowhere", description);
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

runSuite("what both dialects share is the same in draft-07", async () => {
  const known = Object.values(KNOWN_DISAGREEMENTS).flatMap((files) => Object.values(files).flat());
  const groups = readFiles()
    .flatMap(([, fileGroups]) => fileGroups)
    .filter(({ schema }) => isJsonObject(schema) && isCommonToDialects(schema));
  assert.ok(groups.length > 200, `${groups.length} groups`);
  const schemas = groups.map(({ schema }) => ({
    ...(schema as object),
    $schema: DIALECT_URIS["draft-07"],
  }));
  const validators = await importValidators(schemas);
  const wrong = groups.flatMap((group, index) => disagreements(group, validators[index]!));
  assert.equal(
    wrong.filter((description) => !known.includes(description)),
    [],
  );
});

test.run();
