import type { GeneratedFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import type { ImportDeclarationStructure } from "ts-morph";
import { callOf, objectOf, sequenceOf } from "../../text/code.js";
import { FEATURES } from "../features.js";
import { asksAnything } from "../modules/asking.js";
import { itemsOf } from "../../model/items.js";
import { hasNetwork, needsAuthentication } from "../../model/authentication.js";
import { hasTls, testServerModule } from "../modules/main-module.js";
import { constant, exportFrom, importOf, importTypes } from "../modules/structures.js";
import {
  generatedHeader,
  type FileStatements,
  type TypeScriptPrinter,
} from "../typescript-printer.js";
import { newTexts, type FileTexts } from "../reuse.js";
import { contractFiles } from "./contract-files.js";

/**
 * The contract tests of a project: JSON files with what the manifest promises, and for each kind of item a
 * short test file that hands them to the fixed suite beside it.
 */
export async function emitContractTests(
  model: ServerModel,
  printer: TypeScriptPrinter,
  texts: FileTexts = newTexts,
): Promise<GeneratedFile[]> {
  const { tools, resources, resourceTemplates, prompts } = model;
  const files = [
    testFile("context.test", contextTest(), printer),
    testFile("server", testServerModule(model), printer),
    testFile("transports.test", transportsTest(model), printer),
  ];
  if (hasNetwork(model)) {
    files.push(testFile("suite/clients/client-parts", clientParts(model), printer));
  }
  for (const [name, module, exported] of importedByPeople(model)) {
    files.push(testFile(name, [exportFrom(module, [exported])], printer));
  }
  if (tools.length > 0) {
    files.push(testFile("tools.test", toolsTest(model), printer));
  }
  if (FEATURES.examples(model)) {
    files.push(testFile("examples.test", examplesTest(model), printer));
  }
  if (resources.length + resourceTemplates.length > 0) {
    files.push(testFile("resources.test", suiteTest("resources", "testResources"), printer));
  }
  if (prompts.length > 0) {
    files.push(testFile("prompts.test", suiteTest("prompts", "testPrompts"), printer));
  }
  if (asksAnything(model)) {
    files.push(testFile("questions.test", suiteTest("questions", "testQuestions"), printer));
  }
  if (FEATURES.bodyTests(model)) {
    files.push(testFile("bodies.test", bodiesTest(model), printer));
  }
  if (FEATURES.databaseTests(model)) {
    files.push(testFile("databases.test", databasesTest(model), printer));
  }
  if (FEATURES.programTests(model)) {
    files.push(testFile("programs.test", programsTest(model), printer));
  }
  if (FEATURES.directoryTests(model)) {
    files.push(testFile("directories.test", directoriesTest(model), printer));
  }
  if (FEATURES.remoteTests(model)) {
    files.push(testFile("remote-servers.test", remoteServersTest(model), printer));
  }
  if (FEATURES.changes(model)) files.push(testFile("changes.test", changesTest(model), printer));
  return [...(await contractFiles(model, texts)), ...(await Promise.all(files))];
}

/** What tests that people own import from `test/generated/`, wherever the suites have it. */
function importedByPeople(
  model: ServerModel,
): (readonly [name: string, module: string, exported: string])[] {
  const ofHandlers = ["starter", "./suite/starter.ts", "testOnceWritten"] as const;
  const ofUpstreams = ["upstream", "./suite/clients/local-upstream.ts", "LocalUpstream"] as const;
  const ofDatabases = ["database", "./suite/clients/test-database.ts", "TestDatabase"] as const;
  const ofPrograms = ["stand-in", "./suite/clients/stand-in.ts", "StandIn"] as const;
  const ofDirectories = ["folder", "./suite/clients/test-folder.ts", "TestFolder"] as const;
  const ofServers = [
    "stand-in-server",
    "./suite/clients/stand-in-server.ts",
    "StandInServer",
  ] as const;
  const ofCustom = [
    ["contract", "./suite/contract.ts", "readContract"],
    ["custom-contract", "./suite/transports/custom.ts", "testCustom"],
  ] as const;
  return [
    ...(itemsOf(model).length > 0 ? [ofHandlers] : []),
    ...(FEATURES.bodyTests(model) ? [ofUpstreams] : []),
    ...(FEATURES.databaseTests(model) ? [ofDatabases] : []),
    ...(FEATURES.programTests(model) ? [ofPrograms] : []),
    ...(FEATURES.directoryTests(model) ? [ofDirectories] : []),
    ...(FEATURES.remoteTests(model) ? [ofServers] : []),
    ...(model.transports.some(({ type }) => type === "custom") ? ofCustom : []),
  ];
}

async function testFile(
  name: string,
  statements: FileStatements,
  printer: TypeScriptPrinter,
): Promise<GeneratedFile> {
  const content = await printer.print(statements, generatedHeader);
  return { owner: "generated", path: `test/generated/${name}.ts`, content };
}

function contextTest(): FileStatements {
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/testing.ts", ["createTestContext"]),
    importOf("./suite/server/context.ts", ["testContext"]),
    importOf("./suite/contract.ts", ["readContract"]),
    'testContext(test, await readContract("server"), createTestContext);',
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

/** Upstreams are played with values that stand in for those of the environment. */
function bodiesTest(model: ServerModel): FileStatements {
  const hasEnvironment = FEATURES.environment(model);
  const entries = hasEnvironment ? (["env", "upstreams"] as const) : (["upstreams"] as const);
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/server.ts", ["createServer"]),
    ...(hasEnvironment ? [importOf("../../src/generated/testing.ts", ["createTestContext"])] : []),
    importOf("./suite/contract.ts", ["readContract"]),
    importOf("./suite/items/bodies.ts", ["testBodies"]),
    'const contract = await readContract("bodies");',
    ...(hasEnvironment ? ["const { env } = createTestContext();"] : []),
    `await testBodies(test, contract, ({ upstreams }) => createServer({ ${entries.join(", ")} }));`,
    "test.run();",
  ];
}

/** Databases are those of the tests, and other variables have values that stand in for the environment's. */
function databasesTest(model: ServerModel): FileStatements {
  const hasEnvironment = FEATURES.environment(model);
  const given = hasEnvironment ? "{ env, databases }" : "{ databases }";
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/server.ts", ["createServer"]),
    ...(hasEnvironment ? [importOf("../../src/generated/testing.ts", ["createTestContext"])] : []),
    importOf("./suite/contract.ts", ["readContract"]),
    importOf("./suite/items/databases.ts", ["testDatabases"]),
    'const contract = await readContract("databases");',
    ...(hasEnvironment ? ["const { env } = createTestContext();"] : []),
    `await testDatabases(test, contract, (databases) => createServer(${given}));`,
    "test.run();",
  ];
}

/** A program of the tests runs instead of others, and variables have values that stand in for the environment's. */
function programsTest(model: ServerModel): FileStatements {
  const hasEnvironment = FEATURES.environment(model);
  const given = hasEnvironment ? "{ env, programs }" : "{ programs }";
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/server.ts", ["createServer"]),
    ...(hasEnvironment ? [importOf("../../src/generated/testing.ts", ["createTestContext"])] : []),
    importOf("./suite/contract.ts", ["readContract"]),
    importOf("./suite/items/programs.ts", ["testPrograms"]),
    'const contract = await readContract("programs");',
    ...(hasEnvironment ? ["const { env } = createTestContext();"] : []),
    `await testPrograms(test, contract, (programs) => createServer(${given}));`,
    "test.run();",
  ];
}

/** A server in the process of the tests answers instead of others. */
function remoteServersTest(model: ServerModel): FileStatements {
  const hasEnvironment = FEATURES.environment(model);
  const given = hasEnvironment ? "{ env, servers }" : "{ servers }";
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/server.ts", ["createServer"]),
    ...(hasEnvironment ? [importOf("../../src/generated/testing.ts", ["createTestContext"])] : []),
    importOf("./suite/contract.ts", ["readContract"]),
    importOf("./suite/items/remote-servers.ts", ["testRemoteServers"]),
    'const contract = await readContract("remote-servers");',
    ...(hasEnvironment ? ["const { env } = createTestContext();"] : []),
    `await testRemoteServers(test, contract, (servers) => createServer(${given}));`,
    "test.run();",
  ];
}

/** A folder of the tests is read instead of every directory. */
function directoriesTest(model: ServerModel): FileStatements {
  const hasEnvironment = FEATURES.environment(model);
  const given = hasEnvironment ? "{ env, directories }" : "{ directories }";
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/server.ts", ["createServer"]),
    ...(hasEnvironment ? [importOf("../../src/generated/testing.ts", ["createTestContext"])] : []),
    importOf("./suite/contract.ts", ["readContract"]),
    importOf("./suite/items/directories.ts", ["testDirectories"]),
    'const contract = await readContract("directories");',
    ...(hasEnvironment ? ["const { env } = createTestContext();"] : []),
    `await testDirectories(test, contract, (directories) => createServer(${given}));`,
    "test.run();",
  ];
}

/** Tests what may change of the items whose contracts the project has. */
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

/** How tests read what the manifest says of the server, and what the import of that is. */
function serverContractOf(model: ServerModel): {
  import: ImportDeclarationStructure;
  read: string;
} {
  return hasNetwork(model)
    ? {
        import: importOf("./suite/transports/guard.ts", ["readGuardedContract"]),
        read: "const contract = await readGuardedContract();",
      }
    : {
        import: importOf("./suite/contract.ts", ["readContract"]),
        read: 'const contract = await readContract("server");',
      };
}

function examplesTest(model: ServerModel): FileStatements {
  const type = openType(model) ?? "stdio";
  const { module, connect } = TRANSPORT_SUITES[type];
  const contract = serverContractOf(model);
  const isGuarded = type !== "stdio";
  const isSearched = FEATURES.search(model);
  const connector = isSearched ? `throughGateway(${connect}, contracts)` : connect;
  const guard = ["readGuardedContract", ...(isGuarded ? ["whyUncalled"] : [])];
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/server.ts", ["createServer"]),
    importOf("./suite/contract.ts", ["readContract"]),
    importOf("./suite/items/examples.ts", ["testExamples"]),
    ...(isSearched ? [importOf("./suite/items/search.ts", ["throughGateway"])] : []),
    importOf(`./suite/${module}.ts`, [connect]),
    ...(hasNetwork(model) ? [importOf("./suite/transports/guard.ts", guard)] : []),
    ...(isSearched
      ? ['const contracts = await readContract("tools");', "const { tools } = contracts;"]
      : ['const { tools } = await readContract("tools");']),
    contract.read,
    `await testExamples(test, tools, contract, createServer, ${connector}${isGuarded ? ", whyUncalled(contract)" : ""});`,
    "test.run();",
  ];
}

/** The suite of each type of transport, and how a client connects over it. */
const TRANSPORT_SUITES = {
  stdio: { suite: "testStdio", module: "clients/harness", connect: "connectStdio" },
  http: { suite: "testHttp", module: "transports/http", connect: "connectHttpServer" },
  websocket: {
    suite: "testWebSocket",
    module: "transports/websocket",
    connect: "connectWebSocketServer",
  },
  sse: { suite: "testSse", module: "transports/sse", connect: "connectSseServer" },
} as const;
const SUITE_TYPES = Object.keys(TRANSPORT_SUITES) as (keyof typeof TRANSPORT_SUITES)[];

/** The transports that have a suite, the best one to connect over first. A custom one's test is the user's. */
function testedTypes({ transports }: ServerModel): typeof SUITE_TYPES {
  return SUITE_TYPES.filter((tested) => transports.some(({ type }) => type === tested));
}

/** The transport over which the tests can call the server: where callers must say who they are, stdio only. */
function openType(model: ServerModel): (typeof SUITE_TYPES)[number] | undefined {
  return testedTypes(model).find((type) => type === "stdio" || !needsAuthentication(model));
}

function transportsTest(model: ServerModel): FileStatements {
  const types = testedTypes(model).sort();
  const contract = serverContractOf(model);
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/server.ts", ["createServer", "definition"]),
    contract.import,
    ...types.map((type) =>
      importOf(`./suite/transports/${type}.ts`, [TRANSPORT_SUITES[type].suite]),
    ),
    importOf("./suite/server/imports.ts", ["testImports"]),
    importOf("./suite/server/settings.ts", ["testSettings"]),
    contract.read,
    "testSettings(test, contract, definition);",
    "testImports(test, createServer);",
    ...types.map((type) => `${TRANSPORT_SUITES[type].suite}(test, contract);`),
    "test.run();",
  ];
}

/** `client-parts.ts`: what the tests' clients need for the transports that only some projects have. */
function clientParts({ transports }: ServerModel): FileStatements {
  const parts = hasTls(transports) ? [importOf("./tls.ts", ["testTls"])] : [];
  const entries = hasTls(transports) ? [["tls", "testTls"] as const] : [];
  return [
    importTypes("./http.ts", ["ClientParts"]),
    ...parts,
    constant({
      name: "clientParts",
      type: "ClientParts",
      value: objectOf(entries),
      docs: "What the clients of the tests need to speak to this server.",
    }),
  ];
}
