import type { JsonObject } from "../contract.js";
import { expectEqual } from "../expectation.js";
import type { HandledItem, ProbedServer } from "../clients/probed-server.js";

/** The suggestions for an argument. */
export type CompletionContract = { readonly argument: string } & (
  | {
      /** The suggestions for an empty value. */
      readonly values: readonly string[];
      readonly total: number;
    }
  /** A handler makes them. It may use the values of other arguments. */
  | { readonly given: Readonly<Record<string, string>> }
);

/** Checks the suggestions for one argument: fixed ones for an empty value, or those of a handler. */
export async function expectCompletion(
  server: ProbedServer,
  ref: JsonObject,
  item: HandledItem,
  contract: CompletionContract,
): Promise<void> {
  const { argument } = contract;
  const what = `completion of ${argument}`;
  if ("values" in contract) {
    const { values, total } = contract;
    const parameters = { ref, argument: { name: argument, value: "" } };
    const { completion } = await server.request("completion/complete", parameters);
    return expectEqual(completion, { values, total, hasMore: total > values.length }, what);
  }
  const { given } = contract;
  server.returned = ["the probe's value"];
  const { completion } = await server.request("completion/complete", {
    ref,
    argument: { name: argument, value: "typed" },
    context: { arguments: { ...given } },
  });
  const expected = { values: ["the probe's value"], total: 1, hasMore: false };
  expectEqual(completion, expected, what);
  const calls = [{ ...item, argument, input: { value: "typed", given } }];
  expectEqual(server.calls, calls, `${what}: calls of the code`);
}
