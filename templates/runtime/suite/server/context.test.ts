import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../../testing/test-context.js";
import { testContext } from "./context.js";

/** Runs the suite of `createTestContext` with a right one and wrong ones. */

const contract = {
  env: [
    { name: "KEY", type: "string", required: true },
    { name: "NOTE", type: "string" },
  ],
} as const;

type Create = Parameters<typeof testContext>[2];

const members = { auth: { principal: "ada", scopes: ["read"] } };

const right: Create = (parts?: Parameters<Create>[0] & Partial<typeof members>) => ({
  ...createTestContext({ env: { KEY: "key" }, services: {}, ...parts }),
  auth: parts?.auth,
});

async function fails(create: Create): Promise<boolean> {
  let run = async (): Promise<void> => assert.unreachable();
  const collect = (_: string, body: () => Promise<void>): void => void (run = body);
  testContext(Object.assign(collect, { after: () => undefined }), contract, create, members);
  return run().then(
    () => false,
    () => true,
  );
}

test("a correct expansion passes, and one that drops a part or a variable fails", async () => {
  assert.is(await fails(right), false);
  assert.is(await fails(() => right()), true);
  for (const part of ["signal", "era", "auth"] as const) {
    const dropping: Create = (parts) => right(parts && { ...parts, [part]: undefined });
    assert.is(await fails(dropping), true, part);
  }
  assert.is(await fails((parts) => Object.assign(right(parts), { env: {} })), true);
});

test.run();
