import { jsonText, READABLE_WIDTH } from "../project/json-text.js";
import type { JsonValue } from "../../model/json.js";
import type { GeneratedFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import { importOf } from "../modules/structures.js";
import {
  generatedHeader,
  type FileStatements,
  type TypeScriptPrinter,
} from "../typescript-printer.js";
import { promptsContract } from "./prompt-contracts.js";
import { resourcesContract } from "./resource-contracts.js";
import { serverContract } from "./server-contract.js";
import { toolsContract } from "./tool-contracts.js";

export { emitStarterTests } from "./starter-tests.js";

/**
 * The contract tests of a project: for each kind of item a JSON file with what the manifest
 * promises, and a short test file that hands it to the fixed suite beside it.
 */
export async function emitContractTests(
  model: ServerModel,
  printer: TypeScriptPrinter,
): Promise<GeneratedFile[]> {
  const { tools, resources, resourceTemplates, prompts } = model;
  const server = contractFile("server", serverContract(model));
  const files = [server, testFile("transports", transportsTest(), printer)];
  if (tools.length > 0) {
    files.push(contractFile("tools", toolsContract(model)));
    files.push(testFile("tools", toolsTest(), printer));
  }
  if (tools.some(({ examples }) => examples.length > 0)) {
    files.push(testFile("examples", examplesTest(), printer));
  }
  if (resources.length + resourceTemplates.length > 0) {
    files.push(contractFile("resources", resourcesContract(model)));
    files.push(testFile("resources", suiteTest("resources", "testResources"), printer));
  }
  if (prompts.length > 0) {
    files.push(contractFile("prompts", promptsContract(model)));
    files.push(testFile("prompts", suiteTest("prompts", "testPrompts"), printer));
  }
  return Promise.all(files);
}

async function contractFile(name: string, contract: object): Promise<GeneratedFile> {
  // The types of contracts are interfaces, which TypeScript does not take for JSON by themselves.
  const content = `${jsonText(contract as JsonValue, READABLE_WIDTH)}\n`;
  return { owner: "generated", path: `test/generated/${name}.json`, content };
}

async function testFile(
  name: string,
  statements: FileStatements,
  printer: TypeScriptPrinter,
): Promise<GeneratedFile> {
  const content = await printer.print(statements, { header: generatedHeader });
  return { owner: "generated", path: `test/generated/${name}.test.ts`, content };
}

function toolsTest(): FileStatements {
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/index.js", ["NotImplementedError"]),
    importOf("../../src/generated/server.js", ["createServer"]),
    importOf("./contract.js", ["readContract"]),
    importOf("./tools-contract.js", ["testTools"]),
    'const stubError = new NotImplementedError("a stub");',
    'testTools(test, await readContract("tools"), createServer, stubError);',
    "test.run();",
  ];
}

function suiteTest(name: "resources" | "prompts", suite: string): FileStatements {
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/server.js", ["createServer"]),
    importOf("./contract.js", ["readContract"]),
    importOf(`./${name}-contract.js`, [suite]),
    `${suite}(test, await readContract("${name}"), createServer);`,
    "test.run();",
  ];
}

function examplesTest(): FileStatements {
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/server.js", ["createServer"]),
    importOf("./contract.js", ["readContract"]),
    importOf("./examples-contract.js", ["testExamples"]),
    'const { tools } = await readContract("tools");',
    'await testExamples(test, tools, await readContract("server"), createServer);',
    "test.run();",
  ];
}

function transportsTest(): FileStatements {
  return [
    importOf("uvu", ["test"]),
    importOf("../../src/generated/server.js", ["definition"]),
    importOf("./contract.js", ["readContract"]),
    importOf("./transports-contract.js", ["testTransports"]),
    'testTransports(test, await readContract("server"), definition);',
    "test.run();",
  ];
}
