import type { StatementStructures } from "ts-morph";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import type { ServerModel, ToolModel } from "../../model/server-model.js";
import { inputValidatorName, outputValidatorName } from "../../model/type-names.js";
import { writeString } from "../../text/literal.js";
import { schemaMock } from "../contract-tests/schema-contracts.js";
import { collectDefaults } from "../defaults.js";
import type { FileStatements, ListEntry } from "../file-pieces.js";
import type { FormerGeneration } from "../former/former-generation.js";
import {
  keptBefore,
  ownTools,
  toolRows,
  type PieceMarks,
  type ToolRow,
} from "../former/former-pieces.js";
import type { Expression } from "../layout/expression.js";
import { onOneLine } from "../layout/lay-out-expression.js";
import { literalExpression, objectExpression } from "../layout/literal-expression.js";
import { generatedHeader } from "../typescript-printer.js";
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

type Entry = readonly [key: string, expression: Expression | string];

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
  const above = former && keptBefore(former, path, ENTRIES, generatedHeader);
  const rows = toolRows(tools, former, path, ENTRIES);
  const repeated = repeatedSchemas(rows.flatMap(ownTools));
  const entryOf = (tool: ToolModel): Expression => toolEntry(tool, model, repeated);
  return [
    ...(above === undefined ? statementsAbove(tools) : [{ laidOut: above }]),
    listConstant(
      {
        name: "tools",
        entryType: "ToolEntry",
        docs: "In the order in which `tools/list` gives them.",
      },
      rows.flatMap((row) => entriesOf(row, entryOf)),
    ),
  ];
}

/** Everything but the list. */
function statementsAbove(tools: readonly ToolModel[]): FileStatements {
  const own = handled(tools);
  return [
    importNamespace("#validators", "validators"),
    ...own.map((tool) => importOf(`../${handlerModule(tool)}.js`, [tool.identifier])),
    importTypes("./runtime/engine/definition.js", ["ToolEntry"]),
    ...(own.length > 0 ? [importTypes("./types.js", ["ToolHandler", "ToolName"])] : []),
    ...(own.length > 0 ? [handlersConstant(own, tools)] : []),
    entryFunction,
  ];
}

function entriesOf(
  { tools, text }: ToolRow<ToolModel>,
  entryOf: (tool: ToolModel) => Expression,
): ListEntry[] {
  if (text === undefined) return tools.map((tool) => ({ tree: () => entryOf(tool) }));
  return [
    {
      layout: ENTRIES.before.slice(1) + text,
      expression: () => tools.map((tool) => onOneLine(entryOf(tool))).join(", "),
    },
  ];
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

/** The schemas that several tools have. */
function repeatedSchemas(tools: readonly ToolModel[]): ReadonlySet<JsonObject> {
  const met = new Set<JsonObject>();
  const repeated = new Set<JsonObject>();
  for (const { wire } of tools) {
    for (const schema of [wire["inputSchema"], wire["outputSchema"]]) {
      if (!isJsonObject(schema)) continue;
      if (met.has(schema)) repeated.add(schema);
      met.add(schema);
    }
  }
  return repeated;
}

function toolEntry(
  tool: ToolModel,
  model: ServerModel,
  repeated: ReadonlySet<JsonObject>,
): Expression {
  const defaults = collectDefaults(tool.input.wire);
  const entries: Entry[] = [
    ["definition", definitionExpression(tool.wire, repeated)],
    ...aliases(tool),
    ["validateInput", `validators.${inputValidatorName(tool)}`],
  ];
  if (defaults !== undefined) entries.push(["defaults", literalExpression(defaults)]);
  if (tool.output !== undefined) {
    entries.push(["validateOutput", `validators.${outputValidatorName(tool)}`]);
  }
  entries.push(...itemSettings(tool), ["behaviour", behaviour(tool, model)]);
  return objectExpression(entries);
}

function definitionExpression(wire: JsonObject, repeated: ReadonlySet<JsonObject>): Expression {
  const entries = Object.entries(wire).map(([key, value]): Entry => {
    const isRepeated = isJsonObject(value) && repeated.has(value);
    return [key, isRepeated ? keptExpression(value) : literalExpression(value)];
  });
  return objectExpression(entries);
}

/** What is kept takes memory, for which one that is needed once is too much. */
const keptExpression = onceForEach((schema: JsonObject) => literalExpression(schema));

function aliases({ aliases: names }: ToolModel): Entry[] {
  return names === undefined ? [] : [["aliases", literalExpression([...names])]];
}

function behaviour(tool: ToolModel, model: ServerModel): Expression {
  if (tool.behaviour.kind === "handler") {
    return objectExpression([
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
    entries.push(["structuredContent", literalExpression(structuredContent)]);
  }
  if (isError) entries.push(["isError", "true"]);
  return objectExpression(entries);
}

/** The first example that shows an answer, else a value made from the output schema, else a text. */
function mockAnswer(tool: ToolModel, model: ServerModel): Expression {
  const examples = tool.examples.map((example) => example.expect);
  const shown = examples.find((expect) => expect.kind !== "error") ?? examples[0];
  if (shown?.kind === "result") return valueAnswer(shown.result);
  if (shown !== undefined) return literalExpression({ ...shown });
  const made = tool.output && schemaMock(model, tool.output.wire);
  return made === undefined
    ? literalExpression({ kind: "text", text: `A mock answer of ${tool.name}.` })
    : valueAnswer(made);
}

function valueAnswer(value: JsonValue): Expression {
  return objectExpression([
    ["kind", '"value"'],
    ["value", literalExpression(value)],
  ]);
}
