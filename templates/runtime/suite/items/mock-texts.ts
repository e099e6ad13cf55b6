import { ProbedServer, type CreateServer, type TestRegistry } from "../clients/probed-server.js";
import type { JsonObject } from "../contract.js";
import { expectEqual, shown } from "../expectation.js";
import type { PromptContract } from "./prompt-contract.js";
import type { ResourceContract, TemplateContract } from "./resource-contract.js";

/** The items with stubs that answer with texts in mock mode. */
export interface MockedItems {
  readonly resources?: readonly ResourceContract[];
  readonly templates?: readonly TemplateContract[];
  readonly prompts?: readonly PromptContract[];
}

/** A request to an item, and the text in its answer. */
interface MockedRequest {
  readonly kind: "resources" | "prompts";
  readonly item: { readonly name: string; readonly enabled?: boolean; readonly mockText?: string };
  readonly method: string;
  readonly params: JsonObject;
  readonly textOf: (result: JsonObject) => unknown;
}

/**
 * Registers the tests of what resources, templates and prompts answer in mock mode, where nobody has written their
 * handlers yet.
 * @param notImplemented The error that stubs throw.
 */
export function testMockTexts(
  test: TestRegistry,
  { resources = [], templates = [], prompts = [] }: MockedItems,
  createServer: CreateServer,
  notImplemented: Error,
): void {
  const requests = [
    ...resources.flatMap((item) => (item.isTooLong ? [] : [readRequest(item, item.uri)])),
    ...templates.flatMap((item) =>
      item.matching.slice(0, 1).map(({ uri }) => readRequest(item, uri)),
    ),
    ...prompts.map(promptRequest),
  ].filter(({ item }) => item.mockText !== undefined);
  if (requests.length === 0) return;
  const mocked = new ProbedServer(createServer, true);
  mocked.thrown = notImplemented;
  test.after(() => mocked.close());
  for (const { kind, item, method, params, textOf } of requests) {
    test(`${shown(item.name)} has a mock answer`, async () => {
      mocked.enable(kind, [item]);
      expectEqual(textOf(await mocked.request(method, params)), item.mockText, "mock answer");
    });
  }
}

function readRequest(item: ResourceContract | TemplateContract, uri: string): MockedRequest {
  const textOf = ({ contents }: JsonObject): unknown => (contents as JsonObject[])[0]?.["text"];
  return { kind: "resources", item, method: "resources/read", params: { uri }, textOf };
}

function promptRequest(item: PromptContract): MockedRequest {
  const params = { name: item.name, arguments: item.cases[0]?.arguments ?? {} };
  const textOf = ({ messages }: JsonObject): unknown =>
    ((messages as JsonObject[])[0]?.["content"] as JsonObject | undefined)?.["text"];
  return { kind: "prompts", item, method: "prompts/get", params, textOf };
}
