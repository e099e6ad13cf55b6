import type { ServerContract } from "../contract.js";
import { expectEqual, expectThat } from "../expectation.js";
import type { TestRegistry } from "../clients/probed-server.js";

/** The parts of a test context that every project has. */
interface ContextParts {
  readonly signal: AbortSignal;
  readonly era: "legacy";
  readonly auth: { readonly principal: string; readonly scopes: readonly string[] };
}

/** Registers the test of `createTestContext`, which the tests of handlers rely on. */
export function testContext(
  test: TestRegistry,
  { env }: ServerContract,
  createTestContext: (parts?: ContextParts) => object,
): void {
  test("a test context has what it is given, and an environment that handlers can work with", async () => {
    const { signal } = new AbortController();
    const auth = { principal: "ada", scopes: ["read"] };
    const given = createTestContext({ signal, era: "legacy", auth }) as ContextParts;
    expectThat(given.signal === signal, "expected the signal that was given");
    expectEqual([given.era, given.auth], ["legacy", auth], "era and caller");
    const { env: values } = createTestContext() as { env: Readonly<Record<string, unknown>> };
    const filled = env.filter((variable) => variable["required"] === true || "default" in variable);
    const missing = filled.filter(({ name }) => values[String(name)] === undefined);
    expectEqual(
      missing.map(({ name }) => name),
      [],
      "variables without a value",
    );
  });
}
