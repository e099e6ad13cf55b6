import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Transport } from "@modelcontextprotocol/server";
import { serverEnvironment, type ServerContract } from "../contract.js";
import { closeLater, connect, type ConnectedServer } from "../clients/harness.js";
import type { Era } from "../../context/context.js";
import type { SkippingRegistry } from "../clients/probed-server.js";
import { ServerStderr } from "../clients/server-stderr.js";
import { skip } from "../starter.js";
import { testEras } from "./every-transport.js";

/**
 * Registers the tests of the built server behind the project's own transport.
 * @param file The file of the transport, such as `src/transports/pigeon.ts`.
 * @param clientTransport Makes the client's side of the transport, for a server that is running. Undefined if it is
 * not written yet.
 */
export function testCustom(
  test: SkippingRegistry,
  contract: ServerContract,
  file: string,
  clientTransport: (() => Transport) | undefined,
): void {
  if (clientTransport === undefined) {
    return skip(
      test,
      "the custom transport answers clients",
      `not written yet: write it in ${file}`,
    );
  }
  let started: Promise<ServerStderr> | undefined;
  const connectCustom = async (era: Era): Promise<ConnectedServer> => {
    const stderr = await (started ??= startCustom(contract));
    return { client: await stderr.explain(() => connect(clientTransport(), era)), stderr };
  };
  testEras(test, contract, {
    name: "the custom transport",
    connect: connectCustom,
  });
}

/** Starts the built server with `--custom`, and waits until it accepts clients. */
async function startCustom(contract: ServerContract): Promise<ServerStderr> {
  const child = spawn(process.execPath, [...contract.project.entry, "--custom"], {
    cwd: fileURLToPath(contract.project.folder),
    env: serverEnvironment(contract),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  closeLater(async () => {
    child.kill();
    await ended;
  });
  const stderr = new ServerStderr(child.stderr);
  await stderr.explain(() => stderr.find(/("transport":"custom")/));
  return stderr;
}
