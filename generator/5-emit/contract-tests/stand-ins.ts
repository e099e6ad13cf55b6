import type { ServerModel } from "../../model/server-model.js";
import { FEATURES } from "../features.js";
import { importOf } from "../modules/structures.js";
import type { FileStatements } from "../typescript-printer.js";

/** A kind of partner of the server, such as databases, that tests replace by a stand-in. */
interface StandInSuite {
  readonly isUsed: (model: ServerModel) => boolean;
  /** Name of the contract, of the module of the suite, and of the test file. */
  readonly contract: string;
  readonly suite: string;
  /** The option of `createServer` that takes the stand-in. */
  readonly option: string;
  /** The parameter of the function that makes the server, if it is not the option itself. */
  readonly parameter?: string;
  /** The class of the stand-in, the module of the suites that has it, and the module from which people import it. */
  readonly reExport: ReExport;
}

/** A module of `test/generated/` from which people's tests import a name of the suites. */
export interface ReExport {
  /** Path of the module, relative to `test/generated/`, without extension. */
  readonly path: string;
  /** Specifier of the module of the suites. */
  readonly from: string;
  readonly name: string;
}

/** All kinds of partners. The order is the order of their test files. */
const STAND_IN_SUITES: readonly StandInSuite[] = [
  {
    isUsed: FEATURES.bodyTests,
    contract: "bodies",
    suite: "testBodies",
    option: "upstreams",
    parameter: "{ upstreams }",
    reExport: {
      path: "upstream",
      from: "./suite/clients/local-upstream.ts",
      name: "LocalUpstream",
    },
  },
  {
    isUsed: FEATURES.databaseTests,
    contract: "databases",
    suite: "testDatabases",
    option: "databases",
    reExport: {
      path: "database",
      from: "./suite/clients/test-database.ts",
      name: "TestDatabase",
    },
  },
  {
    isUsed: FEATURES.programTests,
    contract: "programs",
    suite: "testPrograms",
    option: "programs",
    reExport: { path: "stand-in", from: "./suite/clients/stand-in.ts", name: "StandIn" },
  },
  {
    isUsed: FEATURES.directoryTests,
    contract: "directories",
    suite: "testDirectories",
    option: "directories",
    reExport: { path: "folder", from: "./suite/clients/test-folder.ts", name: "TestFolder" },
  },
  {
    isUsed: FEATURES.remoteTests,
    contract: "remote-servers",
    suite: "testRemoteServers",
    option: "servers",
    reExport: {
      path: "stand-in-server",
      from: "./suite/clients/stand-in-server.ts",
      name: "StandInServer",
    },
  },
];

/** The suites that test a server with stand-ins. */
export function standInSuites(model: ServerModel): readonly StandInSuite[] {
  return STAND_IN_SUITES.filter(({ isUsed }) => isUsed(model));
}

/** The test file that runs such a suite. The tests' environment stands in for variables. */
export function standInTest(
  { contract, suite, option, parameter = option }: StandInSuite,
  model: ServerModel,
): FileStatements {
  const hasEnvironment = FEATURES.environment(model);
  const options = hasEnvironment ? `{ env, ${option} }` : `{ ${option} }`;
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/server.ts", ["createServer"]),
    ...(hasEnvironment ? [importOf("../../src/generated/testing.ts", ["createTestContext"])] : []),
    importOf("./suite/contract.ts", ["readContract"]),
    importOf(`./suite/items/${contract}.ts`, [suite]),
    `const contract = await readContract("${contract}");`,
    ...(hasEnvironment ? ["const { env } = createTestContext();"] : []),
    `await ${suite}(test, contract, (${parameter}) => createServer(${options}));`,
    "test.run();",
  ];
}
