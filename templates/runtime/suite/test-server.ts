import { NotImplementedError } from "../engine/errors.js";
import type { Server } from "../server/define-server.js";
import { loadParts } from "../server/late-parts.js";
import { createLog } from "../observe/log.js";
import { readEnvironment, withPlaceholders } from "../start/env.js";
import { connectStdio, type Connect } from "./clients/harness.js";
import type { CreateServer, SkippingRegistry } from "./clients/probed-server.js";
import {
  newKeys,
  readContract,
  testedProject,
  type ServerContract,
  type TestedProject,
  type ToolsContract,
} from "./contract.js";
import { testArgumentLimits } from "./items/argument-limits.js";
import { testChanges } from "./items/changes.js";
import { testExamples } from "./items/examples.js";
import { testOutputs, withoutWrappedSchema } from "./items/outputs.js";
import { testResourceTools, withResourceTools } from "./items/resource-tools.js";
import { onlyListed, testSearch, throughGateway, withListed } from "./items/search.js";
import { testSeveralMistakes } from "./items/several-mistakes.js";
import { testTools } from "./items/tools.js";
import { testValidators } from "./items/validators.js";
import { testContext } from "./server/context.js";
import { testImports } from "./server/imports.js";
import { testSettings } from "./server/settings.js";
import { serverMaker } from "./server-maker.js";
import { STAND_IN_CONTRACTS, STAND_IN_SUITES } from "./stand-in-suites.js";
import { readGuardedContract, whyUncalled } from "./transports/guard.js";

/** The server of a project, its contract, and how tests make it. */
interface TestedServer {
  readonly test: SkippingRegistry;
  readonly server: Server;
  readonly project: TestedProject;
  readonly contract: ServerContract;
  /** Makes the server in process. */
  readonly create: CreateServer;
}

/** `createTestContext` of a project. */
type CreateTestContext = Parameters<typeof testContext>[2];

/**
 * Registers the tests of the contract in `contracts/`, which was made from the manifest: every item, every constraint
 * of its schemas, every example, and each transport in each era of the protocol.
 *
 * @param test the `test` function of uvu
 * @param module `import.meta.url` of the test file, which has `contracts/` beside it
 * @param createTestContext the function by which the project's own tests make contexts
 */
export async function testServer<Env, Services>(
  test: SkippingRegistry,
  server: Server<Env, Services>,
  module: string,
  createTestContext: CreateTestContext,
): Promise<void> {
  const project = testedProject(module);
  const contract = await readGuardedContract(project);
  const definition = await loadParts(server.definition);
  const create = serverMaker<Env, Services>(definition, server.root);
  const tested = {
    ...{ test, project, contract },
    create: create as CreateServer,
    // The tests pass no variables and services of their own, so that the types of these do not matter.
    server: server as unknown as Server,
  };
  const callers = definition.senderOf === undefined ? {} : { auth: SAMPLE_CALLER };
  testContext(test, contract, createTestContext, callers);
  testSettings(test, contract, definition);
  testImports(test, create);
  await testTransports(tested);
  await testItems(tested);
  await testBackends(tested);
  await testItemChanges(tested);
}

const SAMPLE_CALLER = { principal: "ada", scopes: ["read"] };

/** How clients connect over a transport, and its suite. Each is imported only where the server has the transport. */
const TRANSPORTS = {
  stdio: async () => ({
    connect: connectStdio,
    register: (await import("./transports/stdio.js")).testStdio,
  }),
  http: async () => {
    const { connectHttpServer, testHttp } = await import("./transports/http.js");
    return { connect: connectHttpServer, register: testHttp };
  },
  websocket: async () => {
    const { connectWebSocketServer, testWebSocket } = await import("./transports/websocket.js");
    return { connect: connectWebSocketServer, register: testWebSocket };
  },
  sse: async () => {
    const { connectSseServer, testSse } = await import("./transports/sse.js");
    return { connect: connectSseServer, register: testSse };
  },
} as const;

/** The types of the server's transports that have a suite. People test custom ones themselves. */
function testedTypes({ transports }: ServerContract): (keyof typeof TRANSPORTS)[] {
  const declared = new Set(transports.map(({ type }) => type));
  const types = Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[];
  return types.filter((type) => declared.has(type));
}

async function testTransports({ test, contract }: TestedServer): Promise<void> {
  for (const type of testedTypes(contract)) {
    const { register } = await TRANSPORTS[type]();
    register(test, contract);
  }
}

async function testItems(tested: TestedServer): Promise<void> {
  const { test, project, create } = tested;
  const { contracts } = tested.contract;
  if (contracts.tools !== undefined) await testToolItems(tested);
  if (contracts.schemas !== undefined) {
    const { testSchemas } = await import("./items/schemas.js");
    const { schemaModule } = await import("./items/schema-module.js");
    const contract = await readContract("schemas", project);
    testSchemas(test, contract, (module) => schemaModule(project, module));
  }
  const { testMockTexts } = await import("./items/mock-texts.js");
  const stubError = new NotImplementedError("a stub");
  if (contracts.resources !== undefined) {
    const { testResources } = await import("./items/resources.js");
    const contract = await readContract("resources", project);
    testResources(test, contract, create);
    if (contract.skills !== undefined) {
      const { testSkills } = await import("./items/skills.js");
      testSkills(test, contract.skills, project, create as never);
    }
    testMockTexts(test, contract, create, stubError);
  }
  if (contracts.prompts !== undefined) {
    const { testPrompts } = await import("./items/prompts.js");
    const contract = await readContract("prompts", project);
    testPrompts(test, contract, create);
    testMockTexts(test, contract, create, stubError);
  }
  if (contracts.questions !== undefined) {
    const { testQuestions } = await import("./items/questions.js");
    testQuestions(test, await readContract("questions", project), create as never);
  }
}

async function testToolItems(tested: TestedServer): Promise<void> {
  const { test, server, project, create } = tested;
  const contract = await readContract("tools", project);
  const { tools: entries } = server.definition;
  const isSearched = contract.exposure !== undefined;
  const hasOutputs = contract.tools.some(({ output }) => output !== undefined);
  const listed = isSearched ? withListed(contract) : contract;
  const withResources = contract.resourceTools === true ? withResourceTools(listed) : listed;
  testTools(
    test,
    contract.accounts === undefined
      ? withResources
      : (await import("./items/account-tools.js")).withAccountTools(
          withResources,
          contract.accounts,
        ),
    create,
    new NotImplementedError("a stub"),
    ...(hasOutputs ? [withoutWrappedSchema] : []),
  );
  if (isSearched) testSearch(test, contract, create);
  if (contract.resourceTools === true) testResourceTools(test, create);
  testArgumentLimits(test, contract, create);
  if (hasOutputs) testOutputs(test, contract, create, entries);
  testValidators(test, contract, entries);
  testSeveralMistakes(test, contract, entries);
  await testToolExamples(tested, contract);
}

/** Calls the server with the examples of its tools, over the first transport that needs no token. */
async function testToolExamples(
  { test, contract, create }: TestedServer,
  tools: ToolsContract,
): Promise<void> {
  if (tools.tools.every(({ examples }) => examples.length === 0)) return;
  const type = testedTypes(contract).find((one) => one === "stdio" || !contract.needsToken);
  if (type === undefined) return;
  const { connect } = await TRANSPORTS[type]();
  const connector: Connect =
    tools.exposure === undefined ? connect : throughGateway(connect, tools);
  const reason = type === "stdio" ? undefined : whyUncalled(contract);
  await testExamples(test, tools.tools, contract, create, connector, reason);
}

/** Tests what bodies ask, with stand-ins for services, databases, programs, folders and other MCP servers. */
async function testBackends({
  test,
  server,
  project,
  contract: { contracts, privateKeys = [] },
  create,
}: TestedServer): Promise<void> {
  const { env: variables, limits } = server.definition;
  const placeholders = withPlaceholders(variables, readEnvironment(variables, {}).env, limits);
  const env = { ...placeholders, ...newKeys(privateKeys) };
  // Stand-ins fail, and answer what breaks schemas, on purpose: warnings of it would say nothing.
  const log = createLog({ level: "error" });
  for (const name of STAND_IN_CONTRACTS) {
    if (contracts[name] === undefined) continue;
    const { option, load } = STAND_IN_SUITES[name];
    const register = await load();
    const createServer = (standIn: unknown) => create({ env, log, [option]: standIn } as never);
    await register(test, (await readContract(name, project)) as never, createServer as never);
  }
}

/** Tests that items can be switched on and off while the server runs, and that clients hear of changes. */
async function testItemChanges({
  test,
  server,
  project,
  contract: { contracts },
  create,
}: TestedServer): Promise<void> {
  if (server.definition.createControls === undefined) return;
  const tools = contracts.tools !== undefined ? await readContract("tools", project) : undefined;
  const listed = tools?.exposure === undefined ? tools : onlyListed(tools);
  const items = {
    ...(listed !== undefined && { tools: listed }),
    ...(contracts.resources !== undefined && {
      resources: await readContract("resources", project),
    }),
    ...(contracts.prompts !== undefined && { prompts: await readContract("prompts", project) }),
  };
  testChanges(test, items, create);
}
