import { isJsonObject } from "../../model/json.js";
import type { StarterTestFile } from "../../model/output-file.js";
import type { ItemModel, ServerModel, ToolModel } from "../../model/server-model.js";
import { writeLiteral, writeString } from "../../text/literal.js";
import { handled, handlerModule, starterTestPath } from "../modules/handler-files.js";
import { itemId } from "../modules/stubs.js";
import { importNamespace, importOf } from "../modules/structures.js";
import { PrintedPattern } from "../printed-pattern.js";
import type { FileStatements, TypeScriptPrinter } from "../typescript-printer.js";
import { argumentValues } from "./prompt-contracts.js";
import { schemaContract } from "./schema-contracts.js";
import { receivedArguments } from "./tool-contracts.js";
import { matchingUris } from "./uri-instances.js";

/** One small test for each handler, made once: it shows how to call the handler, and grows with it. */
export async function emitStarterTests(
  model: ServerModel,
  printer: TypeScriptPrinter,
): Promise<StarterTestFile[]> {
  const items: ItemModel[] = [
    ...handled(model.tools),
    ...handled(model.resources),
    ...handled(model.resourceTemplates),
    ...handled(model.prompts),
  ];
  const pattern = new PrintedPattern(printer, starterTest, placeholders);
  return Promise.all(
    items.map(async (item) => ({
      owner: "starter-test",
      path: starterTestPath(item),
      content: await pattern.fill(wordsOf(item, model)),
      item: itemId(item),
    })),
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
    importOf("uvu", ["test"]),
    importNamespace("uvu/assert", "assert"),
    importOf("../../src/generated/testing.js", ["createTestContext"]),
    importOf(module, [handler]),
    importOf("../generated/starter.js", ["testOnceWritten"]),
    `await testOnceWritten(test, ${title}, async () => {
      const answer = await ${handler}(${input}, ${context});
      assert.is.not(answer, undefined);
    });`,
    "test.run();",
  ];
}

function wordsOf(item: ItemModel, model: ServerModel): StarterWords {
  return {
    handler: item.identifier,
    module: `../../src/${handlerModule(item)}.js`,
    title: writeString(`${item.name} answers`),
    input: exampleInput(item, model),
    context: `createTestContext(${item.asks === undefined ? "" : item.identifier})`,
  };
}

/** What the handler gets as its first argument. */
function exampleInput(item: ItemModel, model: ServerModel): string {
  switch (item.kind) {
    case "tool":
      return toolInput(item, model);
    case "prompt":
      return writeLiteral(argumentValues(item.arguments));
    case "resource":
      return writeString(item.uri);
    case "resourceTemplate":
      return writeLiteral(matchingUris(item)[0]?.variables ?? {});
  }
}

/** The arguments of the first example that succeeds, or some that the schema accepts; with defaults. */
function toolInput(tool: ToolModel, model: ServerModel): string {
  const shown = tool.examples.find(({ expect }) => expect.kind !== "error");
  const values = shown?.arguments ?? schemaContract(model, tool.input.wire).mock;
  // Where none could be made, whoever writes the handler knows one.
  return isJsonObject(values) ? writeLiteral(receivedArguments(tool, values)) : "{} as never";
}
