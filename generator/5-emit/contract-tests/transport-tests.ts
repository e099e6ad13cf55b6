import type { ImportDeclarationStructure } from "ts-morph";
import { hasNetwork, needsAuthentication } from "../../model/authentication.js";
import type { ServerModel } from "../../model/server-model.js";
import { FEATURES } from "../features.js";
import { importOf } from "../modules/structures.js";
import type { FileStatements } from "../typescript-printer.js";

/** The statement that reads the contract of the server, and the import that it needs. */
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

/** The test file that calls the server with the examples of its tools. */
export function examplesTest(model: ServerModel): FileStatements {
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

/** The transports that have a suite, in the order in which tests prefer them. People test custom ones themselves. */
function testedTypes({ transports }: ServerModel): typeof SUITE_TYPES {
  return SUITE_TYPES.filter((tested) => transports.some(({ type }) => type === tested));
}

/** The transport over which tests can call the server. If callers must authenticate, this is stdio or none. */
function openType(model: ServerModel): (typeof SUITE_TYPES)[number] | undefined {
  return testedTypes(model).find((type) => type === "stdio" || !needsAuthentication(model));
}

/** The test file that tests the server over each of its transports. */
export function transportsTest(model: ServerModel): FileStatements {
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
