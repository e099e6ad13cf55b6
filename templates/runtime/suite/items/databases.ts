import type { McpServerFactory } from "@modelcontextprotocol/server";
import { toAuthInfo } from "../../authentication/auth-info.js";
import type { Authentication } from "../../authentication/authentication.js";
import { AnsweredError, Connection } from "../clients/connection.js";
import type { SkippingRegistry } from "../clients/probed-server.js";
import { TestDatabase, type DatabaseContract } from "../clients/test-database.js";
import type { JsonObject } from "../contract.js";
import { expectThat, testText } from "../expectation.js";
import { expectMatching, type ValueMatcher } from "../matching.js";
import { skip } from "../starter.js";

export type { DatabaseContract } from "../clients/test-database.js";

/** The contract of items whose bodies are statements for databases. */
export interface DatabasesContract {
  readonly databases: readonly DatabaseContract[];
  readonly items: readonly DatabaseItemContract[];
}

export interface DatabaseItemContract {
  readonly kind: "tools" | "resources" | "prompts";
  readonly name: string;
  /** Whether the item is on at the start. */
  readonly enabled?: boolean;
  /** Who calls; absent if that does not matter. */
  readonly caller?: Authentication;
  /** The answer of a handler until it is written; absent if there is a body. */
  readonly stub?: string;
  readonly cases: readonly DatabaseCase[];
}

/** A request of a client, and its expected result. */
export interface DatabaseCase {
  readonly name: string;
  readonly database: string;
  /** The method of the request. By default, a tool is called or a resource is read. */
  readonly method?: "completion/complete" | "resources/list";
  /** The parameters of the request, without the name of a tool. */
  readonly parameters: JsonObject;
  /** The members of the result that follow from the manifest. If absent, any result but an error is right. */
  readonly result?: JsonObject;
  /** What holds for values of the result that differ from call to call. */
  readonly matches?: readonly ValueMatcher[];
  /** Whether the values are made up. The database may have no rows for them, or refuse their types. */
  readonly isMadeUp?: boolean;
}

/** The part of `createServer` that these tests use. */
type CreateServer = (databases: Readonly<Record<string, string>>) => {
  readonly factory: McpServerFactory;
  readonly controls?: Record<DatabaseItemContract["kind"], { enable(name: string): void }>;
  close(): Promise<void>;
};

/**
 * Registers a test for each case. `testSetup` makes the database of each test. If a database is not available, its
 * tests are skipped with the reason.
 */
export async function testDatabases(
  test: SkippingRegistry,
  { databases, items }: DatabasesContract,
  createServer: CreateServer,
): Promise<void> {
  for (const contract of databases) {
    const databaseCases = items.flatMap((item) =>
      item.cases.filter(({ database }) => database === contract.name).map((one) => ({ item, one })),
    );
    const reason = await whyWithout(contract);
    for (const { item, one } of databaseCases) {
      const title = `${item.name}: ${testText(one.name)}`;
      if (reason !== undefined) {
        skip(test, title, reason);
        continue;
      }
      const run = (): Promise<JsonObject> => answerTo(contract, item, one, createServer);
      const { stub } = item;
      if (stub !== undefined && textIn(await run()) === stub) skip(test, title, stub);
      else test(title, async () => expectOutcome(await run(), one));
    }
  }
}

/** Returns the reason why a database is not available; undefined if it is. */
async function whyWithout(contract: DatabaseContract): Promise<string | undefined> {
  try {
    await (await TestDatabase.open(contract)).close();
    return undefined;
  } catch (error) {
    if ((error as Error).name === "MissingServicesError") return (error as Error).message;
    throw error;
  }
}

/** Matches the errors that made-up values may cause: there is no such row, or the column has another type. */
const ABSENT = /not found|refused the statement: (?:invalid|malformed) /i;

async function answerTo(
  contract: DatabaseContract,
  { kind, name, enabled, caller }: DatabaseItemContract,
  { method, parameters, isMadeUp }: DatabaseCase,
  createServer: CreateServer,
): Promise<JsonObject> {
  const database = await TestDatabase.open(contract);
  const server = createServer(database.places());
  if (enabled === false) server.controls?.[kind].enable(name);
  const authentication = caller && { authInfo: toAuthInfo(caller) };
  const factory: McpServerFactory = (request) => server.factory({ ...request, ...authentication });
  const connection = await Connection.open(factory, "modern");
  try {
    return kind === "tools"
      ? await connection.request("tools/call", { name, ...parameters })
      : await connection.request(method ?? "resources/read", parameters);
  } catch (error) {
    const isAbsent = error instanceof AnsweredError && ABSENT.test(error.message);
    if (isMadeUp === true && isAbsent) return {};
    throw error;
  } finally {
    await connection.close();
    await server.close();
    await database.close();
  }
}

/** Returns the text of a result's first block. */
function textIn(result: JsonObject): string {
  const [block] = (result["content"] ?? []) as { readonly text?: string }[];
  return block?.text ?? "";
}

function expectOutcome(
  result: JsonObject,
  { name, result: parts, matches, isMadeUp }: DatabaseCase,
): void {
  if (parts !== undefined) return expectMatching(result, parts, matches, name);
  const isAbsent = isMadeUp === true && ABSENT.test(textIn(result));
  expectThat(result["isError"] !== true || isAbsent, `${name}: ${textIn(result)}`);
}
