import type { JsonObject, JsonValue } from "../../model/json.js";
import type { ServerModel, ToolExample, ToolModel } from "../../model/server-model.js";
import { inputTypeName, outputTypeName } from "../../model/type-names.js";
import { listOf, literalOf, objectOf, type Code, type NamedCode } from "../../text/code.js";
import { resultMock } from "../contract-tests/schema-instances.js";
import { otherExamples, fallbackExample } from "../contract-tests/tool-contracts.js";
import { collectDefaults } from "../../schema/defaults/collect-defaults.js";
import { schemaDefinitions, usesDefinitions } from "../schema-definitions.js";
import type { SharedTypes, TypeRequest } from "../types/emit-types.js";
import { validatorsImport } from "../validators/validator-requests.js";
import { asksEntry } from "./asking.js";
import { fixedContent } from "./fixed-content.js";
import { handlerEntry, itemModule, type ItemModule } from "./item-module.js";
import { searchWords } from "../../listing/search-words.js";
import { itemSettings, type Entry } from "./item-settings.js";
import { DEFINITIONS_MODULE } from "./definitions-module.js";
import { importNamespace } from "./structures.js";

/** `src/generated/tools/<tool>.ts`: the types and the entry of a tool. */
export function toolModule(tool: ToolModel, model: ServerModel, shared: SharedTypes): ItemModule {
  const { output, behaviour } = tool;
  const callsCode = behaviour.kind !== "fixed";
  const answersContent = callsCode && output === undefined;
  return itemModule(
    tool,
    {
      requests: typeRequests(tool),
      docs: {
        [inputTypeName(tool)]: `The arguments of \`${tool.name}\`, with defaults filled in.`,
        [outputTypeName(tool)]: `The result of \`${tool.name}\`.`,
      },
      roomTypes: answersContent ? ["ToolContent"] : [],
      ...(callsCode && {
        codeTypes: [
          inputTypeName(tool),
          output === undefined ? "ToolContent" : outputTypeName(tool),
        ],
      }),
      imports: usesDefinitions(tool.wire, schemaDefinitions(model))
        ? [importNamespace(`../${DEFINITIONS_MODULE}.ts`, "definitions")]
        : [],
      entries: toolEntries(tool, model),
    },
    shared,
  );
}

function typeRequests(tool: ToolModel): TypeRequest[] {
  const input = { typeName: inputTypeName(tool), schema: tool.input.authored, mode: "arguments" };
  if (tool.output === undefined) return [input as TypeRequest];
  const output = { typeName: outputTypeName(tool), schema: tool.output.authored, mode: "value" };
  return [input, output] as TypeRequest[];
}

function toolEntries(tool: ToolModel, model: ServerModel): Entry[] {
  const { aliases, behaviour, confirm, task, text } = tool;
  const defaults = collectDefaults(tool.input.wire);
  return [
    ["definition", literalOf(tool.wire, definitionName(model))],
    ...(aliases === undefined ? [] : [["aliases", literalOf([...aliases])] as const]),
    ...(defaults === undefined ? [] : [["defaults", literalOf(defaults as JsonValue)] as const]),
    ...(model.exposure === undefined ? [] : [["search", searchEntry(tool)] as const]),
    ...(text === undefined ? [] : [["text", literalOf(text)] as const]),
    ["validators", validatorsImport(tool)],
    ...handlerEntry(tool),
    ...asksEntry(tool),
    ...(confirm === undefined ? [] : [["confirm", literalOf(confirm.message)] as const]),
    ...(task === undefined ? [] : [["task", literalOf({ ...task })] as const]),
    ...(behaviour.kind !== "fixed"
      ? [["mock", mockAnswer(tool, model)] as const, ...mockedCalls(tool)]
      : [["answer", fixedAnswer(behaviour)] as const]),
    ...itemSettings(tool),
  ];
}

/** The names of the definitions that stand in their own module. */
function definitionName(model: ServerModel): NamedCode {
  const definitions = schemaDefinitions(model);
  return (object) => {
    const definition = definitions.get(object as JsonObject);
    return definition && `definitions.${definition.typeName}`;
  };
}

function searchEntry(tool: ToolModel): Code {
  const { heading, text } = searchWords(tool);
  return literalOf({ heading, text });
}

function fixedAnswer({
  content,
  structuredContent,
  isError,
}: Extract<ToolModel["behaviour"], { kind: "fixed" }>): Code {
  const entries: Entry[] = [["content", listOf(content.map(fixedContent))]];
  if (structuredContent !== undefined) {
    entries.push(["structuredContent", literalOf(structuredContent)]);
  }
  if (isError) entries.push(["isError", "true"]);
  return objectOf(entries);
}

/** The answer in mock mode: of the fallback example, or a value generated from the output schema, or a text. */
function mockAnswer(tool: ToolModel, model: ServerModel): Code {
  const example = fallbackExample(tool);
  if (example !== undefined) return exampleAnswer(example);
  const mock = resultMock(model, tool);
  return mock === undefined
    ? literalOf({ kind: "text", text: `A mock answer of ${tool.name}.` })
    : valueAnswer(mock);
}

/** The entry `mocks`: the answers in mock mode to the calls of other examples. */
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
