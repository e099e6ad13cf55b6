import type { ServerContract } from "../contract.js";
import { expectEqual, expectThat } from "../expectation.js";
import type { TestRegistry } from "../clients/probed-server.js";

/** The members of a test context that every project has. */
interface ContextParts {
  readonly signal: AbortSignal;
  readonly era: "legacy";
}

/**
 * Registers the test of `createTestContext`, which the tests of handlers rely on.
 * @param members The other members of a context in this project.
 */
export function testContext(
  test: TestRegistry,
  { env }: Pick<ServerContract, "env">,
  createTestContext: (parts?: ContextParts) => object,
  members: object = {},
): void {
  test("a test context has the passed members, and an environment that handlers can use", async () => {
    const { signal } = new AbortController();
    const parts = { ...members, signal, era: "legacy" } as const;
    const context = createTestContext(parts) as Readonly<Record<string, unknown>>;
    expectThat(context["signal"] === signal, "expected the signal that was given");
    for (const [name, value] of Object.entries({ ...members, era: "legacy" })) {
      expectEqual(context[name], value, name);
    }
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
