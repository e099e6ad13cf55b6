import { expectEqual } from "../expectation.js";
import type { TestRegistry } from "../clients/probed-server.js";

/** The part of a server that this test uses. */
type CreateServer = () => {
  importItems(): Promise<void>;
  readonly brokenItems: ReadonlySet<string>;
  close(): Promise<void>;
};

/** Registers the test of the modules that items import at their first use. */
export function testImports(test: TestRegistry, createServer: CreateServer): void {
  test("the code and the validators of every item can be imported", async () => {
    const server = createServer();
    await server.importItems();
    await server.close();
    expectEqual([...server.brokenItems], [], "items that cannot be used");
  });
}
