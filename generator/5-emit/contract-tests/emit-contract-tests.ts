import { hasNetwork } from "../../model/authentication.js";
import type { GeneratedFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import { callOf, objectOf, sequenceOf } from "../../text/code.js";
import { FEATURES } from "../features.js";
import { asksAnything } from "../modules/asking.js";
import { hasStarterTests } from "../modules/handler-files.js";
import { hasTls, testServerModule } from "../modules/main-module.js";
import { constant, exportFrom, importOf, importTypes } from "../modules/structures.js";
import { newTexts, type FileTexts } from "../reuse.js";
import {
  generatedHeader,
  type FileStatements,
  type TypeScriptPrinter,
} from "../typescript-printer.js";
import { contractFiles } from "./contract-files.js";
import { standInSuites, standInTest, type ReExport } from "./stand-ins.js";
import { examplesTest, transportsTest } from "./transport-tests.js";

/** A test module: its path, relative to `test/generated/` and without extension, and its statements. */
type TestModule = readonly [path: string, statements: FileStatements];

/**
 * The contract tests of a project: JSON files with the contracts, and for each kind of item a short test file
 * that passes its contracts to the fixed suite.
 */
export async function emitContractTests(
  model: ServerModel,
  printer: TypeScriptPrinter,
  texts: FileTexts = newTexts,
): Promise<GeneratedFile[]> {
  const modules = testModules(model).map((module) => testFile(module, printer));
  return [...(await contractFiles(model, texts)), ...(await Promise.all(modules))];
}

function testModules(model: ServerModel): TestModule[] {
  const reExports = reExportsFor(model);
  return [
    ["context.test", contextTest(model)],
    ["server", testServerModule(model)],
    ["transports.test", transportsTest(model)],
    ...moduleIf(hasNetwork(model), "suite/clients/client-parts", () => clientParts(model)),
    ...reExports.map(({ path, from, name }): TestModule => [path, [exportFrom(from, [name])]]),
    ...itemTests(model),
    ...standInSuites(model).map((suite): TestModule => [
      `${suite.contract}.test`,
      standInTest(suite, model),
    ]),
    ...moduleIf(FEATURES.changes(model), "changes.test", () => changesTest(model)),
  ];
}

function itemTests(model: ServerModel): TestModule[] {
  const { tools, resources, resourceTemplates, prompts } = model;
  const hasResources = resources.length + resourceTemplates.length > 0;
  return [
    ...moduleIf(tools.length > 0, "tools.test", () => toolsTest(model)),
    ...moduleIf(FEATURES.examples(model), "examples.test", () => examplesTest(model)),
    ...moduleIf(hasResources, "resources.test", () => suiteTest("resources", "testResources")),
    ...moduleIf(prompts.length > 0, "prompts.test", () => suiteTest("prompts", "testPrompts")),
    ...moduleIf(asksAnything(model), "questions.test", () =>
      suiteTest("questions", "testQuestions"),
    ),
  ];
}

function moduleIf(
  condition: boolean,
  path: string,
  statements: () => FileStatements,
): TestModule[] {
  return condition ? [[path, statements()]] : [];
}

/** Modules from which people's tests import names of the suites, whose own paths may change. */
function reExportsFor(model: ServerModel): ReExport[] {
  const forStarterTests = { path: "starter", from: "./suite/starter.ts", name: "testOnceWritten" };
  const forCustomTransports = [
    { path: "contract", from: "./suite/contract.ts", name: "readContract" },
    { path: "custom-contract", from: "./suite/transports/custom.ts", name: "testCustom" },
  ];
  return [
    ...(hasStarterTests(model) ? [forStarterTests] : []),
    ...standInSuites(model).map(({ reExport }) => reExport),
    ...(model.transports.some(({ type }) => type === "custom") ? forCustomTransports : []),
  ];
}

async function testFile(
  [path, statements]: TestModule,
  printer: TypeScriptPrinter,
): Promise<GeneratedFile> {
  const content = await printer.print(statements, generatedHeader);
  return { owner: "generated", path: `test/generated/${path}.ts`, content };
}

function contextTest(model: ServerModel): FileStatements {
  const [declared, given] = FEATURES.callers(model)
    ? [['const auth = { principal: "ada", scopes: ["read"] };'], ", { auth }"]
    : [[], ""];
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/testing.ts", ["createTestContext"]),
    importOf("./suite/server/context.ts", ["testContext"]),
    importOf("./suite/contract.ts", ["readContract"]),
    ...declared,
    `testContext(test, await readContract("server"), createTestContext${given});`,
    "test.run();",
  ];
}

function toolsTest(model: ServerModel): FileStatements {
  const hasOutputs = FEATURES.outputs(model);
  const hasLimits = FEATURES.argumentLimits(model);
  const isSearched = FEATURES.search(model);
  const hasSeveral = FEATURES.severalArguments(model);
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/index.ts", ["NotImplementedError"]),
    importOf("../../src/generated/server.ts", ["createServer", "definition"]),
    importOf("./suite/contract.ts", ["readContract"]),
    ...(hasLimits ? [importOf("./suite/items/argument-limits.ts", ["testArgumentLimits"])] : []),
    ...(hasOutputs
      ? [importOf("./suite/items/outputs.ts", ["testOutputs", "withoutWrappedSchema"])]
      : []),
    ...(isSearched ? [importOf("./suite/items/search.ts", ["testSearch", "withListed"])] : []),
    importOf("./suite/items/tools.ts", ["testTools"]),
    ...(hasSeveral ? [importOf("./suite/items/several-mistakes.ts", ["testSeveralMistakes"])] : []),
    importOf("./suite/items/validators.ts", ["testValidators"]),
    'const contract = await readContract("tools");',
    'const stubError = new NotImplementedError("a stub");',
    `testTools(test, ${isSearched ? "withListed(contract)" : "contract"}, createServer, stubError${hasOutputs ? ", withoutWrappedSchema" : ""});`,
    ...(isSearched ? ["testSearch(test, contract, createServer);"] : []),
    ...(hasLimits ? ["testArgumentLimits(test, contract, createServer);"] : []),
    ...(hasOutputs ? ["testOutputs(test, contract, createServer, definition.tools);"] : []),
    "testValidators(test, contract, definition.tools);",
    ...(hasSeveral ? ["testSeveralMistakes(test, contract, definition.tools);"] : []),
    "test.run();",
  ];
}

function suiteTest(name: "resources" | "prompts" | "questions", suite: string): FileStatements {
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/server.ts", ["createServer"]),
    importOf("./suite/contract.ts", ["readContract"]),
    importOf(`./suite/items/${name}.ts`, [suite]),
    `${suite}(test, await readContract("${name}"), createServer);`,
    "test.run();",
  ];
}

/** Tests that items can be switched on and off while the server runs. */
function changesTest(model: ServerModel): FileStatements {
  const kinds = (["tools", "resources", "prompts"] as const).filter((kind) =>
    FEATURES[kind](model),
  );
  const isSearched = FEATURES.search(model);
  const contractOf = (kind: (typeof kinds)[number]): string => {
    const contract = `await readContract("${kind}")`;
    return isSearched && kind === "tools" ? `onlyListed(${contract})` : contract;
  };
  const contracts = kinds.map((kind) => [kind, contractOf(kind)] as const);
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/server.ts", ["createServer"]),
    importOf("./suite/contract.ts", ["readContract"]),
    importOf("./suite/items/changes.ts", ["testChanges"]),
    ...(isSearched ? [importOf("./suite/items/search.ts", ["onlyListed"])] : []),
    {
      code: sequenceOf([callOf("testChanges", ["test", objectOf(contracts), "createServer"]), ";"]),
    },
    "test.run();",
  ];
}

/** `client-parts.ts`: parts of the tests' clients that only some transports need. */
function clientParts({ transports }: ServerModel): FileStatements {
  const imports = hasTls(transports) ? [importOf("./tls.ts", ["testTls"])] : [];
  const entries = hasTls(transports) ? [["tls", "testTls"] as const] : [];
  return [
    importTypes("./http.ts", ["ClientParts"]),
    ...imports,
    constant({
      name: "clientParts",
      type: "ClientParts",
      value: objectOf(entries),
      docs: "The parts that the clients of the tests need for the transports of this server.",
    }),
  ];
}
