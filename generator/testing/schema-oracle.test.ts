import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonSchema, JsonValue } from "../model/json.js";
import { isValid } from "./schema-oracle.js";

interface SuiteGroup {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly { description: string; data: JsonValue; valid: boolean }[];
}

const SUITE = new URL(
  "../../../../shared/data/json-schema-test-suite/draft2020-12/",
  import.meta.url,
);

/** Schemas for which the oracle is not made: other documents, `$id`, another meaning of keywords, decimals. */
const FOREIGN =
  /"\$ref":"[^#]|"\$(?:id|vocabulary)"|"\$schema":"(?!https:\/\/json-schema.org\/draft\/2020-12)/;
const OTHER = new Set(["float overflow", "float division = inf", "small number"]);

const runSuite = existsSync(SUITE) ? test : test.skip;

runSuite("the oracle agrees with every test of the suite that it can read", () => {
  let count = 0;
  for (const name of readdirSync(SUITE).filter((file) => file.endsWith(".json"))) {
    const groups = JSON.parse(readFileSync(new URL(name, SUITE), "utf8")) as SuiteGroup[];
    for (const { description, schema, tests } of groups) {
      if (FOREIGN.test(JSON.stringify(schema)) || OTHER.has(description)) continue;
      for (const { description: title, data, valid } of tests) {
        const where = `${name}: ${description}: ${title}`;
        let answer: boolean | undefined;
        try {
          answer = isValid(data, schema);
        } catch (error) {
          throw new Error(where, { cause: error });
        }
        assert.is(answer, valid, where);
        count += 1;
      }
    }
  }
  assert.ok(count > 1000, `${count} tests`);
});

test.run();
