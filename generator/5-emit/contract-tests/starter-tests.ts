import { offeredValues } from "../../model/bodies.js";
import type { ImportDeclarationStructure } from "ts-morph";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { StarterTestFile } from "../../model/output-file.js";
import type {
  AsksModel,
  CompletionModel,
  ItemModel,
  ServerModel,
  ToolExample,
  ToolModel,
} from "../../model/server-model.js";
import {
  callOf,
  functionOf,
  literalOf,
  onOneLine,
  sequenceOf,
  type Code,
} from "../../text/code.js";
import { writeLiteral, writeString } from "../../text/literal.js";
import { itemsOf } from "../../model/items.js";
import type { CodeStatement } from "../declaration.js";
import {
  handled,
  handlerModule,
  itemCode,
  starterTestPath,
  type ItemCode,
} from "../modules/handler-files.js";
import { itemId } from "../modules/stubs.js";
import { importNamespace, importOf, memberOf } from "../modules/structures.js";
import { newTexts, type FileTexts } from "../reuse.js";
import type { FileStatements, TypeScriptPrinter } from "../typescript-printer.js";
import { schemaMock } from "./schema-instances.js";
import { databaseContracts } from "./bodies/database-contracts.js";
import { playedExample } from "./bodies/examples.js";
import { receivedArguments } from "./tool-contracts.js";

/**
 * One small test for each handler and for the code beside handlers, made once: it shows how to call
 * what it tests, and grows with it.
 */
export async function emitStarterTests(
  model: ServerModel,
  printer: TypeScriptPrinter,
  texts: FileTexts = newTexts,
): Promise<StarterTestFile[]> {
  const ofHandlers = handled(itemsOf(model)).map((item) => ({
    path: starterTestPath(item),
    item: itemId(item),
    statements: handlerTest(item, model),
  }));
  const ofCode = itemCode(model).map((code) => ({
    path: `test/${code.module}.test.ts`,
    item: code.id,
    statements: codeTest(code),
  }));
  return Promise.all(
    [...ofHandlers, ...ofCode].map(async ({ path, item, statements }) => ({
      owner: "starter-test" as const,
      path,
      content: await texts.textOf(path, statements, () =>
        printer.printOwned(statements, onOneLine),
      ),
      item,
    })),
  );
}

function handlerTest(item: ItemModel, model: ServerModel): FileStatements {
  const played = playedTest(item) ?? databaseTest(item, model) ?? programTest(item);
  if (played !== undefined) return played;
  const call = callOf(handlerName(item), [exampleInput(item, model), contextOf(item, model)]);
  return [...handlerImports(item), testStatement(`${item.name} answers`, call), "test.run();"];
}

/** The test of a handler that asks an upstream whose answer an example says. */
function playedTest(item: ItemModel): FileStatements | undefined {
  const { tool, example } = shownCall(item, "http") ?? {};
  if (tool === undefined || example?.http === undefined) return undefined;
  const { answers } = playedExample(tool, example, example.http);
  return shownCallTest(tool, example, {
    partner: importOf("../generated/upstream.ts", ["LocalUpstream"]),
    open: `const upstream = await LocalUpstream.open();
  upstream.play(${writeLiteral(answers as unknown as JsonValue)});`,
    context: "{ upstreams: upstream.origin }",
    close: "await upstream.close();",
  });
}

/** The test of a handler that asks a database, with an example that says which. */
function databaseTest(item: ItemModel, model: ServerModel): FileStatements | undefined {
  const { tool, example } = shownCall(item, "database") ?? {};
  const database = databaseContracts(model).find(({ name }) => name === example?.database);
  if (tool === undefined || example === undefined || database === undefined) return undefined;
  return shownCallTest(tool, example, {
    partner: importOf("../generated/database.ts", ["TestDatabase"]),
    open: `const database = await TestDatabase.open(${writeLiteral({ ...database })});`,
    context: "{ databases: database.places() }",
    close: "await database.close();",
  });
}

/** The test of a handler that runs a program whose output an example says. */
function programTest(item: ItemModel): FileStatements | undefined {
  const { tool, example } = shownCall(item, "exec") ?? {};
  if (tool === undefined || example?.exec === undefined) return undefined;
  return shownCallTest(tool, example, {
    partner: importOf("../generated/stand-in.ts", ["StandIn"]),
    open: `const { command } = await StandIn.open(${writeLiteral({ ...example.exec })});`,
    context: "{ programs: { command } }",
  });
}

/** The first example of a tool that succeeds and says what this partner of its handler does. */
function shownCall(
  item: ItemModel,
  partner: "http" | "database" | "exec",
): { readonly tool: ToolModel; readonly example: ToolExample } | undefined {
  if (item.kind !== "tool" || item.asks !== undefined) return undefined;
  const example = item.examples.find(
    ({ [partner]: said, expect }) => said !== undefined && expect.kind !== "error",
  );
  return example && { tool: item, example };
}

/** How a test gets what a handler asks. */
interface TestPartner {
  /** The import of what stands in for it. */
  readonly partner: ImportDeclarationStructure;
  readonly open: string;
  /** What the context of the test is made with. */
  readonly context: string;
  readonly close?: string;
}

/** The test that makes the call of an example. */
function shownCallTest(
  tool: ToolModel,
  { arguments: given, expect }: ToolExample,
  { partner, open, context, close }: TestPartner,
): FileStatements {
  const input = writeLiteral(receivedArguments(tool, given));
  const expected =
    expect.kind === "result" && tool.output !== undefined
      ? `assert.equal(answer, ${writeLiteral(expect.result)});`
      : "assert.is.not(answer, undefined);";
  const lines = [
    open,
    `const ctx = createTestContext(${context});`,
    `const answer = await ${handlerName(tool)}(${input}, ctx);`,
    ...(close === undefined ? [] : [close]),
    expected,
  ];
  return [
    ...handlerImports(tool),
    partner,
    `await testOnceWritten(test, ${writeString(`${tool.name} answers`)}, async () => {
  ${lines.join("\n  ")}
});`,
    "test.run();",
  ];
}

function testStatement(title: string, call: Code): CodeStatement {
  const body = functionOf("async ()", [
    sequenceOf(["const answer = await ", call, ";"]),
    "assert.is.not(answer, undefined);",
  ]);
  return { code: sequenceOf([`await testOnceWritten(test, ${writeString(title)}, `, body, ");"]) };
}

/** The test of code that completes arguments or variables, or that lists instances. */
function codeTest({ item, module, exportName, kind, completed }: ItemCode): FileStatements {
  const context = "createTestContext()";
  return [
    ...imports(`../../src/${module}.ts`, exportName),
    ...(kind === "resourceTemplateList"
      ? [testStatement(`${item.name} lists its instances`, `${exportName}(${context})`)]
      : completed.map((name) => {
          const call = `${memberOf(exportName, name)}({ value: "", given: {} }, ${context})`;
          return testStatement(`${item.name} completes ${name}`, call);
        })),
    "test.run();",
  ];
}

/** What the tests of handlers call other things. */
const OTHER_NAMES: ReadonlySet<string> = new Set([
  "answer",
  "command",
  "ctx",
  "database",
  "testOnceWritten",
  "upstream",
]);

/** What a test calls the handler: by its own name, unless something else in the test has that name. */
const handlerName = ({ identifier }: ItemModel): string =>
  OTHER_NAMES.has(identifier) ? "handler" : identifier;

function handlerImports(item: ItemModel): ImportDeclarationStructure[] {
  const { identifier } = item;
  const name = handlerName(item);
  const imported = name === identifier ? identifier : `${identifier} as ${name}`;
  return imports(`../../src/${handlerModule(item)}.ts`, imported);
}

function imports(module: string, name: string): ImportDeclarationStructure[] {
  return [
    importOf("uvu", ["test"]),
    importNamespace("uvu/assert", "assert"),
    importOf("../../src/generated/testing.ts", ["createTestContext"]),
    importOf(module, [name]),
    importOf("../generated/starter.ts", ["testOnceWritten"]),
  ];
}

/** What the handler gets as its first argument. */
function exampleInput(item: ItemModel, model: ServerModel): Code {
  switch (item.kind) {
    case "tool":
      return toolInput(item, model);
    case "prompt":
      return literalOf(textsFor(item.arguments));
    case "resource":
      return writeString(item.uri);
    case "resourceTemplate":
      return literalOf(textsFor(item.variables));
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
    const text = offeredValues(complete)?.[0] ?? name;
    return [name, list ? [text] : text];
  });
  return Object.fromEntries(values);
}

/** A handler that asks gets an answer to each of its questions. */
function contextOf(item: ItemModel, model: ServerModel): string {
  const { asks } = item;
  if (asks === undefined) return "createTestContext()";
  const answers = answersTo(asks, model);
  const parts = Object.keys(answers).length === 0 ? "" : `, ${writeLiteral({ answers })}`;
  return `createTestContext(${handlerName(item)}${parts})`;
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
function toolInput(tool: ToolModel, model: ServerModel): Code {
  const shown = tool.examples.find(({ expect }) => expect.kind !== "error");
  const values = shown?.arguments ?? schemaMock(model, tool.input.wire);
  // Where none could be made, whoever writes the handler knows one.
  return isJsonObject(values) ? literalOf(receivedArguments(tool, values)) : "{} as never";
}
