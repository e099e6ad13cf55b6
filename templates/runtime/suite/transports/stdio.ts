import type { JsonObject, ServerContract } from "../contract.js";
import { expectEqual } from "../expectation.js";
import { connectStdio } from "../clients/harness.js";
import type { TestRegistry } from "../clients/probed-server.js";
import { testEras } from "./every-transport.js";

/** Registers the tests of the built server behind its standard streams. */
export function testStdio(test: TestRegistry, contract: ServerContract): void {
  testEras(test, contract, { name: "stdio", connect: connectStdio });
  test("stdio has only messages of the protocol, and the server ends with its input", () =>
    expectCleanEnd(contract));
}

/** Ends the server that the tests of an era have used. */
async function expectCleanEnd(contract: ServerContract): Promise<void> {
  const era = contract.protocol.legacy === "reject" ? "modern" : "legacy";
  const { process, stderr } = await connectStdio(era, contract);
  const { status, lines } = await process.end();
  await stderr.explain(async () => {
    expectEqual(status, 0, "exit status");
    const others = lines.filter((line) => !isMessage(line));
    expectEqual(others.join("\n"), "", "lines that are no messages of the protocol");
  });
}

function isMessage(line: string): boolean {
  try {
    return (JSON.parse(line) as JsonObject)["jsonrpc"] === "2.0";
  } catch {
    return false;
  }
}
