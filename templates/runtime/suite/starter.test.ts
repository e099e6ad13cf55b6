import { test } from "uvu";
import * as assert from "uvu/assert";
import { NotFoundError } from "../engine/errors.js";
import { CollectedTests, printedWhile } from "../samples/collected-tests.js";
import { missingServices } from "../testing/missing-services.js";
import { testOnceWritten } from "./starter.js";

test("the starter test of a stub or without services is skipped, that of a handler is run", async () => {
  const collected = new CollectedTests();
  const stub = Object.assign(new Error("Not implemented yet"), { name: "NotImplementedError" });
  const printed = await printedWhile(async () => {
    await testOnceWritten(collected.registry, "stub", () => Promise.reject(stub));
    await testOnceWritten(collected.registry, "needy", async () => {
      (missingServices() as { database: { query(): void } }).database.query();
    });
    await testOnceWritten(collected.registry, "good", () => Promise.resolve());
    await testOnceWritten(collected.registry, "bad", () => Promise.reject(new Error("wrong")));
    await testOnceWritten(collected.registry, "lost", () => Promise.reject(new NotFoundError()));
  });
  assert.is(printed[0], "skipped: stub (Not implemented yet)");
  assert.match(printed[1] ?? "", "skipped: needy (needs ctx.services.database: pass it, ");
  assert.equal(collected.skipped, ["stub", "needy"]);
  assert.equal(await collected.failures(), [
    "bad: Error: wrong",
    "lost: NotFoundError: there is no resource at this URI",
  ]);
});

test.run();
