import { argumentsOf } from "../../bodies/values.js";
import type { McpBodyModel, McpCallModel, McpReadModel } from "../../model/bodies.js";
import type { ItemModel } from "../../model/server-model.js";
import { callOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { remoteContract, remoteItems } from "../contract-tests/bodies/remote-contracts.js";
import { HANDLER_PARAMETERS } from "../modules/handler-files.js";
import { memberOf } from "../modules/structures.js";
import { code } from "../../text/markdown.js";
import { bodyArguments } from "./arguments.js";
import type { BodyCode } from "./body-code.js";
import type { BodyKind } from "./body-kind.js";
import type { Entry } from "../modules/item-settings.js";
import { selectionOption } from "./selection.js";
import { ValueWriter } from "./value-writer.js";

/** An `mcp` body. */
export const mcpBody: BodyKind<McpBodyModel> = {
  code: mcpCode,
  answerer: ({ server }) => `the MCP server ${code(server)}`,
  sentence: (body) =>
    `The MCP server ${code(body.server)} answers: ${code(body.asks === "resource" ? body.uri : body.name)}.`,
  isRunnable: ({ server }, { servers = [] }) => servers.some(({ name }) => name === server),
  contracts: { name: "remote-servers", items: remoteItems, contract: remoteContract },
};

/** The code of an `mcp` body: it passes the call of the item on to another MCP server. */
function mcpCode(item: ItemModel, body: McpBodyModel): BodyCode {
  return body.asks === "resource" ? readCode(item, body) : callCode(item, body);
}

function callCode(item: ItemModel, body: McpCallModel): BodyCode {
  const { arguments: mapped } = body;
  const used = mapped === undefined ? [] : [...new Set(argumentsOf(mapped))];
  const writer = new ValueWriter(bodyArguments(item, used), item.identifier);
  const names = used.map((name) => [name, writer.identifier(name)] as const);
  const parameter = HANDLER_PARAMETERS[item.kind];
  const method = body.asks === "tool" ? "callTool" : "getPrompt";
  const passed = mapped === undefined ? parameter : writer.value(mapped);
  const destructured = names.length === 0 ? `_${parameter}` : objectOf(names);
  const selection = selectionOption(body.select, "content", [
    item.identifier,
    "ctx",
    parameter,
    ...names.map(([, local]) => local),
  ]);
  const options: Entry[] = [
    ...(body.strict === true ? [["strict", "true"] as const] : []),
    ...selection.options,
  ];
  return {
    imports: [...writer.imports],
    steps: selection.steps,
    docs: `The ${body.asks} \`${body.name}\` of the MCP server \`${body.server}\`.`,
    parameter: mapped === undefined ? parameter : destructured,
    statements: [
      sequenceOf([
        "return ",
        serverCall(body.server, method, [
          writeString(body.name),
          passed,
          ...(options.length === 0 ? [] : [objectOf(options)]),
        ]),
        ";",
      ]),
    ],
  };
}

function readCode(item: ItemModel, { server, uri, isTemplate }: McpReadModel): BodyCode {
  const parameter = HANDLER_PARAMETERS[item.kind];
  const values = [writeString(uri), ...(isTemplate ? [parameter] : [])];
  const read = serverCall(server, "readResource", values);
  return {
    imports: ["NotFoundError"],
    docs: `The resource \`${uri}\` of the MCP server \`${server}\`.`,
    parameter: isTemplate ? parameter : `_${parameter}`,
    statements: [
      sequenceOf(["const contents = await ", read, ";"]),
      "if (contents === undefined) throw new NotFoundError();",
      "return contents;",
    ],
  };
}

function serverCall(server: string, method: string, values: readonly Code[]): Code {
  return callOf(`${memberOf("ctx.servers", server)}.${method}`, values);
}
