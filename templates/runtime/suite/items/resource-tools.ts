import { resourceTools } from "../../resource-tools/definitions.js";
import type { Era } from "../../context/context.js";
import { AnsweredError, eras } from "../clients/connection.js";
import type { JsonObject, ToolsContract } from "../contract.js";
import { expectEqual, expectThat, shown } from "../expectation.js";
import {
  ProbedServer,
  type CreateServer,
  type SkippingRegistry,
  type TestRegistry,
} from "../clients/probed-server.js";

/** The contract of tools with the two that list and read resources. */
export function withResourceTools(contract: ToolsContract): ToolsContract {
  const added = resourceTools as readonly object[] as JsonObject[];
  return { ...contract, list: [...contract.list, ...added] };
}

/** Registers the tests that two tools list and read the resources as the methods for that do. */
export function testResourceTools(
  test: TestRegistry | SkippingRegistry,
  createServer: CreateServer,
): void {
  const server = new ProbedServer(createServer);
  test.after(() => server.close());
  for (const era of eras) {
    test(`tools list and read the resources (${era})`, () => expectSame(server, era));
  }
  test("what is no resource is not read by a tool", async () => {
    for (const uri of ["no such resource", "", 7, null]) {
      const result = await call(server, "read_resource", { uri });
      expectEqual(result["isError"], true, `read_resource of ${shown(uri)}`);
    }
    const wrong = await call(server, "list_resources", { page: 1 });
    expectEqual(wrong["isError"], true, "list_resources with a wrong argument");
  });
}

async function expectSame(server: ProbedServer, era: Era): Promise<void> {
  server.returned = "the probe's answer";
  const listed = await listByTool(server, era);
  const byMethod = {
    resources: await server.listAll({ method: "resources/list", key: "resources" }, era),
    templates: await server.listAll(
      { method: "resources/templates/list", key: "resourceTemplates" },
      era,
    ),
  };
  expectEqual(listed, byMethod, "what list_resources lists");
  for (const { uri = "" } of listed.resources) {
    const direct = await server
      .request("resources/read", { uri }, era)
      .catch((error: unknown) => error);
    const { calls } = server;
    const result = await call(server, "read_resource", { uri }, era);
    expectEqual(server.calls, calls, `${shown(uri)}, read by a tool: calls of handlers`);
    if (direct instanceof AnsweredError) expectEqual(result["isError"], true, shown(uri));
    else expectTexts(result, direct as JsonObject, shown(uri));
  }
}

async function listByTool(
  server: ProbedServer,
  era: Era,
): Promise<{ resources: JsonObject[]; templates: JsonObject[] }> {
  const all = { resources: [] as JsonObject[], templates: [] as JsonObject[] };
  for (let next: JsonObject | undefined = {}; next !== undefined;) {
    const result = await call(server, "list_resources", next, era);
    const page = result["structuredContent"] as Partial<typeof all> & { nextCursor?: string };
    all.resources.push(...(page.resources ?? []));
    all.templates.push(...(page.templates ?? []));
    next = page.nextCursor === undefined ? undefined : { cursor: page.nextCursor };
  }
  return all;
}

function call(
  server: ProbedServer,
  name: string,
  values: JsonObject,
  era?: Era,
): Promise<JsonObject> {
  return server.request("tools/call", { name, arguments: values }, era);
}

function expectTexts(result: JsonObject, direct: JsonObject, what: string): void {
  const blocks = result["content"] as JsonObject[];
  const contents = direct["contents"] as JsonObject[];
  expectEqual(blocks.length, contents.length, `${what}: blocks`);
  for (const [index, { text }] of contents.entries()) {
    if (text !== undefined) expectEqual(blocks[index]?.["text"], text, `${what}: text`);
    else expectThat(blocks[index]?.["type"] !== "text", `${what}: bytes are no text`);
  }
}
