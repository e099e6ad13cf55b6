import type { OutputFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import type { CustomTransportModel } from "../../model/transports.js";
import { functionOf } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { itemNames } from "../../text/names.js";
import type { FileStatements, TypeScriptPrinter } from "../typescript-printer.js";
import { constant, importOf, importTypes } from "./structures.js";

/** The names of the project's own transport: its identifier, and its file without extension. */
export function customNames({ name }: CustomTransportModel): {
  readonly identifier: string;
  readonly fileName: string;
} {
  const { typeName, fileName } = itemNames(name);
  return { identifier: `${lowerFirst(typeName)}Transport`, fileName };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The project's own transport and its test. They are written once and then belong to people. */
export async function customTransportFiles(
  { transports }: ServerModel,
  printer: TypeScriptPrinter,
): Promise<OutputFile[]> {
  const custom = transports.find((transport) => transport.type === "custom");
  if (custom === undefined) return [];
  const { fileName } = customNames(custom);
  const files: readonly [path: string, statements: FileStatements][] = [
    [`src/transports/${fileName}.ts`, transportModule(custom)],
    [`test/${fileName}-transport.test.ts`, transportTest(custom)],
  ];
  return Promise.all(
    files.map(async ([path, statements]): Promise<OutputFile> => {
      return { owner: "scaffold", path, content: await printer.printOwned(statements) };
    }),
  );
}

function transportModule(custom: CustomTransportModel): FileStatements {
  const { identifier, fileName } = customNames(custom);
  const warning = writeString(`not written yet: src/transports/${fileName}.ts`);
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

function transportTest(custom: CustomTransportModel): FileStatements {
  const { fileName } = customNames(custom);
  return [
    importTypes("@modelcontextprotocol/client", ["Transport"]),
    importOf("uvu", ["test"]),
    importOf("./generated/contract.ts", ["readContract"]),
    importOf("./generated/custom-contract.ts", ["testCustom"]),
    constant({
      name: "clientTransport",
      type: "(() => Transport) | undefined",
      value: "undefined",
      docs: "The client side of the transport. The tests run the built server with `--custom` and connect to it.",
      exported: false,
    }),
    `testCustom(test, await readContract("server"), ${writeString(`src/transports/${fileName}.ts`)}, clientTransport);`,
    "test.run();",
  ];
}
