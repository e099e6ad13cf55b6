import type { Client } from "@modelcontextprotocol/client";
import { eras } from "../clients/connection.js";
import { expectedInfo, type JsonObject, type ServerContract } from "../contract.js";
import { expectEqual, expectThat } from "../expectation.js";
import { closeAll, type Connect, type ConnectedServer, type Era } from "../clients/harness.js";
import type { TestRegistry } from "../clients/probed-server.js";

/** A transport and how its tests connect to it. */
export interface TestedTransport {
  readonly name: string;
  readonly connect: Connect;
  /** Whether the server can notify clients of the older eras of changes. */
  readonly tellsOlderClients: boolean;
}

/** Registers a test for each era: the server answers its clients, or refuses them if the manifest says so. */
export function testEras(
  test: TestRegistry,
  contract: ServerContract,
  transport: TestedTransport,
): void {
  test.after(closeAll);
  for (const era of eras) testEra(test, contract, transport, era);
}

/** Registers the test of one era. */
export function testEra(
  test: TestRegistry,
  contract: ServerContract,
  { name, connect, tellsOlderClients }: TestedTransport,
  era: Era,
): void {
  if (era === "legacy" && contract.protocol.legacy === "reject") {
    test(`${name} refuses clients of the ${era} era`, () => expectRefusal(connect(era, contract)));
    return;
  }
  test(`${name} answers clients of the ${era} era`, async () => {
    const { client, stderr } = await connect(era, contract);
    const canListen = era === "modern" || tellsOlderClients;
    await stderr.explain(() => expectServer(client, contract, canListen));
  });
}

/**
 * Checks the server's information and capabilities, and that each list has its items.
 * @param canListen Whether the server can notify the client of changes.
 */
async function expectServer(
  client: Client,
  contract: ServerContract,
  canListen: boolean,
): Promise<void> {
  const { capabilities } = contract;
  const expected = canListen ? capabilities : withoutChanges(capabilities);
  expectEqual(client.getServerCapabilities(), expected, "capabilities");
  expectEqual(client.getServerVersion(), await expectedInfo(contract), "the server's name");
  expectEqual(client.getInstructions(), contract.instructions, "instructions");
  for (const { method, key, length, isOpen } of contract.lists) {
    const page: Readonly<Record<string, unknown>> = await client.request({ method });
    const found = (page[key] as unknown[]).length;
    expectEqual(isOpen ? Math.min(found, length) : found, length, `items of ${method}`);
  }
}

/** Returns the capabilities for a client that cannot get notifications of changes. */
function withoutChanges(capabilities: JsonObject): JsonObject {
  const told = new Set(["listChanged", "subscribe"]);
  return JSON.parse(
    JSON.stringify(capabilities, (key, value: unknown) => (told.has(key) ? false : value)),
  ) as JsonObject;
}

/** Checks that the server refuses a client of another era, and names the versions that it supports. */
async function expectRefusal(connected: Promise<ConnectedServer>): Promise<void> {
  const outcome = await connected.then(
    () => "connected",
    (error: Error) => error.message,
  );
  expectThat(
    /2026-07-28|protocol version/i.test(outcome),
    `the client was not refused: ${outcome}`,
  );
}
