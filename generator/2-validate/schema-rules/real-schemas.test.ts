import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Diagnostic } from "../../model/diagnostic.js";
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { checkSchemas } from "./check-schemas.js";
import { accepts } from "../../schema/interpret.js";

const data = new URL("../../../../../shared/data/", import.meta.url);

/** A manifest without text; the file of a place says the path. */
function manifestOf(value: JsonObject): LoadedManifest {
  const place = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { file: "", text: "", value, locate: (path) => ({ file: path.join("/"), ...place }) };
}

function errorsIn(value: JsonObject): Diagnostic[] {
  return checkSchemas(manifestOf(value)).filter(({ severity }) => severity === "error");
}

function readFolder(folder: URL): { name: string; content: unknown }[] {
  const files = readdirSync(folder, { recursive: true }).map(String);
  return files
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => ({ name, content: JSON.parse(readFileSync(new URL(name, folder), "utf8")) }));
}

interface SuiteGroup {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly { description: string; data: JsonValue; valid: boolean }[];
}

/** A URL that is supported. */
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Features of JSON Schema that a manifest's schemas cannot use, told by the text of a schema. */
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

/** Tests of values about which the quick check of examples is wrong, and why that is bearable. */
const DISAGREEMENTS: readonly [RegExp, string][] = [
  [/^format\.json /, "known formats are checked"],
  [/__proto__ not valid/, "a manifest has no such key"],
];

if (!existsSync(data)) {
  test.skip("real schemas (skipped: ../shared is absent)", () => {});
} else {
  test("no error in the 117 real tools", () => {
    const tools = readFolder(new URL("real-tools/github/", data)).map(({ content }) => content);
    assert.is(tools.length, 117);
    assert.equal(errorsIn({ tools: tools as JsonValue[] }), []);
  });

  const groups = readFolder(new URL("json-schema-test-suite/draft2020-12/", data)).flatMap(
    ({ name, content }) => (content as SuiteGroup[]).map((group) => ({ name, ...group })),
  );
  const supported = groups.filter(
    ({ schema }) =>
      !REFUSED_FEATURES.test(JSON.stringify(schema).replace(`"$schema":"${DIALECT}"`, "")),
  );

  test("no error in the test suite's schemas but those that are listed", () => {
    const refused = supported
      .filter(({ schema }) => errorsIn({ tools: [{ outputSchema: schema }] }).length > 0)
      .map(({ description }) => description);
    assert.equal(refused.sort(), Object.keys(REFUSED).sort());
    assert.ok(supported.length > 350, `${supported.length} schemas were tried`);
  });

  test("values are judged as the test suite has it but those that are listed", () => {
    const wrong = supported
      .filter(({ name, description }) => !name.startsWith("optional/") && !(description in REFUSED))
      .flatMap(({ name, description, schema, tests }) => {
        if (!isJsonObject(schema)) return [];
        return tests
          .filter(({ data, valid }) => accepts(schema, data) !== valid)
          .map((value) => `${name} ${description} ${value.description}`);
      });
    assert.equal(
      wrong.filter((title) => !DISAGREEMENTS.some(([pattern]) => pattern.test(title))),
      [],
    );
  });
}

test.run();
