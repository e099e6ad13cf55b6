import type { StatementStructures } from "ts-morph";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import type { ServerModel, ToolModel } from "../../model/server-model.js";
import { inputValidatorName, outputValidatorName } from "../../model/type-names.js";
import { writeLiteral, writeString } from "../../text/literal.js";
import { schemaMock } from "../contract-tests/schema-contracts.js";
import { collectDefaults } from "../defaults.js";
import type { FileStatements, ListEntry } from "../file-pieces.js";
import type { FormerGeneration } from "../former/former-generation.js";
import { keptPieces, type PieceMarks } from "../former/former-pieces.js";
import { asksEntry } from "./asking.js";
import { fixedContent } from "./fixed-content.js";
import { handled, handlerModule } from "./handler-files.js";
import { itemSettings } from "./item-settings.js";
import {
  arrayLiteral,
  constant,
  importNamespace,
  importOf,
  importTypes,
  entryFunction,
  listConstant,
  memberOf,
  objectLiteral,
  unionOf,
} from "./structures.js";

type Entry = readonly [key: string, expression: string];

/** The entries of the tools in the printed module. */
const ENTRIES: PieceMarks = {
  opening: "\nexport const tools: readonly ToolEntry[] = [",
  before: "\n  entry<ToolEntry>(",
  closing: "\n];\n",
};

/**
 * `src/generated/tools.ts`: every tool as it is listed, checked and answered.
 *
 * @param former has the entries of the tools that are as they were
 */
export function toolsModule(
  model: ServerModel,
  path: string,
  former?: FormerGeneration,
): FileStatements {
  const { tools } = model;
  const own = handled(tools);
  const kept = former && keptPieces(former, path, ENTRIES);
  return [
    importNamespace("#validators", "validators"),
    ...own.map((tool) => importOf(`../${handlerModule(tool)}.js`, [tool.identifier])),
    importTypes("./runtime/definition.js", ["ToolEntry"]),
    ...(own.length > 0 ? [importTypes("./types.js", ["ToolHandler", "ToolName"])] : []),
    ...(own.length > 0 ? [handlersConstant(own, tools)] : []),
    entryFunction,
    listConstant(
      {
        name: "tools",
        entryType: "ToolEntry",
        docs: "In the order in which `tools/list` gives them.",
      },
      tools.map((tool) => keptEntry(tool, model, kept) ?? toolEntry(tool, model)),
    ),
  ];
}

function keptEntry(
  tool: ToolModel,
  model: ServerModel,
  kept: ReadonlyMap<string, string> | undefined,
): ListEntry | undefined {
  const piece = kept?.get(tool.name);
  if (piece === undefined) return undefined;
  return {
    layout: ENTRIES.before.slice(1) + piece,
    expression: () => toolEntry(tool, model),
  };
}

function handlersConstant(
  own: readonly ToolModel[],
  tools: readonly ToolModel[],
): StatementStructures {
  const handlers = objectLiteral(own.map((tool) => [tool.name, tool.identifier]));
  const fixed = tools.filter((tool) => tool.behaviour.kind === "fixed");
  const names =
    fixed.length === 0
      ? "ToolName"
      : `Exclude<ToolName, ${unionOf(fixed.map((tool) => writeString(tool.name)))}>`;
  return constant({
    name: "handlers",
    initializer: `${handlers} satisfies { [Name in ${names}]: ToolHandler<Name> }`,
    docs: "Every handler against the type of its tool: one that is missing or does not fit is an error here.",
    exported: false,
  });
}

function toolEntry(tool: ToolModel, model: ServerModel): string {
  const defaults = collectDefaults(tool.input.wire);
  const entries: Entry[] = [
    ["definition", definitionLiteral(tool.wire)],
    ...aliases(tool),
    ["validateInput", `validators.${inputValidatorName(tool)}`],
  ];
  if (defaults !== undefined) entries.push(["defaults", writeLiteral(defaults)]);
  if (tool.output !== undefined) {
    entries.push(["validateOutput", `validators.${outputValidatorName(tool)}`]);
  }
  entries.push(...itemSettings(tool), ["behaviour", behaviour(tool, model)]);
  return objectLiteral(entries);
}

function definitionLiteral(wire: JsonObject): string {
  const entries = Object.entries(wire).map(
    ([key, value]) =>
      [key, isJsonObject(value) ? schemaLiteral(value) : writeLiteral(value)] as const,
  );
  return objectLiteral(entries);
}

/** Many tools may have the same schema. */
const schemaLiteral = onceForEach((schema: JsonObject) => writeLiteral(schema));

function aliases({ aliases: names }: ToolModel): Entry[] {
  return names === undefined ? [] : [["aliases", arrayLiteral(names.map(writeString))]];
}

function behaviour(tool: ToolModel, model: ServerModel): string {
  if (tool.behaviour.kind === "handler") {
    return objectLiteral([
      ["kind", '"handler"'],
      ["handler", memberOf("handlers", tool.name)],
      ...asksEntry(tool),
      ["mock", mockAnswer(tool, model)],
    ]);
  }
  const { content, structuredContent, isError } = tool.behaviour;
  const entries: Entry[] = [
    ["kind", '"fixed"'],
    ["content", arrayLiteral(content.map(fixedContent))],
  ];
  if (structuredContent !== undefined) {
    entries.push(["structuredContent", writeLiteral(structuredContent)]);
  }
  if (isError) entries.push(["isError", "true"]);
  return objectLiteral(entries);
}

/** The first example that shows an answer, else a value made from the output schema, else a text. */
function mockAnswer(tool: ToolModel, model: ServerModel): string {
  const examples = tool.examples.map((example) => example.expect);
  const shown = examples.find((expect) => expect.kind !== "error") ?? examples[0];
  if (shown?.kind === "result") return valueAnswer(shown.result);
  if (shown !== undefined) return writeLiteral({ ...shown });
  const made = tool.output && schemaMock(model, tool.output.wire);
  return made === undefined
    ? writeLiteral({ kind: "text", text: `A mock answer of ${tool.name}.` })
    : valueAnswer(made);
}

function valueAnswer(value: Parameters<typeof writeLiteral>[0]): string {
  return objectLiteral([
    ["kind", '"value"'],
    ["value", writeLiteral(value)],
  ]);
}
