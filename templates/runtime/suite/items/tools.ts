import { AnsweredError, consentTo } from "../clients/connection.js";
import type {
  BreakingValue,
  ConfirmContract,
  JsonObject,
  ToolContract,
  ToolsContract,
} from "../contract.js";
import { expectEqual, expectParts, expectThat, shown } from "../expectation.js";
import {
  listedAtFirst,
  ProbedServer,
  type CreateServer,
  type TestRegistry,
} from "../clients/probed-server.js";

/** Parsed JSON in which `__proto__` is a usual member. */
const PROTOTYPE = JSON.parse('{ "__proto__": { "isAdmin": true } }') as JsonObject;

const toolList = { method: "tools/list", key: "tools" };

/**
 * Registers the tests of all tools: their list, valid and invalid arguments, aliases, fixed answers and mock answers.
 * @param notImplemented The error that stubs throw.
 * @param inLegacy Returns the part of an item that clients of the older eras get.
 */
export function testTools(
  test: TestRegistry,
  contract: ToolsContract,
  createServer: CreateServer,
  notImplemented: Error,
  inLegacy?: (item: JsonObject) => JsonObject,
): void {
  const { list, settings, tools } = contract;
  const server = new ProbedServer(createServer);
  const mocked = new ProbedServer(createServer, true);
  mocked.thrown = notImplemented;
  test.after(async () => {
    await server.close();
    await mocked.close();
  });

  const first = tools.find(({ enabled }) => enabled !== false);
  test("tools/list is what the manifest says", async () => {
    await server.expectList(toolList, listedAtFirst(list, tools), settings, inLegacy);
    server.enable("tools", tools);
    mocked.enable("tools", tools);
  });
  test("a tool that does not exist is refused", async () => {
    for (const name of ["no such tool", "constructor", "__proto__"]) {
      await server.expectInvalid("tools/call", { name, arguments: {} }, name);
    }
  });
  if (first !== undefined) {
    test("arguments that would set a prototype are refused", async () => {
      const call = { name: first.name, arguments: PROTOTYPE };
      await server.expectInvalid("tools/call", call, "__proto__");
    });
  }
  for (const tool of tools) {
    testTool(test, tool, server);
    if (tool.mock === undefined) continue;
    test(`${tool.name} has a mock answer`, () => expectMock(tool, mocked));
  }
}

function testTool(test: TestRegistry, tool: ToolContract, server: ProbedServer): void {
  const { name, aliases = [], refused } = tool;
  test(`${name} accepts what its input schema allows`, () => expectAccepted(tool, server));
  for (const alias of aliases) {
    test(`${name} answers to ${alias}`, () => expectAccepted(tool, server, alias));
  }
  const { confirm } = tool;
  if (confirm !== undefined) {
    test(`${name} asks the user before it runs`, () => expectConsent(name, confirm, server));
  }
  if (refused.length > 0) {
    test(`${name} refuses what breaks its input schema`, () =>
      expectRefused(name, refused, server));
  }
}

/** @param name The name in the call: the tool's own name or an alias. */
async function expectAccepted(
  tool: ToolContract,
  server: ProbedServer,
  name = tool.name,
): Promise<void> {
  const { fixed, accepted } = tool;
  const { returned, answer: probed } = probeOf(tool);
  server.returned = returned;
  for (const { arguments: values, received = values, answer } of accepted) {
    const what = `arguments ${shown(values)}`;
    const result = await server.request("tools/call", { name, arguments: values });
    const calls = fixed === true ? [] : [{ kind: "tool", name: tool.name, input: received }];
    expectEqual(server.calls, calls, `${what}, given to the handler`);
    const expected = answer ?? probed;
    if (expected !== undefined) expectParts(result, expected, what);
  }
}

/** Checks that a call asks the user, and runs once after a yes, and never after a no or without an answer. */
async function expectConsent(
  name: string,
  { arguments: values, message }: ConfirmContract,
  server: ProbedServer,
): Promise<void> {
  const call = { name, arguments: values };
  const asked = await server.requestOnce("tools/call", call);
  const yes = consentTo(asked, { action: "accept", content: {} });
  expectThat(yes !== undefined, `the user is not asked, but the answer is ${shown(asked)}`);
  if (message !== undefined) {
    const [question] = Object.values(asked["inputRequests"] as Record<string, JsonObject>);
    expectEqual((question?.["params"] as JsonObject)["message"], message, "the question");
  }
  const another = await server.requestOnce("tools/call", call);
  const no = consentTo(another, { action: "decline" });
  const declined = await server.requestOnce("tools/call", { ...call, ...no });
  expectEqual([declined["isError"], server.calls], [true, []], "after a no");
  const unable = { "io.modelcontextprotocol/clientCapabilities": {} };
  await expectNoRun({ ...call, _meta: unable }, server, "for a client that cannot ask");
  await expectNoRun({ ...call, ...no }, server, "after a second use of a no");
  server.returned = "ran";
  await server.requestOnce("tools/call", { ...call, ...yes });
  expectEqual(server.calls.length, 1, "calls after a yes");
  await expectNoRun({ ...call, ...yes }, server, "after a second use of a yes");
}

async function expectNoRun(call: JsonObject, server: ProbedServer, what: string): Promise<void> {
  const error = await server.requestOnce("tools/call", call).catch((thrown: unknown) => thrown);
  expectThat(error instanceof AnsweredError, `${what}: answered ${shown(error)}`);
  expectEqual(server.calls, [], `${what}: calls`);
}

/** The result of the probe for a tool, and the expected answer; undefined if no valid result is known. */
function probeOf({ output }: ToolContract): { returned: unknown; answer?: JsonObject } {
  if (output === undefined) {
    const text = "the probe's answer";
    return { returned: text, answer: { content: [{ type: "text", text }] } };
  }
  const [value] = output.accepted;
  if (value === undefined) return { returned: undefined };
  return { returned: value, answer: { structuredContent: value } };
}

async function expectRefused(
  name: string,
  refused: readonly BreakingValue[],
  server: ProbedServer,
): Promise<void> {
  for (const { value, says = "", breaks = says } of refused) {
    const what = `arguments ${shown(value)} (${breaks})`;
    const result = await server.request("tools/call", { name, arguments: value });
    expectEqual(server.calls, [], `${what}: calls that reached the handler`);
    expectEqual(result["isError"], true, `${what}: isError`);
    const answer = (result["content"] as { text: string }[]).map(({ text }) => text).join("\n");
    expectThat(
      hasWords(answer, says),
      `${what}: expected the answer to say ${says}, got ${answer}`,
    );
  }
}

async function expectMock(
  { name, mock, accepted, examples }: ToolContract,
  mocked: ProbedServer,
): Promise<void> {
  const usual = accepted.find((call) => call.mock === undefined);
  const withOwnMock = accepted.filter((call) => call.mock !== undefined);
  const errors = examples
    .filter((example) => example.mocked === true && example.whyNotSent === undefined)
    .map((example) => ({ arguments: example.arguments, mock: example.answer }));
  for (const call of [...(usual === undefined ? [] : [usual]), ...withOwnMock, ...errors]) {
    const expected = call.mock ?? mock;
    if (expected === undefined) continue;
    const result = await mocked.request("tools/call", { name, arguments: call.arguments });
    expectParts(result, expected, `mock answer to ${JSON.stringify(call.arguments)}`);
  }
}

/** Whether a text contains these words, and the last of them is whole. */
export function hasWords(text: string, words: string): boolean {
  const start = text.indexOf(words);
  return start >= 0 && (words === "" || !/\w/.test(text.charAt(start + words.length)));
}
