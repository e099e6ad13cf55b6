import { offeredValues } from "../../bodies/index.js";
import type { ImportDeclarationStructure } from "ts-morph";
import { isJsonObject, jsonObjectOf, type JsonObject, type JsonValue } from "../../model/json.js";
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
  withHandler,
  handlerModule,
  itemCode,
  starterTestPath,
  type ItemCode,
} from "../modules/handler-files.js";
import { itemId } from "../modules/stubs.js";
import { importNamespace, importOf, memberOf } from "../modules/structures.js";
import type { FileStatements, TypeScriptPrinter } from "../typescript-printer.js";
import { schemaMock } from "./schema-instances.js";
import { databaseContracts } from "./bodies/database-contracts.js";
import { exampleOutcome } from "./bodies/example-outcome.js";
import { receivedArguments } from "./tool-contracts.js";

/** The entry of the runtime for tests. */
const TESTING = "@mcpwright/runtime/testing";

/**
 * One short test for each handler and for the code beside handlers. It is written once, shows how to call the
 * code, and is then extended by people.
 */
export async function emitStarterTests(
  model: ServerModel,
  printer: TypeScriptPrinter,
): Promise<StarterTestFile[]> {
  const ofHandlers = withHandler(itemsOf(model)).map((item) => ({
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
      content: await printer.printOwned(statements, onOneLine),
      item,
    })),
  );
}

function handlerTest(item: ItemModel, model: ServerModel): FileStatements {
  const standInTest = upstreamTest(item) ?? databaseTest(item, model) ?? programTest(item);
  if (standInTest !== undefined) return standInTest;
  const call = callOf(handlerName(item), [exampleInput(item, model), contextOf(item, model)]);
  return [...handlerImports(item), testStatement(`${item.name} answers`, call), "test.run();"];
}

/** The test of a handler that sends requests to an upstream, if an example gives the answer. */
function upstreamTest(item: ItemModel): FileStatements | undefined {
  const { tool, example } = exampleCall(item, "http") ?? {};
  if (tool === undefined || example?.http === undefined) return undefined;
  const { answers } = exampleOutcome(tool, example, example.http);
  return exampleCallTest(tool, example, {
    imported: importOf(TESTING, ["LocalUpstream"]),
    open: `const upstream = await LocalUpstream.open();
  upstream.play(${writeLiteral(answers.map(jsonObjectOf))});`,
    context: "{ upstreams: upstream.origin }",
    close: "await upstream.close();",
  });
}

/** The test of a handler that queries a database, if an example names the database. */
function databaseTest(item: ItemModel, model: ServerModel): FileStatements | undefined {
  const { tool, example } = exampleCall(item, "database") ?? {};
  const database = databaseContracts(model).find(({ name }) => name === example?.database);
  if (tool === undefined || example === undefined || database === undefined) return undefined;
  return exampleCallTest(tool, example, {
    imported: importOf(TESTING, ["TestDatabase"]),
    open: `const database = await TestDatabase.open(${writeLiteral({ ...database })});`,
    context: "{ databases: database.places() }",
    close: "await database.close();",
  });
}

/** The test of a handler that runs a program, if an example gives the output. */
function programTest(item: ItemModel): FileStatements | undefined {
  const { tool, example } = exampleCall(item, "exec") ?? {};
  if (tool === undefined || example?.exec === undefined) return undefined;
  return exampleCallTest(tool, example, {
    imported: importOf(TESTING, ["StandIn"]),
    open: `const { command } = await StandIn.open(${writeLiteral({ ...example.exec })});`,
    context: "{ programs: { command } }",
  });
}

/** The first example of a tool that succeeds and has this field. None if the handler asks its client. */
function exampleCall(
  item: ItemModel,
  field: "http" | "database" | "exec",
): { readonly tool: ToolModel; readonly example: ToolExample } | undefined {
  if (item.kind !== "tool" || item.asks !== undefined) return undefined;
  const example = item.examples.find(
    ({ [field]: value, expect }) => value !== undefined && expect.kind !== "error",
  );
  return example && { tool: item, example };
}

/** The code by which a test replaces an upstream, a database or a program. */
interface StandInCode {
  /** The import of the class that replaces it. */
  readonly imported: ImportDeclarationStructure;
  /** Statements that open it. */
  readonly open: string;
  /** The argument of `createTestContext`. */
  readonly context: string;
  /** The statement that closes it. */
  readonly close?: string;
}

/** A test that calls a handler as an example does. */
function exampleCallTest(
  tool: ToolModel,
  { arguments: values, expect, matches }: ToolExample,
  { imported, open, context, close }: StandInCode,
): FileStatements {
  const input = writeLiteral(receivedArguments(tool, values));
  const expected =
    expect.kind === "result" && tool.output !== undefined && matches === undefined
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
    imported,
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

/** The test of people's code that completes arguments or variables, or that lists instances. */
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

/** Names that the tests of handlers use for something else. */
const OTHER_NAMES: ReadonlySet<string> = new Set([
  "answer",
  "command",
  "ctx",
  "database",
  "testOnceWritten",
  "upstream",
]);

/** The name of the handler in its test: its own name, unless the test uses that name for something else. */
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
    importOf("../generated/testing.ts", ["createTestContext"]),
    importOf(module, [name]),
    importOf(TESTING, ["testOnceWritten"]),
  ];
}

/** The first argument of the handler. */
function exampleInput(item: ItemModel, model: ServerModel): Code {
  switch (item.kind) {
    case "tool":
      return toolInput(item, model);
    case "prompt":
      return literalOf(sampleTexts(item.arguments));
    case "resource":
      return writeString(item.uri);
    case "resourceTemplate":
      return literalOf(sampleTexts(item.variables));
  }
}

/** An argument of a prompt, or a variable of a template. */
interface TextParameter {
  readonly name: string;
  readonly complete?: CompletionModel;
  /** True for a variable that takes several segments of a path. */
  readonly list?: boolean;
}

/** A value for each parameter: the first completion of the manifest, or the name of the parameter. */
function sampleTexts(parameters: readonly TextParameter[]): JsonObject {
  const values = parameters.map(({ name, complete, list = false }): [string, JsonValue] => {
    const text = offeredValues(complete)?.[0] ?? name;
    return [name, list ? [text] : text];
  });
  return Object.fromEntries(values);
}

/** The code of the context. For a handler that asks its client, it has an answer to each question. */
function contextOf(item: ItemModel, model: ServerModel): string {
  const { asks } = item;
  if (asks === undefined) return "createTestContext()";
  const answers = answersTo(asks, model);
  const options = Object.keys(answers).length === 0 ? "" : `, ${writeLiteral({ answers })}`;
  return `createTestContext(${handlerName(item)}${options})`;
}

/** Sample answers of the user and of the client's model. */
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

/** The arguments of the first example that succeeds, or generated ones. Defaults are filled in. */
function toolInput(tool: ToolModel, model: ServerModel): Code {
  const example = tool.examples.find(({ expect }) => expect.kind !== "error");
  const values = example?.arguments ?? schemaMock(model, tool.input.wire);
  // If no arguments could be generated, the author of the handler replaces this.
  return isJsonObject(values) ? literalOf(receivedArguments(tool, values)) : "{} as never";
}
