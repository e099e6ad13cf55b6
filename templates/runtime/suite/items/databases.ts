import type { McpServerFactory } from "@modelcontextprotocol/server";
import { Connection } from "../clients/connection.js";
import type { SkippingRegistry } from "../clients/probed-server.js";
import { TestDatabase, type DatabaseContract } from "../clients/test-database.js";
import type { JsonObject } from "../contract.js";
import { expectThat, testText } from "../expectation.js";
import { skip } from "../starter.js";
import { expectParts } from "./tools.js";

export type { DatabaseContract } from "../clients/test-database.js";

declare module "../contract.js" {
  interface Contracts {
    readonly databases: DatabasesContract;
  }
}

/** What the manifest says of tools that ask databases. */
export interface DatabasesContract {
  readonly databases: readonly DatabaseContract[];
  readonly items: readonly DatabaseToolContract[];
}

export interface DatabaseToolContract {
  readonly tool: string;
  /** Whether it is there from the start. */
  readonly enabled?: boolean;
  /** What a handler answers until it is written; absent where there is a body. */
  readonly stub?: string;
  readonly cases: readonly DatabaseCase[];
}

/** A call, and what comes of it. */
export interface DatabaseCase {
  readonly name: string;
  readonly database: string;
  readonly arguments: JsonObject;
  /** The parts of the result that are known; without it, the call must be no error. */
  readonly result?: JsonObject;
}

/** The part of `createServer` that these tests use. */
type CreateServer = (databases: Readonly<Record<string, string>>) => {
  readonly factory: McpServerFactory;
  readonly controls?: { readonly tools: { enable(name: string): void } };
  close(): Promise<void>;
};

/**
 * Registers a test for each case, which has the database as `testSetup` makes it. Where one cannot be had, its
 * tests are skipped with the reason.
 */
export async function testDatabases(
  test: SkippingRegistry,
  { databases, items }: DatabasesContract,
  createServer: CreateServer,
): Promise<void> {
  for (const contract of databases) {
    const cases = items.flatMap(({ cases: all, ...item }) =>
      all.filter(({ database }) => database === contract.name).map((one) => ({ ...item, one })),
    );
    const reason = await whyWithout(contract);
    for (const { tool, stub, enabled, one } of cases) {
      const title = `${tool}: ${testText(one.name)}`;
      if (reason !== undefined) {
        skip(test, title, reason);
        continue;
      }
      const run = (): Promise<JsonObject> =>
        answerTo(contract, { tool, enabled, one }, createServer);
      if (stub !== undefined && textIn(await run()) === stub) skip(test, title, stub);
      else test(title, async () => expectOutcome(await run(), one));
    }
  }
}

/** Why tests cannot have a database; undefined where they can. */
async function whyWithout(contract: DatabaseContract): Promise<string | undefined> {
  try {
    await (await TestDatabase.open(contract)).close();
    return undefined;
  } catch (error) {
    if ((error as Error).name === "MissingServicesError") return (error as Error).message;
    throw error;
  }
}

/** A call, and the tool that it calls. */
interface ToolCase {
  readonly tool: string;
  readonly enabled: boolean | undefined;
  readonly one: DatabaseCase;
}

async function answerTo(
  contract: DatabaseContract,
  { tool, enabled, one }: ToolCase,
  createServer: CreateServer,
): Promise<JsonObject> {
  const database = await TestDatabase.open(contract);
  const server = createServer(database.places());
  if (enabled === false) server.controls?.tools.enable(tool);
  const connection = await Connection.open(server.factory, "modern");
  try {
    return await connection.request("tools/call", { name: tool, arguments: one.arguments });
  } finally {
    await connection.close();
    await server.close();
    await database.close();
  }
}

/** The text of a result's first block. */
function textIn(result: JsonObject): string {
  const [block] = result["content"] as { readonly text?: string }[];
  return block?.text ?? "";
}

function expectOutcome(result: JsonObject, { name, result: parts }: DatabaseCase): void {
  if (parts !== undefined) return expectParts(result, parts, name);
  expectThat(result["isError"] !== true, `${name}: ${textIn(result)}`);
}
