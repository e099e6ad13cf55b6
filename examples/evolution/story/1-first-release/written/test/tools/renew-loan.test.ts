import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServices } from "../../src/context.js";
import { createTestContext } from "../generated/testing.js";
import { renewLoan } from "../../src/tools/renew-loan.js";

const ctx = createTestContext({ services: await createServices() });

test("a loan gets two more weeks, also over the end of a year", async () => {
  assert.equal(await renewLoan({ loan: "L0003" }, ctx), { due: "2027-01-10", renewalsLeft: 0 });
});

test("a loan that was renewed three times stays as it is", () => {
  assert.throws(() => renewLoan({ loan: "L0002" }, ctx), /due 2026-12-05/);
});

test.run();
