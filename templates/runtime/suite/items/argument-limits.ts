import type { JsonObject, ToolsContract } from "../contract.js";
import { expectEqual, expectThat, shown } from "../expectation.js";
import { ProbedServer, type CreateServer, type TestRegistry } from "../clients/probed-server.js";
/** The end of the answer to arguments that exceed the manifest's `limits`. */
const BEYOND_LIMITS =
  /: they (?:hold more than \d+ elements|are nested deeper than \d+ levels) \(limits\.\w+: \d+\)$/;

/** Registers the tests of arguments that exceed the manifest's `limits`. */
export function testArgumentLimits(
  test: TestRegistry,
  { tools }: ToolsContract,
  createServer: CreateServer,
): void {
  const server = new ProbedServer(createServer);
  test.after(() => server.close());
  for (const tool of tools) {
    const { name, tooMuch = [] } = tool;
    if (tooMuch.length === 0) continue;
    test(`${name} refuses arguments beyond the server's limits`, async () => {
      server.enable("tools", [tool]);
      for (const values of tooMuch) await expectTooMuch(name, values, server);
    });
  }
}

async function expectTooMuch(
  name: string,
  values: JsonObject,
  server: ProbedServer,
): Promise<void> {
  const what = `arguments ${shown(values)}`;
  const answer = await server.request("tools/call", { name, arguments: values }).then(
    (result) => `answered ${shown(result)}`,
    (error: Error) => error.message,
  );
  expectEqual(server.calls, [], `${what}: calls that reached the handler`);
  expectThat(BEYOND_LIMITS.test(answer), `${what}: ${answer}`);
}
