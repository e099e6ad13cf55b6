import { test } from "uvu";
import * as assert from "uvu/assert";
import { CollectedTests } from "../../samples/collected-tests.js";
import { validator } from "../../samples/contract.js";
import type { SchemasContract } from "./schema-contract.js";
import { testSchemas } from "./schemas.js";

/** Runs the suite of shared schemas with right functions and wrong ones. */

const contract: SchemasContract = {
  schemas: [
    {
      name: "Count",
      module: "count",
      exported: ["input", "output"],
      values: {
        accepted: [1, 2],
        refused: [{ value: "x", says: "/: must be number", keyword: "type" }],
      },
    },
  ],
};

type Parts = Readonly<Record<string, ReturnType<typeof validator> | undefined>>;

const isNumber = (value: unknown): boolean => typeof value === "number";
const right = validator(isNumber, "", "must be number");

async function failuresOf(parts: Parts): Promise<string[]> {
  const collected = new CollectedTests();
  const load = async (module: string) => {
    assert.is(module, "count");
    return { input: right, output: right, ...parts } as never;
  };
  testSchemas(collected.registry, contract, load);
  assert.is(collected.tests.length, 2);
  return collected.failures();
}

test("right functions pass", async () => {
  assert.equal(await failuresOf({}), []);
});

test("each wrong function makes a test fail, and no other", async () => {
  const other = validator(isNumber, "/a", "must be number");
  const wrong: Record<string, ReturnType<typeof validator> | undefined> = {
    "refuses what is valid": validator((value) => value === 1, "", "must be number"),
    "takes everything": validator(() => true, "", "must be number"),
    "names another place": other,
    "is missing": undefined,
  };
  for (const [what, one] of Object.entries(wrong)) {
    for (const kind of ["input", "output"]) {
      const failures = await failuresOf({ [kind]: one });
      assert.is(failures.length, 1, `${kind} ${what}: ${failures.join("; ")}`);
      assert.match(failures[0] ?? "", kind === "input" ? "in arguments" : "in results");
    }
  }
});

test("findings about arguments have the right words, and those about results the right keyword", async () => {
  const words = validator(isNumber, "", "must be a number");
  assert.is((await failuresOf({ input: words })).length, 1);
  assert.equal(await failuresOf({ output: words }), []);
  const keyword: ReturnType<typeof validator> = (value) => {
    const isValid = right(value);
    keyword.errors = right.errors?.map((issue) => ({ ...issue, keyword: "enum" })) ?? null;
    return isValid;
  };
  assert.is((await failuresOf({ output: keyword })).length, 1);
  assert.equal(await failuresOf({ input: keyword }), []);
});

test.run();
