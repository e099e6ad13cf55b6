import { PassThrough } from "node:stream";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sampleServer } from "../../samples/server.js";
import { withTestServices } from "../../testing/test-services.js";
import { ServerStderr } from "./server-stderr.js";

test("a step that fails says what the server wrote last, safe for a terminal", async () => {
  const stream = new PassThrough();
  const stderr = new ServerStderr(stream);
  stream.write(`${"x".repeat(10_000)}\nERR_MODULE \u001b[31m`);
  stream.end();
  const failed = stderr.explain(() => Promise.reject(new Error("Connection closed")));
  const { message } = await failed.then(
    () => new Error("it has not failed"),
    (error: Error) => error,
  );
  assert.match(message, /^Connection closed\nThe server's stderr:\n/);
  assert.match(message, "ERR_MODULE \\u001b[31m");
  assert.ok(message.length < 5_000);
});

test("a service that a handler needs and a test lacks is reported once", async () => {
  const stream = new PassThrough();
  const stderr = new ServerStderr(stream);
  const server = {
    definition: { ...sampleServer, lateParts: [] },
    ...{ transports: [], root: "." },
    context: async () => ({ createServices: () => ({}), other: 1 }),
  };
  const tested = await withTestServices(server, { services: { count: 3 } }).context();
  const { createServices, other } = tested as typeof tested & { readonly other: number };
  const services = createServices?.({} as never, undefined as never) as {
    count: number;
    database: { query(): void };
  };
  assert.is(other, 1);
  assert.is(services.count, 3);
  assert.is(await stderr.missingService(), undefined);
  const { error } = console;
  console.error = (text: string) => void stream.write(JSON.stringify({ message: text }));
  try {
    assert.throws(() => services.database.query(), /ctx\.services\.database/);
  } finally {
    console.error = error;
  }
  const missing = "needs ctx.services.database: give it in test/services.ts";
  assert.equal(
    [await stderr.missingService(), await stderr.missingService()],
    [missing, undefined],
  );
});

test.run();
