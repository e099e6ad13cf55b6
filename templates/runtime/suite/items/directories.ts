import type { McpServerFactory } from "@modelcontextprotocol/server";
import { AnsweredError, Connection } from "../clients/connection.js";
import type { SkippingRegistry } from "../clients/probed-server.js";
import { TestFolder } from "../clients/test-folder.js";
import type { JsonObject } from "../contract.js";
import { expectEqual, expectThat, testText } from "../expectation.js";

/** The contract of templates that are directories. */
export interface DirectoriesContract {
  readonly items: readonly DirectoryContract[];
}

export interface DirectoryContract {
  readonly name: string;
  /** Whether the item is on at the start. */
  readonly enabled?: boolean;
  /** The limit for which tests make a larger file, in bytes. */
  readonly maxBytes?: number;
  /** Whether the files are in the list of resources for all callers. */
  readonly isListed: boolean;
  readonly files: readonly DirectoryFileContract[];
}

/** A URI, and its expected content. */
export interface DirectoryFileContract {
  readonly path: string;
  readonly uri: string;
  /** Absent if clients must not read a file there. */
  readonly contents?: JsonObject;
}

/** The part of `createServer` that these tests use. */
type CreateServer = (directories: string) => {
  readonly factory: McpServerFactory;
  readonly controls?: { readonly resources: { enable(name: string): void } };
  close(): Promise<void>;
};

/** Registers a test for each file, and for each list. A folder of the tests replaces all directories. */
export async function testDirectories(
  test: SkippingRegistry,
  { items }: DirectoriesContract,
  createServer: CreateServer,
): Promise<void> {
  const folder = await TestFolder.open(items.flatMap(({ maxBytes }) => maxBytes ?? []));
  const server = createServer(folder.path);
  for (const { name, enabled } of items) {
    if (enabled === false) server.controls?.resources.enable(name);
  }
  const connection = await Connection.open(server.factory, "modern");
  test.after(async () => {
    await connection.close();
    await server.close();
    await folder.close();
  });
  for (const { name, isListed, files } of items) {
    for (const file of files) {
      const title = `${name}: ${testText(file.path)}`;
      test(title, async () => {
        const read = await contentsAt(file.uri, connection);
        expectEqual(read, file.contents && { uri: file.uri, ...file.contents }, title);
      });
    }
    if (isListed) test(`${name}: its list`, () => expectList(files, connection));
  }
}

/** Reads a URI. Returns undefined if there is no resource. */
async function contentsAt(uri: string, connection: Connection): Promise<unknown> {
  try {
    const { contents } = await connection.request("resources/read", { uri });
    return (contents as readonly unknown[])[0];
  } catch (error) {
    if (error instanceof AnsweredError && error.message.endsWith("not found")) return undefined;
    throw error;
  }
}

/** Checks that the list has exactly the files that can be read. */
async function expectList(
  files: readonly DirectoryFileContract[],
  connection: Connection,
): Promise<void> {
  const listed = new Set<unknown>();
  let cursor: unknown;
  do {
    const parameters = cursor === undefined ? {} : { cursor };
    const page = await connection.request("resources/list", parameters as JsonObject);
    for (const { uri } of page["resources"] as readonly JsonObject[]) listed.add(uri);
    cursor = page["nextCursor"];
  } while (cursor !== undefined);
  for (const { uri, contents } of files) {
    const isThere = contents !== undefined;
    expectThat(listed.has(uri) === isThere, `${uri} must ${isThere ? "" : "not "}be listed`);
  }
}
