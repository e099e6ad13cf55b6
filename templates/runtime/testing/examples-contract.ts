import type { Client } from "@modelcontextprotocol/client";
import {
  missingEnvironment,
  type ExampleContract,
  type JsonObject,
  type ServerContract,
  type ToolContract,
} from "./contract.js";
import { expectEqual, testText } from "./expectation.js";
import { closeAll, connectHttp, connectStdio, startHttp } from "./harness.js";
import type { SkippingRegistry } from "./probed-server.js";
import { skip } from "./starter.js";
import { expectParts } from "./tools-contract.js";

/**
 * Registers a test for every example of the manifest, answered by the built server with its real
 * handlers. Examples of handlers that are not written yet are skipped; to know them, all examples
 * are called before the tests are registered.
 */
export async function testExamples(
  test: SkippingRegistry,
  tools: readonly ToolContract[],
  server: ServerContract,
): Promise<void> {
  const calls = tools.flatMap((tool) => tool.examples.map((example) => ({ tool, example })));
  if (calls.length === 0) return;
  test.after(closeAll);
  const client = connect(server);
  for (const { tool, example } of calls) {
    const title = `${tool.name}, example: ${testText(example.name)}`;
    const outcome = await settle(call(client, tool, example));
    const { stub } = tool;
    if (stub !== undefined && isAnsweredBy(stub, outcome)) skip(test, title, stub);
    else test(title, async () => expectAnswer(outcome, example));
  }
}

async function connect(contract: ServerContract): Promise<Client> {
  const env = missingEnvironment(contract);
  if (contract.transports.some(({ type }) => type === "stdio")) return connectStdio("modern", env);
  const { url } = await startHttp(env);
  const client = await connectHttp(url, "modern");
  // From the list the client learns which arguments it must repeat in headers.
  await client.listTools();
  return client;
}

async function call(
  client: Promise<Client>,
  { name }: ToolContract,
  { arguments: values }: ExampleContract,
): Promise<JsonObject> {
  return (await (await client).callTool({ name, arguments: values })) as JsonObject;
}

async function settle<Value>(promise: Promise<Value>): Promise<PromiseSettledResult<Value>> {
  const [outcome] = await Promise.allSettled([promise]);
  return outcome;
}

function isAnsweredBy(stub: string, outcome: PromiseSettledResult<JsonObject>): boolean {
  if (outcome.status === "rejected" || outcome.value["isError"] !== true) return false;
  const [block] = outcome.value["content"] as { text?: string }[];
  return block?.text === stub;
}

function expectAnswer(
  outcome: PromiseSettledResult<JsonObject>,
  { answer, arguments: values }: ExampleContract,
): void {
  if (outcome.status === "rejected") throw outcome.reason;
  const { content } = outcome.value;
  if (answer["isError"] === undefined && outcome.value["isError"] === true) {
    expectEqual(content, answer["content"] ?? answer["structuredContent"], "the call failed");
  }
  expectParts(outcome.value, answer, `arguments ${JSON.stringify(values)}`);
}
