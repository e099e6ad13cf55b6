import type { ImportDeclarationStructure } from "ts-morph";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { StarterTestFile } from "../../model/output-file.js";
import type {
  AsksModel,
  CompletionModel,
  ItemModel,
  ServerModel,
  ToolModel,
} from "../../model/server-model.js";
import { writeLiteral, writeString } from "../../text/literal.js";
import type { FormerGeneration } from "../former/former-generation.js";
import { allFiles, fileOfItemWithoutTexts } from "../former/known-files.js";
import {
  handled,
  handlerModule,
  itemCode,
  starterTestPath,
  type ItemCode,
} from "../modules/handler-files.js";
import { itemId } from "../modules/stubs.js";
import { importNamespace, importOf, memberOf } from "../modules/structures.js";
import { PrintedPattern } from "../printed-pattern.js";
import type { FileStatements, TypeScriptPrinter } from "../typescript-printer.js";
import { schemaMock } from "./schema-contracts.js";
import { receivedArguments } from "./tool-contracts.js";

/**
 * One small test for each handler and for the code beside handlers, made once: it shows how to call
 * what it tests, and grows with it.
 */
export async function emitStarterTests(
  model: ServerModel,
  printer: TypeScriptPrinter,
  former?: FormerGeneration,
): Promise<StarterTestFile[]> {
  const ofCode = itemCode(model).map(async (code) => ({
    owner: "starter-test" as const,
    path: `test/${code.module}.test.ts`,
    content: await printer.print(codeTest(code)),
    item: code.id,
  }));
  return [...(await handlerTests(model, printer, former)), ...(await Promise.all(ofCode))];
}

function handlerTests(
  model: ServerModel,
  printer: TypeScriptPrinter,
  former: FormerGeneration | undefined,
): readonly StarterTestFile[] | Promise<readonly StarterTestFile[]> {
  const items: ItemModel[] = [
    ...handled(model.tools),
    ...handled(model.resources),
    ...handled(model.resourceTemplates),
    ...handled(model.prompts),
  ];
  const pattern = new PrintedPattern(printer, starterTest, placeholders);
  return allFiles(
    items.map((item): StarterTestFile | Promise<StarterTestFile> => {
      const file = {
        owner: "starter-test",
        path: starterTestPath(item),
        item: itemId(item),
      } as const;
      return fileOfItemWithoutTexts(file, item, former, () => pattern.fill(wordsOf(item, model)));
    }),
  );
}

/** What differs between starter tests; each is an identifier, a literal or an expression. */
type StarterWords = Readonly<Record<"handler" | "module" | "title" | "input" | "context", string>>;

const placeholders: StarterWords = {
  handler: "handlerUnderTest",
  module: "../../src/handler-under-test.js",
  title: '"title of the test"',
  input: "inputOfHandler",
  context: "contextOfHandler",
};

function starterTest({ handler, module, title, input, context }: StarterWords): FileStatements {
  return [
    ...imports(module, handler),
    `await testOnceWritten(test, ${title}, async () => {
      const answer = await ${handler}(${input}, ${context});
      assert.is.not(answer, undefined);
    });`,
    "test.run();",
  ];
}

/** The test of code that completes arguments or variables, or that lists instances. */
function codeTest({ item, module, exportName, kind, completed }: ItemCode): FileStatements {
  const once = (title: string, call: string): string =>
    `await testOnceWritten(test, ${writeString(title)}, async () => {
      const answer = await ${call};
      assert.is.not(answer, undefined);
    });`;
  const context = "createTestContext()";
  return [
    ...imports(`../../src/${module}.js`, exportName),
    ...(kind === "resourceTemplateList"
      ? [once(`${item.name} lists its instances`, `${exportName}(${context})`)]
      : completed.map((name) => {
          const call = `${memberOf(exportName, name)}({ value: "", given: {} }, ${context})`;
          return once(`${item.name} completes ${name}`, call);
        })),
    "test.run();",
  ];
}

function imports(module: string, name: string): ImportDeclarationStructure[] {
  return [
    importOf("uvu", ["test"]),
    importNamespace("uvu/assert", "assert"),
    importOf("../../src/generated/testing.js", ["createTestContext"]),
    importOf(module, [name]),
    importOf("../generated/starter.js", ["testOnceWritten"]),
  ];
}

function wordsOf(item: ItemModel, model: ServerModel): StarterWords {
  return {
    handler: item.identifier,
    module: `../../src/${handlerModule(item)}.js`,
    title: writeString(`${item.name} answers`),
    input: exampleInput(item, model),
    context: contextOf(item, model),
  };
}

/** What the handler gets as its first argument. */
function exampleInput(item: ItemModel, model: ServerModel): string {
  switch (item.kind) {
    case "tool":
      return toolInput(item, model);
    case "prompt":
      return writeLiteral(textsFor(item.arguments));
    case "resource":
      return writeString(item.uri);
    case "resourceTemplate":
      return writeLiteral(textsFor(item.variables));
  }
}

interface Named {
  readonly name: string;
  readonly complete?: CompletionModel;
  /** A variable that takes several segments of a path. */
  readonly list?: boolean;
}

/** A value for each name: the first that the manifest suggests, or the name itself. */
function textsFor(named: readonly Named[]): JsonObject {
  const values = named.map(({ name, complete, list = false }): [string, JsonValue] => {
    const text = (complete === "code" ? undefined : complete?.[0]) ?? name;
    return [name, list ? [text] : text];
  });
  return Object.fromEntries(values);
}

/** A handler that asks gets an answer to each of its questions. */
function contextOf({ asks, identifier }: ItemModel, model: ServerModel): string {
  if (asks === undefined) return "createTestContext()";
  const answers = answersTo(asks, model);
  const parts = Object.keys(answers).length === 0 ? "" : `, ${writeLiteral({ answers })}`;
  return `createTestContext(${identifier}${parts})`;
}

/** What users and the client's model might answer. */
function answersTo({ elicitations, sampling }: AsksModel, model: ServerModel): JsonObject {
  const elicit = elicitations.map((question): [string, JsonValue] => [
    question.key,
    question.kind === "url" ? true : (schemaMock(model, question.schema) ?? {}),
  ]);
  return {
    ...(elicit.length > 0 && { elicit: Object.fromEntries(elicit) }),
    ...(sampling && { sample: "What the model says" }),
  };
}

/** The arguments of the first example that succeeds, or some that the schema accepts; with defaults. */
function toolInput(tool: ToolModel, model: ServerModel): string {
  const shown = tool.examples.find(({ expect }) => expect.kind !== "error");
  const values = shown?.arguments ?? schemaMock(model, tool.input.wire);
  // Where none could be made, whoever writes the handler knows one.
  return isJsonObject(values) ? writeLiteral(receivedArguments(tool, values)) : "{} as never";
}
