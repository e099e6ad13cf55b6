import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
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
import { checkSchemas } from "./check-schemas.js";
import { accepts } from "../../schema/interpret.js";

/** A manifest without text; the file of a place says the path. */
function manifestOf(value: JsonObject): LoadedManifest {
  const place = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return {
    file: "",
    texts: new Map(),
    value,
    locate: (path) => ({ file: path.join("/"), ...place }),
  };
}

function errorsIn(value: JsonObject): Diagnostic[] {
  return checkSchemas(manifestOf(value)).filter(({ severity }) => severity === "error");
}

/** A group of tests, and its file in the suite. */
type FiledGroup = SuiteGroup & { readonly name: string };

/** A URL that is supported. */
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Features of JSON Schema that schemas of a manifest cannot use, recognised by the text of a schema. */
const REFUSED_FEATURES =
  /"\$id"|"\$vocabulary"|"\$(schema|ref)":"(https?:|urn:)|"\$dynamicRef":"http|"dependencies"|unknown-keyword|unknown\/keyword|array_of_schemas/;

/** Schemas that are refused though all their features are supported. */
const REFUSED: Readonly<Record<string, string>> = {
  "invalid type for default": "a default must fit",
  "invalid string value for default": "a default must fit",
  "the default keyword does not do anything if the property is missing": "a default must fit",
  "empty enum": "no value fits",
  "maxContains < minContains": "no value fits",
  "patternProperties validates properties matching a regex": "a pattern of quadratic time",
  "reference internals of known non-applicator": "a reference into examples",
};

/** Tests of values that the quick check of examples judges wrongly, and why that is acceptable. */
const DISAGREEMENTS: readonly [RegExp, string][] = [
  [/^format\.json /, "known formats are checked"],
  [/__proto__ not valid/, "a manifest has no such key"],
];

/** The suite's groups whose schemas a manifest can hold. */
const supportedGroups = (folder: URL): FiledGroup[] =>
  readJsonFiles(folder)
    .flatMap(({ name, content }) => (content as SuiteGroup[]).map((group) => ({ name, ...group })))
    .filter(
      ({ schema }) =>
        !REFUSED_FEATURES.test(JSON.stringify(schema).replace(`"$schema":"${DIALECT}"`, "")),
    );

const refusedGroups = (groups: readonly SuiteGroup[]): string[] =>
  groups
    .filter(({ schema }) => errorsIn({ tools: [{ outputSchema: schema }] }).length > 0)
    .map(({ description }) => description);

/** The titles of the tests whose values the quick check of examples judges wrongly. */
const wronglyJudged = (groups: readonly FiledGroup[]): string[] =>
  groups.flatMap(({ name, description, schema, tests }) => {
    if (!isJsonObject(schema)) return [];
    return tests
      .filter(({ data, valid }) => accepts(schema, data) !== valid)
      .map((value) => `${name} ${description} ${value.description}`);
  });

test("usual tools and this project's schemas have no errors, and their values are judged correctly", () => {
  const groups = readOwnGroups().map((group) => ({ name: "own", ...group }));
  assert.equal(errorsIn({ tools: readOwnTools() }), []);
  assert.equal(refusedGroups(groups), []);
  assert.equal(wronglyJudged(groups), []);
});

testShared("no error in the 117 real tools", REAL_TOOLS, (folder) => {
  const tools = readTools(folder);
  assert.is(tools.length, 117);
  assert.equal(errorsIn({ tools }), []);
});

testShared("no error in the suite's schemas but those that are listed", SCHEMA_SUITE, (folder) => {
  const supported = supportedGroups(folder);
  assert.equal(refusedGroups(supported).sort(), Object.keys(REFUSED).sort());
  assert.ok(supported.length > 350, `${supported.length} schemas were tried`);
});

testShared(
  "values are judged as the suite has it but those that are listed",
  SCHEMA_SUITE,
  (folder) => {
    const judged = supportedGroups(folder).filter(
      ({ name, description }) => !name.startsWith("optional/") && !(description in REFUSED),
    );
    const wrong = wronglyJudged(judged);
    assert.equal(
      wrong.filter((title) => !DISAGREEMENTS.some(([pattern]) => pattern.test(title))),
      [],
    );
  },
);

test.run();
