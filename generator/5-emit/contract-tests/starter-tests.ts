import { offeredValues } from "../../model/bodies.js";
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
  if (item.kind !== "tool" || item.asks !== undefined) return undefined;
  const example = item.examples.find(
    ({ http, expect }) => http !== undefined && expect.kind !== "error",
  );
  if (example?.http === undefined) return undefined;
  const { answers } = playedExample(item, example, example.http);
  const input = writeLiteral(receivedArguments(item, example.arguments));
  const expected =
    example.expect.kind === "result" && item.output !== undefined
      ? `assert.equal(answer, ${writeLiteral(example.expect.result)});`
      : "assert.is.not(answer, undefined);";
  return [
    ...handlerImports(item),
    importOf("../generated/upstream.ts", ["LocalUpstream"]),
    `await testOnceWritten(test, ${writeString(`${item.name} answers`)}, async () => {
  const upstream = await LocalUpstream.open();
  upstream.play(${writeLiteral(answers as unknown as JsonValue)});
  const ctx = createTestContext({ upstreams: upstream.origin });
  const answer = await ${handlerName(item)}(${input}, ctx);
  await upstream.close();
  ${expected}
});`,
    "test.run();",
  ];
}

/** The test of a handler that asks a database, with an example that says which. */
function databaseTest(item: ItemModel, model: ServerModel): FileStatements | undefined {
  if (item.kind !== "tool" || item.asks !== undefined) return undefined;
  const example = item.examples.find(
    ({ database, expect }) => database !== undefined && expect.kind !== "error",
  );
  const database = databaseContracts(model).find(({ name }) => name === example?.database);
  if (example === undefined || database === undefined) return undefined;
  const input = writeLiteral(receivedArguments(item, example.arguments));
  const expected =
    example.expect.kind === "result" && item.output !== undefined
      ? `assert.equal(answer, ${writeLiteral(example.expect.result)});`
      : "assert.is.not(answer, undefined);";
  return [
    ...handlerImports(item),
    importOf("../generated/database.ts", ["TestDatabase"]),
    `await testOnceWritten(test, ${writeString(`${item.name} answers`)}, async () => {
  const database = await TestDatabase.open(${writeLiteral({ ...database })});
  const ctx = createTestContext({ databases: database.places() });
  const answer = await ${handlerName(item)}(${input}, ctx);
  await database.close();
  ${expected}
});`,
    "test.run();",
  ];
}

/** The test of a handler that runs a program whose output an example says. */
function programTest(item: ItemModel): FileStatements | undefined {
  if (item.kind !== "tool" || item.asks !== undefined) return undefined;
  const example = item.examples.find(
    ({ exec, expect }) => exec !== undefined && expect.kind !== "error",
  );
  if (example?.exec === undefined) return undefined;
  const input = writeLiteral(receivedArguments(item, example.arguments));
  const expected =
    example.expect.kind === "result" && item.output !== undefined
      ? `assert.equal(answer, ${writeLiteral(example.expect.result)});`
      : "assert.is.not(answer, undefined);";
  return [
    ...handlerImports(item),
    importOf("../generated/stand-in.ts", ["StandIn"]),
    `await testOnceWritten(test, ${writeString(`${item.name} answers`)}, async () => {
  const { command } = await StandIn.open(${writeLiteral({ ...example.exec })});
  const ctx = createTestContext({ programs: { command } });
  const answer = await ${handlerName(item)}(${input}, ctx);
  ${expected}
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
