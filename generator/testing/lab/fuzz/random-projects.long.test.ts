import { test } from "uvu";
import * as assert from "uvu/assert";
import { testRandomProjects } from "./project-rounds.js";

/** The short form of `npm run fuzz:projects`. A trial found skills beside listed instances, which no example had. */
test("projects of random features compile and pass the tests that they get", async () => {
  const { tested, refused } = await testRandomProjects(1, 20);
  assert.ok(tested >= 15, refused.join("\n"));
});

test.run();
