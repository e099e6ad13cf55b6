import { gatewayTools } from "../../search/gateway-tools.js";
import type { Connect, ConnectedServer } from "../clients/harness.js";
import type { Era } from "../../context/context.js";
import { eras } from "../clients/connection.js";
import type { ExposureContract, JsonObject, ToolContract, ToolsContract } from "../contract.js";
import { expectEqual, expectThat, shown } from "../expectation.js";
import { ProbedServer, type CreateServer, type TestRegistry } from "../clients/probed-server.js";

/** The contract of tools that are found by searching. */
export function withListed(contract: ToolsContract): ToolsContract {
  const { listed } = exposureOf(contract);
  const others = contract.list.filter(({ name }) => listed.includes(String(name)));
  return { ...contract, list: [...(gatewayTools as readonly object[] as JsonObject[]), ...others] };
}

/** Returns the contract of the tools that are listed. */
export function onlyListed(contract: ToolsContract): ToolsContract {
  const { listed } = exposureOf(contract);
  return { ...contract, tools: contract.tools.filter(({ name }) => listed.includes(name)) };
}

/** Connects clients that call tools through the tools for that. */
export function throughGateway(connect: Connect, contract: ToolsContract): Connect {
  return async (...given): Promise<ConnectedServer> => {
    const connected = await connect(...given);
    const { client } = connected;
    const call = client.callTool.bind(client);
    client.callTool = (params, ...rest) => {
      const { name, arguments: values = {} } = params;
      return call({ ...params, ...gatewayCall(contract, name, values as JsonObject) }, ...rest);
    };
    return connected;
  };
}

/** Registers the tests that tools are found by searching, and called through the tools for that. */
export function testSearch(
  test: TestRegistry,
  contract: ToolsContract,
  createServer: CreateServer,
): void {
  const server = new ProbedServer(createServer);
  test.after(() => server.close());
  for (const tool of contract.tools) {
    test(`${tool.name} is found and called by searching`, async () => {
      for (const era of eras) await expectFound(contract, tool, server, era);
    });
  }
  test("wrong searches and calls are refused", () => expectRefused(contract, server));
}

async function expectFound(
  contract: ToolsContract,
  tool: ToolContract,
  server: ProbedServer,
  era: Era,
): Promise<void> {
  const { name, enabled, accepted } = tool;
  if (enabled !== undefined) {
    server.controls?.tools.disable(name);
    expectEqual(await findNames(name, server, era), [], `${name}, switched off, is found (${era})`);
    server.controls?.tools.enable(name);
  }
  const [found] = await find(name, server, era);
  expectEqual(found, foundTool(contract, name), `what is found for ${name} (${era})`);
  const values = accepted[0]?.arguments ?? {};
  server.returned = tool.output === undefined ? "the probe's answer" : tool.output.accepted[0];
  const direct = await server.request("tools/call", { name, arguments: values }, era);
  const { calls } = server;
  const call = gatewayCall(contract, name, values);
  const result = await server.request("tools/call", call, era);
  expectEqual(
    server.calls,
    calls,
    `${name}, called by ${call.name}, given to the handler (${era})`,
  );
  expectEqual(result, direct, `answer of ${name}, called by ${call.name} (${era})`);
  const other = call.name === "read_tool" ? "call_tool" : "read_tool";
  const refused = await server.request("tools/call", { ...call, name: other }, era);
  expectEqual(refused["isError"], true, `${name}, called by ${other} (${era})`);
  expectEqual(server.calls, [], `${name}, called by ${other}: calls of its handler (${era})`);
}

/** Returns the first results for the exact name of a tool. */
async function find(name: string, server: ProbedServer, era: Era): Promise<JsonObject[]> {
  const search = { name: "search_tools", arguments: { query: name } };
  const { structuredContent } = await server.request("tools/call", search, era);
  return (structuredContent as JsonObject)["tools"] as JsonObject[];
}

async function findNames(name: string, server: ProbedServer, era: Era): Promise<unknown[]> {
  const found = await find(name, server, era);
  return found.map((tool) => tool["name"]).filter((one) => one === name);
}

function foundTool(contract: ToolsContract, tool: string): JsonObject {
  const definition = definitionOf(contract, tool);
  const shownMembers = ["name", "title", "description", "inputSchema", "annotations"]
    .filter((key) => definition[key] !== undefined)
    .map((key) => [key, definition[key] ?? null]);
  return { ...Object.fromEntries(shownMembers), callWith: gatewayOf(definition) } as JsonObject;
}

/** Returns the parameters of the call that runs a tool. */
function gatewayCall(
  contract: ToolsContract,
  name: string,
  values: JsonObject,
): { readonly name: string; readonly arguments: JsonObject } {
  const gateway = gatewayOf(definitionOf(contract, name));
  return { name: gateway, arguments: { name, arguments: values } };
}

function gatewayOf({ annotations }: JsonObject): string {
  const reads = (annotations as JsonObject | undefined)?.["readOnlyHint"] === true;
  return reads ? "read_tool" : "call_tool";
}

function definitionOf({ list }: ToolsContract, tool: string): JsonObject {
  const definition = list.find(({ name }) => name === tool);
  if (definition === undefined) throw new Error(`the contract has no tool ${tool}`);
  return definition;
}

async function expectRefused(contract: ToolsContract, server: ProbedServer): Promise<void> {
  const [tool] = contract.tools;
  const { name, arguments: input } = gatewayCall(contract, tool?.name ?? "", {});
  const calls: readonly JsonObject[] = [
    { name: "search_tools", arguments: {} },
    { name: "search_tools", arguments: { query: "x", limit: 0 } },
    { name: "search_tools", arguments: { query: "x".repeat(1_001) } },
    { name, arguments: {} },
    { name, arguments: { ...input, arguments: [] } },
    { name, arguments: { ...input, more: 1 } },
    { name, arguments: { name: "no such tool" } },
    { name, arguments: { name: "search_tools", arguments: { query: "x" } } },
    { name, arguments: { name: "__proto__" } },
  ];
  for (const call of calls) {
    const result = await server.request("tools/call", call);
    expectThat(
      result["isError"] === true,
      `${shown(call)}: expected a refusal, got ${shown(result)}`,
    );
    expectEqual(server.calls, [], `${shown(call)}: calls that reached a handler`);
  }
}

function exposureOf({ exposure }: ToolsContract): ExposureContract {
  if (exposure === undefined) throw new Error("the contract does not say what is listed");
  return exposure;
}
