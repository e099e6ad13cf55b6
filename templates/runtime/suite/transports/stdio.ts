import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { serverEnvironment, type JsonObject, type ServerContract } from "../contract.js";
import { expectEqual } from "../expectation.js";
import { connectStdio } from "../clients/harness.js";
import type { TestRegistry } from "../clients/probed-server.js";
import { ServerStderr } from "../clients/server-stderr.js";
import { testEras } from "./every-transport.js";

/** Registers the tests of the built server behind its standard streams. */
export function testStdio(test: TestRegistry, contract: ServerContract): void {
  testEras(test, contract, { name: "stdio", connect: connectStdio });
  test("stdio has only messages of the protocol, and the server ends with its input", () =>
    expectCleanEnd(contract));
}

async function expectCleanEnd(contract: ServerContract): Promise<void> {
  const child = spawn(process.execPath, [...contract.project.entry, "--stdio"], {
    cwd: fileURLToPath(contract.project.folder),
    env: serverEnvironment(contract),
    stdio: "pipe",
  });
  const stderr = new ServerStderr(child.stderr);
  const closed = once(child, "close");
  // A server that has ended accepts no input. Its exit status and stderr are more helpful.
  child.stdin.on("error", () => undefined);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  await Promise.race([once(child.stdout, "data"), closed]);
  child.stdin.end();
  const [status] = (await closed) as [number | null];
  await stderr.explain(async () => {
    expectEqual(status, 0, "exit status");
    const [line = "", ...rest] = output.trimEnd().split("\n");
    expectEqual((JSON.parse(line) as JsonObject)["id"], initialize.id, "id of the answer");
    expectEqual(rest, [], "lines after the answer");
  });
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "contract-tests", version: "1.0.0" },
  },
};
