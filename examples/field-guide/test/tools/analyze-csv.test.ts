import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { analyzeCsv } from "../../src/tools/analyze-csv.ts";
import { parseCsv } from "../../src/workspace/csv.ts";
import { temporaryWorkspace } from "../services.ts";

const { workspace, remove } = await temporaryWorkspace({
  "sales.csv": 'who,amount\r\n"Lin, Mei",2\r\n"a ""b""",4\r\n',
  "empty.csv": "who,amount\n",
  "text.csv": "amount\nmany\n",
});
const ctx = createTestContext({ services: { workspace } });
test.after(remove);

const analyze = async (
  file: string,
  operation: "sum" | "average" | "count",
  column?: string,
): Promise<unknown> => {
  try {
    return await analyzeCsv({ file, operation, ...(column !== undefined && { column }) }, ctx);
  } catch (error) {
    return (error as Error).message;
  }
};

test("reads quoted fields", () => {
  const rows = parseCsv('a,b\n"x, y","say ""hi"""\nlast,\n');
  assert.equal(rows, [
    ["a", "b"],
    ["x, y", 'say "hi"'],
    ["last", ""],
  ]);
});

test("sums, averages and counts", async () => {
  assert.equal(await analyze("sales.csv", "sum", "amount"), {
    operation: "sum",
    value: 6,
    rows: 2,
  });
  assert.equal(await analyze("sales.csv", "average", "amount"), {
    operation: "average",
    value: 3,
    rows: 2,
  });
  assert.equal(await analyze("sales.csv", "count"), { operation: "count", value: 2, rows: 2 });
  assert.equal(await analyze("empty.csv", "average", "amount"), {
    operation: "average",
    value: 0,
    rows: 0,
  });
});

test("says what is wrong", async () => {
  assert.is(await analyze("sales.csv", "sum"), "sum needs a column");
  assert.is(await analyze("sales.csv", "sum", "price"), "sales.csv has no column price");
  assert.is(await analyze("none.csv", "count"), "There is no file none.csv");
  assert.is(await analyze("../secret.txt", "count"), "../secret.txt is outside the workspace");
  assert.is(
    await analyze("text.csv", "sum", "amount"),
    'Column amount holds "many", which is not a number',
  );
});

test.run();
