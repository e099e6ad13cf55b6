import type { OutputFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import { functionOf } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import type { FileStatements, TypeScriptPrinter } from "../typescript-printer.js";
import { customTransportNames, type CustomTransportNames } from "./custom-transport-names.js";
import { constant, importOf, importTypes } from "./structures.js";

/** The project's own transport, a stub at first, and its starter test. */
export async function customTransportFiles(
  { transports }: ServerModel,
  printer: TypeScriptPrinter,
): Promise<OutputFile[]> {
  const custom = transports.find((transport) => transport.type === "custom");
  if (custom === undefined) return [];
  const names = customTransportNames(custom.name);
  const { id: item, identifier: exportName, path, testPath } = names;
  const [transport, starterTest] = await Promise.all([
    printer.printOwned(transportModule(names)),
    printer.printOwned(transportTest(names)),
  ]);
  return [
    { owner: "handler", path, content: transport, item, exportName },
    { owner: "starter-test", path: testPath, content: starterTest, item },
  ];
}

function transportModule({ identifier, path }: CustomTransportNames): FileStatements {
  const warning = writeString(`not written yet: ${path}`);
  return [
    importTypes("../generated/index.ts", ["CustomTransport"]),
    constant({
      name: identifier,
      type: "CustomTransport",
      exported: true,
      value: functionOf("({ log })", [
        `log.warning(${warning});`,
        "return { close: () => undefined };",
      ]),
      docs: "Accepts clients until it is closed. Calls `connect` with an SDK `Transport` for each client.",
    }),
  ];
}

function transportTest({ path }: CustomTransportNames): FileStatements {
  return [
    importTypes("@modelcontextprotocol/client", ["Transport"]),
    importOf("uvu", ["test"]),
    importOf("./generated/contract.ts", ["readContract"]),
    importOf("@mcpwright/runtime/testing", ["testCustom"]),
    constant({
      name: "clientTransport",
      type: "(() => Transport) | undefined",
      value: "undefined",
      docs: "The client side of the transport. The tests run the built server with `--custom` and connect to it.",
      exported: false,
    }),
    `testCustom(test, await readContract("server"), ${writeString(path)}, clientTransport);`,
    "test.run();",
  ];
}
