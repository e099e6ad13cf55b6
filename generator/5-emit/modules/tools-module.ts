import type { JsonValue } from "../../model/json.js";
import type { ServerModel, ToolExample, ToolModel } from "../../model/server-model.js";
import { INPUT_VALIDATOR, OUTPUT_VALIDATOR, validatorsConstant } from "../../model/type-names.js";
import { validatorImports } from "../validators/validator-requests.js";
import { listOf, literalOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { schemaMock } from "../contract-tests/schema-contracts.js";
import { otherExamples, usualExample } from "../contract-tests/tool-contracts.js";
import type { Declaration } from "../declaration.js";
import { collectDefaults } from "../../schema/defaults/collect-defaults.js";
import type { FileStatements } from "../typescript-printer.js";
import { asksEntry } from "./asking.js";
import { fixedContent } from "./fixed-content.js";
import { handled, handlerModule } from "./handler-files.js";
import { itemSettings, type Entry } from "./item-settings.js";
import {
  constant,
  entryFunction,
  importOf,
  importTypes,
  listConstant,
  memberOf,
} from "./structures.js";

/** `src/generated/tools.ts`: every tool as it is listed, checked and answered. */
export function toolsModule(model: ServerModel): FileStatements {
  const { tools } = model;
  const own = handled(tools);
  return [
    ...validatorImports(tools),
    ...own.map((tool) => importOf(`../${handlerModule(tool)}.js`, [tool.identifier])),
    importTypes("./runtime/tools/definition.js", ["ToolEntry"]),
    ...(own.length > 0 ? [importTypes("./types.js", ["ToolHandler", "ToolName"])] : []),
    ...(own.length > 0 ? [handlersConstant(own, tools)] : []),
    entryFunction,
    listConstant(
      {
        name: "tools",
        entryType: "ToolEntry",
        docs: "In the order in which `tools/list` gives them.",
      },
      tools.map((tool) => toolEntry(tool, model)),
    ),
  ];
}

function handlersConstant(own: readonly ToolModel[], tools: readonly ToolModel[]): Declaration {
  const handlers = objectOf(own.map((tool) => [tool.name, tool.identifier]));
  const fixed = tools.filter((tool) => tool.behaviour.kind === "fixed");
  const names =
    fixed.length === 0
      ? "ToolName"
      : `Exclude<ToolName, ${fixed.map((tool) => writeString(tool.name)).join(" | ")}>`;
  return constant({
    name: "handlers",
    value: sequenceOf([handlers, ` satisfies { [Name in ${names}]: ToolHandler<Name> }`]),
    docs: "Every handler against the type of its tool: one that is missing or does not fit is an error here.",
    exported: false,
  });
}

function toolEntry(tool: ToolModel, model: ServerModel): Code {
  const defaults = collectDefaults(tool.input.wire);
  const entries: Entry[] = [
    ["definition", literalOf(tool.wire)],
    ...aliases(tool),
    ["validateInput", `${validatorsConstant(tool)}.${INPUT_VALIDATOR}`],
  ];
  if (defaults !== undefined) entries.push(["defaults", literalOf(defaults)]);
  if (tool.output !== undefined) {
    entries.push(["validateOutput", `${validatorsConstant(tool)}.${OUTPUT_VALIDATOR}`]);
  }
  entries.push(...itemSettings(tool), ["behaviour", behaviour(tool, model)]);
  return objectOf(entries);
}

function aliases({ aliases: names }: ToolModel): Entry[] {
  return names === undefined ? [] : [["aliases", literalOf([...names])]];
}

function behaviour(tool: ToolModel, model: ServerModel): Code {
  if (tool.behaviour.kind === "handler") {
    return objectOf([
      ["kind", '"handler"'],
      ["handler", memberOf("handlers", tool.name)],
      ...asksEntry(tool),
      ["mock", mockAnswer(tool, model)],
      ...mockedCalls(tool),
    ]);
  }
  const { content, structuredContent, isError } = tool.behaviour;
  const entries: Entry[] = [
    ["kind", '"fixed"'],
    ["content", listOf(content.map(fixedContent))],
  ];
  if (structuredContent !== undefined) {
    entries.push(["structuredContent", literalOf(structuredContent)]);
  }
  if (isError) entries.push(["isError", "true"]);
  return objectOf(entries);
}

/** The usual example's answer, else a value made from the output schema, else a text. */
function mockAnswer(tool: ToolModel, model: ServerModel): Code {
  const usual = usualExample(tool);
  if (usual !== undefined) return exampleAnswer(usual);
  const made = tool.output && schemaMock(model, tool.output.wire);
  return made === undefined
    ? literalOf({ kind: "text", text: `A mock answer of ${tool.name}.` })
    : valueAnswer(made);
}

/** What a stub answers to the calls of the other examples. */
function mockedCalls(tool: ToolModel): Entry[] {
  const calls = otherExamples(tool).map(({ example, received }) =>
    objectOf([
      ["arguments", literalOf(received)],
      ["answer", exampleAnswer(example)],
    ]),
  );
  return calls.length === 0 ? [] : [["mocks", listOf(calls)]];
}

function exampleAnswer({ expect }: ToolExample): Code {
  return expect.kind === "result" ? valueAnswer(expect.result) : literalOf({ ...expect });
}

function valueAnswer(value: JsonValue): Code {
  return objectOf([
    ["kind", '"value"'],
    ["value", literalOf(value)],
  ]);
}
