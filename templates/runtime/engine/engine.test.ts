import { test } from "uvu";
import * as assert from "uvu/assert";
import { sampleEngine } from "../samples/engine.js";
import { sampleServer } from "../samples/server.js";

const app = { ui: { resourceUri: "ui://page" } };

test("extensions of features and of the project are advertised side by side", () => {
  const [first, ...others] = sampleServer.tools;
  if (first === undefined) throw new Error("no tools");
  const shown = { ...first, definition: { ...first.definition, _meta: app } };
  const streams = { "com.example/streams": { maxStreams: 4 } };
  const { capabilities } = sampleEngine({
    ...sampleServer,
    tools: [shown, ...others],
    extensions: streams,
  });
  assert.equal(capabilities.extensions, { "io.modelcontextprotocol/ui": {}, ...streams });
  assert.equal(Object.keys(capabilities)[0], "logging");
});

test("a server without extensions says nothing of them", () => {
  assert.not.ok("extensions" in sampleEngine(sampleServer).capabilities);
});

test.run();
