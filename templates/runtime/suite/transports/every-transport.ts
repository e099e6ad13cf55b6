import { TASKS_EXTENSION } from "../../tasks/definition.js";
import type { Client } from "@modelcontextprotocol/client";
import type { Era } from "../../context/context.js";
import { eras } from "../clients/connection.js";
import { expectedInfo, type JsonObject, type ServerContract } from "../contract.js";
import { expectEqual, expectThat } from "../expectation.js";
import { closeAll, type Connect, type ConnectedServer } from "../clients/harness.js";
import type { TestRegistry } from "../clients/probed-server.js";

/** A transport and how its tests connect to it. */
export interface TestedTransport {
  readonly name: string;
  readonly connect: Connect;
  /** The capabilities for clients of the older eras, if they differ from those of the contract. */
  readonly legacyCapabilities?: JsonObject;
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
  { name, connect, legacyCapabilities }: TestedTransport,
  era: Era,
): void {
  if (era === "legacy" && contract.protocol.legacy === "reject") {
    test(`${name} refuses clients of the ${era} era`, () => expectRefusal(connect(era, contract)));
    return;
  }
  test(`${name} answers clients of the ${era} era`, async () => {
    const { client, stderr } = await connect(era, contract);
    const { capabilities } = contract;
    const expected = era === "legacy" ? inLegacy(legacyCapabilities ?? capabilities) : capabilities;
    await stderr.explain(() => expectServer(client, contract, expected));
  });
}

/** The capabilities of which clients of the older eras are told: they know no tasks of 2026-07-28. */
function inLegacy({ extensions, ...others }: JsonObject): JsonObject {
  const { [TASKS_EXTENSION]: _tasks, ...known } = (extensions ?? {}) as JsonObject;
  return Object.keys(known).length === 0 ? others : { ...others, extensions: known };
}

/** Checks the server's information and capabilities, and that each list has its items. */
async function expectServer(
  client: Client,
  contract: ServerContract,
  capabilities: JsonObject,
): Promise<void> {
  expectEqual(client.getServerCapabilities(), capabilities, "capabilities");
  expectEqual(client.getServerVersion(), await expectedInfo(contract), "the server's name");
  expectEqual(client.getInstructions(), contract.instructions, "instructions");
  for (const { method, key, length, isOpen } of contract.lists) {
    const page: Readonly<Record<string, unknown>> = await client.request({ method });
    const found = (page[key] as unknown[]).length;
    expectEqual(isOpen ? Math.min(found, length) : found, length, `items of ${method}`);
  }
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
