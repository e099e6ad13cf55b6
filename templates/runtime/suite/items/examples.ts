import type { ExampleContract, JsonObject, ServerContract, ToolContract } from "../contract.js";
import { expectEqual, expectParts, testText } from "../expectation.js";
import { expectMatching } from "../matching.js";
import { closeAll, type Connect, type ConnectedServer } from "../clients/harness.js";
import {
  ProbedServer,
  type CreateServer,
  type SkippingRegistry,
} from "../clients/probed-server.js";
import { skip } from "../starter.js";

interface ExampleCall {
  readonly tool: ToolContract;
  readonly example: ExampleContract;
}

/**
 * Registers a test for each example of the manifest. The built server is called with the examples of read-only
 * tools, and of tools whose answer is in the manifest. Other handlers might delete or send something, so their
 * examples are only checked against the schemas.
 * @param connect Connects to the built server over one of its transports.
 * @param whyNoneIsCalled The reason why no handler can be called; undefined if handlers can be called.
 */
export async function testExamples(
  test: SkippingRegistry,
  tools: readonly ToolContract[],
  server: ServerContract,
  createServer: CreateServer,
  connect: Connect,
  whyNoneIsCalled?: string,
): Promise<void> {
  const all = tools.flatMap((tool) => tool.examples.map((example) => ({ tool, example })));
  const called: ExampleCall[] = [];
  const probed: ExampleCall[] = [];
  for (const one of all) {
    const { whyNotSent, whyNotCalled = whyNoneIsCalled } = one.example;
    if (whyNotSent !== undefined) skip(test, titleOf(one), whyNotSent);
    else if (whyNotCalled === undefined) called.push(one);
    else {
      probed.push(one);
      skip(test, titleOf(one), `the handler is not called: ${whyNotCalled}`);
    }
  }
  await testAnswers(test, called, server, connect);
  testSchemas(test, probed, createServer);
}

function titleOf({ tool, example }: ExampleCall): string {
  return `${tool.name}, example: ${testText(example.name)}`;
}

/** Registers the tests that call handlers. Handlers that are not written yet are skipped. To find them, all are called first. */
async function testAnswers(
  test: SkippingRegistry,
  calls: readonly ExampleCall[],
  server: ServerContract,
  connect: Connect,
): Promise<void> {
  if (calls.length === 0) return;
  test.after(closeAll);
  const caller = connectFor(server, connect);
  for (const exampleCall of calls) {
    const [outcome] = await Promise.allSettled([call(caller, exampleCall)]);
    const missing = await caller
      .then(({ stderr }) => stderr.missingService())
      .catch(() => undefined);
    const { stub } = exampleCall.tool;
    const isStub = stub !== undefined && isAnsweredBy(stub, outcome);
    const reason = isStub ? stub : missing;
    if (reason !== undefined) skip(test, titleOf(exampleCall), reason);
    else test(titleOf(exampleCall), async () => expectAnswer(outcome, exampleCall.example));
  }
}

/** Registers the tests that the schemas accept the examples' arguments and results. They call no handlers. */
function testSchemas(
  test: SkippingRegistry,
  calls: readonly ExampleCall[],
  createServer: CreateServer,
): void {
  if (calls.length === 0) return;
  const server = new ProbedServer(createServer);
  test.after(() => server.close());
  for (const call of calls) {
    test(`${titleOf(call)}, fits the schemas`, () => expectFits(call, server));
  }
}

async function expectFits({ tool, example }: ExampleCall, server: ProbedServer): Promise<void> {
  const { answer, arguments: values } = example;
  server.enable("tools", [tool]);
  server.returned = "structuredContent" in answer ? answer["structuredContent"] : answer["content"];
  const result = await server.request("tools/call", { name: tool.name, arguments: values });
  // An error that is not about the input schema is one of the handler.
  const isHandlers = answer["isError"] === true && server.calls.length > 0;
  if (!isHandlers) expectParts(result, answer, `arguments ${JSON.stringify(values)}`);
}

async function connectFor(contract: ServerContract, connect: Connect): Promise<ConnectedServer> {
  const connected = await connect("modern", contract);
  // The list tells the client which arguments it must repeat in headers.
  await connected.client.listTools();
  return connected;
}

async function call(
  caller: Promise<ConnectedServer>,
  { tool, example }: ExampleCall,
): Promise<JsonObject> {
  const { client, stderr } = await caller;
  const params = { name: tool.name, arguments: example.arguments };
  return stderr.explain(async () => (await client.callTool(params)) as JsonObject);
}

function isAnsweredBy(stub: string, outcome: PromiseSettledResult<JsonObject>): boolean {
  if (outcome.status === "rejected" || outcome.value["isError"] !== true) return false;
  const [block] = outcome.value["content"] as { text?: string }[];
  return block?.text === stub;
}

function expectAnswer(
  outcome: PromiseSettledResult<JsonObject>,
  { answer, matches, arguments: values }: ExampleContract,
): void {
  if (outcome.status === "rejected") throw outcome.reason;
  const { content } = outcome.value;
  if (answer["isError"] === undefined && outcome.value["isError"] === true) {
    expectEqual(content, answer["content"] ?? answer["structuredContent"], "the call failed");
  }
  expectMatching(outcome.value, answer, matches, `arguments ${JSON.stringify(values)}`);
}
