import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { eras } from "./connection.js";
import {
  expectedInfo,
  serverEnvironment,
  type JsonObject,
  type ServerContract,
  type ListSettings,
} from "./contract.js";
import { expectEqual, expectThat } from "./expectation.js";
import {
  closeAll,
  connectHttp,
  connectStdio,
  modernRequest,
  sendRaw,
  startHttp,
  type HttpProcess,
} from "./harness.js";
import type { TestRegistry } from "./probed-server.js";
import { ServerStderr } from "./server-stderr.js";

const projectFolder = fileURLToPath(new URL("../../../", import.meta.url));

/** Registers the tests of the server's settings, and of the built server behind each transport in both eras. */
export function testTransports(
  test: TestRegistry,
  contract: ServerContract,
  definition: object,
): void {
  const { instructions, transports, env, limits, settings, timeouts } = contract;
  test.after(closeAll);
  test("the settings are what the manifest says", async () => {
    const { info: name, ...rest } = definition as ServerContract & ListSettings;
    expectEqual(name, await expectedInfo(contract), "info");
    expectEqual(rest.instructions, instructions, "instructions");
    expectEqual(rest.transports, transports, "transports");
    expectEqual(rest.env, env, "env");
    expectEqual(rest.limits, limits, "limits");
    expectEqual(listSettingsOf(rest), settings, "pages and caching hints");
    expectEqual(timeoutsOf(definition), timeouts, "time limits of items");
  });
  for (const transport of transports) {
    if (transport["type"] === "stdio") testStdio(test, contract);
    if (transport["type"] === "http") testHttp(test, contract, transport);
  }
}

function testStdio(test: TestRegistry, contract: ServerContract): void {
  for (const era of eras) {
    test(`stdio answers clients of the ${era} era`, async () => {
      const { client, stderr } = await connectStdio(era, contract);
      await stderr.explain(() => expectServer(client, contract, true));
    });
  }
  test("stdio carries the protocol alone, and ends with its input", () => expectCleanEnd(contract));
}

function testHttp(test: TestRegistry, contract: ServerContract, http: JsonObject): void {
  let started: Promise<HttpProcess> | undefined;
  const server = (): Promise<HttpProcess> => (started ??= startHttp(contract));
  const urlOf = async (path = http["path"]): Promise<string> =>
    new URL(String(path), (await server()).url).href;
  for (const era of eras) {
    test(`HTTP answers clients of the ${era} era`, async () => {
      const url = await urlOf();
      const { stderr } = await server();
      const canListen = era === "modern" || http["sessions"] === "memory";
      await stderr.explain(async () =>
        expectServer(await connectHttp(url, era), contract, canListen),
      );
    });
  }
  test("HTTP answers server/discover without a handshake", async () => {
    const { status, message } = await sendRaw(modernRequest(await urlOf(), "server/discover"));
    expectEqual(status, 200, "status");
    const versions = message.result?.["supportedVersions"] as string[];
    expectThat(versions.includes("2026-07-28"), "2026-07-28 is not among the versions");
  });
  test("HTTP refuses pages of other sites", async () => {
    const headers = { origin: "http://attacker.example" };
    const { status } = await sendRaw(modernRequest(await urlOf(), "server/discover", {}, headers));
    expectEqual(status, 403, "status");
  });
  test("HTTP has a health check", async () => {
    const { status } = await fetch(await urlOf(http["health"]));
    expectEqual(status, 200, "status");
  });
}

function listSettingsOf({ pageSize, cache }: ListSettings): ListSettings {
  return { ...(pageSize !== undefined && { pageSize }), ...(cache !== undefined && { cache }) };
}

/** The time limits that items have of their own, by list and name. */
function timeoutsOf(definition: object): ServerContract["timeouts"] {
  const lists = ["tools", "resources", "resourceTemplates", "prompts"];
  return Object.fromEntries(
    lists.flatMap((list) => {
      const entries = (definition as Record<string, readonly TimedEntry[]>)[list] ?? [];
      const own = entries.flatMap(({ definition: { name }, timeoutMs }) =>
        timeoutMs === undefined ? [] : [[name, timeoutMs] as const],
      );
      return own.length === 0 ? [] : [[list, Object.fromEntries(own)] as const];
    }),
  );
}

interface TimedEntry {
  readonly definition: { readonly name: string };
  readonly timeoutMs?: number;
}

/**
 * Checks what a connected client knows of the server, and that each list has its items.
 * @param canListen Whether the server can tell the client of changes.
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
  for (const { method, key, length } of contract.lists) {
    const page: Readonly<Record<string, unknown>> = await client.request({ method });
    expectEqual((page[key] as unknown[]).length, length, `items of ${method}`);
  }
}

/** The capabilities of a server that cannot tell its client of changes. */
function withoutChanges(capabilities: JsonObject): JsonObject {
  const told = new Set(["listChanged", "subscribe"]);
  return JSON.parse(
    JSON.stringify(capabilities, (key, value: unknown) => (told.has(key) ? false : value)),
  ) as JsonObject;
}

async function expectCleanEnd(contract: ServerContract): Promise<void> {
  const child = spawn(process.execPath, ["dist/src/main.js", "--stdio"], {
    cwd: projectFolder,
    env: serverEnvironment(contract),
    stdio: "pipe",
  });
  const stderr = new ServerStderr(child.stderr);
  const closed = once(child, "close");
  // A server that has died already takes no input: its exit status and stderr say more.
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
