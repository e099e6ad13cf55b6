import { test } from "uvu";
import * as assert from "uvu/assert";
import { result, type ToolResult } from "../tools/result.js";
import { outputOf } from "./output-of.js";
import { missingServices } from "./missing-services.js";
import { createTestContext } from "./test-context.js";

test("a test context records the logs and the progress of the handler", async () => {
  const controller = new AbortController();
  const context = createTestContext({
    env: { KEY: "k" },
    services: { double: (n: number) => n * 2 },
    signal: controller.signal,
  });
  const { log, progress } = context;
  log.info("working", { half: true });
  await progress(1, 4);
  await progress(1, 4);
  await progress(NaN);
  await progress(2, undefined, "half");
  assert.equal(context.logged, [{ level: "info", message: "working", data: { half: true } }]);
  assert.equal(context.reported, [
    { progress: 1, total: 4 },
    { progress: 2, message: "half" },
  ]);
  assert.is(context.services.double(2), 4);
  assert.is(context.env.KEY, "k");
  controller.abort();
  await progress(3);
  assert.is(context.reported.length, 2);
  assert.ok(context.signal.aborted);
});

test("the output of a handler is found directly or in a result", () => {
  interface Output {
    readonly days: number;
  }
  const answer = { days: 1 } as Output | ToolResult<Output>;
  const output: Output = outputOf(answer);
  assert.equal(output, { days: 1 });
  assert.is(outputOf(result({ structuredContent: 2, content: "two" })), 2);
  assert.throws(() => outputOf(result({ content: "x" })), /no structuredContent/);
});

test("a handler that uses a service which its test does not give gets an error that names the service", () => {
  const services = missingServices() as { database: { query(): void } };
  const context = createTestContext({ env: {}, services });
  assert.throws(
    () => context.services.database.query(),
    (error: Error) =>
      error.name === "MissingServicesError" &&
      error.message.startsWith("needs ctx.services.database:"),
  );
});

test.run();
