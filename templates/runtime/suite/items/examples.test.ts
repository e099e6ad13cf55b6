import { test } from "uvu";
import * as assert from "uvu/assert";
import { CollectedTests, printedWhile } from "../../samples/collected-tests.js";
import { contractedServer, toolsContract } from "../../samples/contract.js";
import { connectStdio } from "../clients/harness.js";
import type { CreateServer } from "../clients/probed-server.js";
import { testedProject, type JsonObject } from "../contract.js";
import { testExamples } from "./examples.js";
import { serverMaker } from "../server-maker.js";

test("examples whose handlers are not called reach none, and are held against the schemas", async () => {
  const example = (name: string, values: JsonObject, answer: JsonObject) => ({
    name,
    arguments: values,
    answer,
  });
  const examples = [
    example("right", { a: 1 }, { structuredContent: 3 }),
    example("wrong arguments", { a: "x" }, { structuredContent: 3 }),
    example("wrong result", { a: 1 }, { structuredContent: "x" }),
    example("error", { a: 2 }, { content: [{ type: "text", text: "no" }], isError: true }),
  ];
  const whyNotCalled = "the tool is not read-only";
  const examplesNotCalled = examples.map((example) => ({ ...example, whyNotCalled }));
  const tools = [{ ...toolsContract.tools[0]!, examples: examplesNotCalled }];
  const server = {
    info: {},
    protocol: { legacy: "serve" as const },
    transports: [],
    env: [],
    capabilities: {},
    settings: {},
    timeouts: {},
    environment: {},
    lists: [],
    project: testedProject(import.meta.url),
    contracts: {},
  };
  const create = serverMaker(contractedServer, ".") as CreateServer;
  const collected = new CollectedTests();
  const printed = await printedWhile(() =>
    testExamples(collected.registry, tools, server, create, connectStdio),
  );
  const reason = `(the handler is not called: ${whyNotCalled})`;
  assert.is(printed[0], `skipped: add, example: right ${reason}`);
  assert.is(collected.skipped.length, examples.length);
  const failed = (await collected.failures()).map((failure) => failure.split(":")[1]);
  assert.equal(failed, [" wrong arguments, fits the schemas", " wrong result, fits the schemas"]);
});

test.run();
