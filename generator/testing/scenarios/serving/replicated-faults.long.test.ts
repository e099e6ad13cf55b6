import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LocalRedis } from "../../../../templates/runtime/samples/local-redis.js";
import { runFaults } from "./replicated-server/fault-run.js";
import { faults } from "./replicated-server/faults.js";
import { Replicas } from "./replicated-server/replicas.js";

/** Faults between replicas and Redis, with few calls; `npm run soak:replicas` has many. */

const test = suite("faults of replicas");
const absence = await LocalRedis.whyWithout();
const NAME = "whatever fails, each call gets its own answer, and no data reaches another principal";

if (absence === undefined) {
  test(NAME, async () => {
    const scene = await Replicas.create();
    const options = { replicas: 2, calls: 30, callers: 4, delayMs: 250, lastsMs: 300 };
    try {
      const results = await runFaults(scene, faults, options);
      assert.is(results.length, faults.length);
      for (const { fault, sent, ok, broken, problems } of results) {
        assert.equal(problems, [], fault);
        assert.ok(sent >= options.calls && ok + broken === sent, fault);
      }
    } finally {
      await scene.end();
    }
  });
} else {
  console.log(`skipped: ${NAME} (${absence})`);
  test.skip(NAME);
}

test.run();
