import { argumentsOf } from "../../3-normalize/bodies/values.js";
import type { McpBodyModel, McpCallModel, McpReadModel } from "../../model/bodies.js";
import { callOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { HANDLER_PARAMETERS } from "../modules/handler-files.js";
import { memberOf } from "../modules/structures.js";
import { bodyArguments } from "./arguments.js";
import type { BodyCode } from "./body-code.js";
import type { BodilyItem } from "./body-items.js";
import { ValueWriter } from "./values.js";

/** Passes the call of an item on to another MCP server. */
export function mcpCode(item: BodilyItem, body: McpBodyModel): BodyCode {
  return body.asks === "resource" ? readCode(item, body) : callCode(item, body);
}

function callCode(item: BodilyItem, body: McpCallModel): BodyCode {
  const { arguments: given } = body;
  const used = given === undefined ? [] : [...new Set(argumentsOf(given))];
  const writer = new ValueWriter(bodyArguments(item, used), item.identifier);
  const names = used.map((name) => [name, writer.identifier(name)] as const);
  const whole = HANDLER_PARAMETERS[item.kind];
  const method = body.asks === "tool" ? "callTool" : "getPrompt";
  const passed = given === undefined ? whole : writer.value(given);
  const unused = names.length === 0 ? `_${whole}` : objectOf(names);
  return {
    imports: [...writer.imports],
    docs: `The ${body.asks} \`${body.name}\` of the MCP server \`${body.server}\`.`,
    parameter: given === undefined ? whole : unused,
    statements: [
      sequenceOf(["return ", askedBy(body.server, method, [writeString(body.name), passed]), ";"]),
    ],
  };
}

function readCode(item: BodilyItem, { server, uri, isTemplate }: McpReadModel): BodyCode {
  const whole = HANDLER_PARAMETERS[item.kind];
  const read = askedBy(server, "readResource", [writeString(uri), ...(isTemplate ? [whole] : [])]);
  return {
    imports: ["NotFoundError"],
    docs: `The resource \`${uri}\` of the MCP server \`${server}\`.`,
    parameter: isTemplate ? whole : `_${whole}`,
    statements: [
      sequenceOf(["const contents = await ", read, ";"]),
      "if (contents === undefined) throw new NotFoundError();",
      "return contents;",
    ],
  };
}

function askedBy(server: string, method: string, values: readonly Code[]): Code {
  return callOf(`${memberOf("ctx.servers", server)}.${method}`, values);
}
