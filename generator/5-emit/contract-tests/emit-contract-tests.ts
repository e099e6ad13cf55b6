import type { GeneratedFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import { importOf } from "../modules/structures.js";
import {
  generatedHeader,
  type FileStatements,
  type TypeScriptPrinter,
} from "../typescript-printer.js";
import { contractFiles } from "./contract-files.js";
import { testingModule } from "./testing-module.js";

/**
 * `test/generated/`: the contracts that follow from the manifest, as JSON, the test that holds the server against them,
 * and what people's tests import. The suites and the server of the tests are part of the runtime.
 */
export async function emitContractTests(
  model: ServerModel,
  printer: TypeScriptPrinter,
): Promise<GeneratedFile[]> {
  const modules = [
    ["server.test", SERVER_TEST],
    ["testing", testingModule(model)],
    ...(model.transports.some(({ type }) => type === "custom")
      ? [["contract", CONTRACT_OF_TESTS] as const]
      : []),
  ] as const;
  const files = modules.map(async ([path, statements]): Promise<GeneratedFile> => {
    const content = await printer.print(statements, generatedHeader);
    return { owner: "generated", path: `test/generated/${path}.ts`, content };
  });
  return [...contractFiles(model), ...(await Promise.all(files))];
}

const SERVER_TEST: FileStatements = [
  importOf("@mcpwright/runtime/testing", ["testServer"]),
  importOf("uvu", ["test"]),
  importOf("../../src/generated/server.ts", ["server"]),
  importOf("./testing.ts", ["createTestContext"]),
  "await testServer(test, server, import.meta.url, createTestContext);",
  "test.run();",
];

/** `contract.ts`, from which the test of the project's own transport takes the contract. */
const CONTRACT_OF_TESTS: FileStatements = [
  importOf("@mcpwright/runtime/testing", [
    ...["readContract as readContractOf", "type ServerContract", "testedProject"],
  ]),
  {
    docs: ["Reads the contract of this server."],
    code: `export const readContract = (name: "server"): Promise<ServerContract> =>
  readContractOf(name, testedProject(import.meta.url));`,
  },
];
