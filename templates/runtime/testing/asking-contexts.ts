import {
  askingTestContext,
  type AskedContext,
  type TestAnswers,
  type TestClient,
} from "../asking/test-answers.js";
import { importItems } from "../engine/import-items.js";
import type { Server } from "../server/define-server.js";
import type { RecordedMembers } from "./test-context.js";
import { testContexts, type TestContextParts, type TestedContext } from "./test-contexts.js";

/** As `TestContexts`, for a server with handlers that ask their client. */
export interface AskingTestContexts<Context extends TestedContext> {
  (parts?: TestContextParts<Context>): Context & RecordedMembers;
  /** A context for a handler that asks its client. Questions get the `answers`; `asked` holds them. */
  <Asking extends object>(
    handler: (input: never, context: Asking) => unknown,
    parts?: TestContextParts<Context> &
      Omit<TestClient, "answers"> & { readonly answers?: TestAnswers<Asking> },
  ): Context & RecordedMembers & Asking & AskedContext;
}

/**
 * As `testContexts`, for a server with handlers that ask their client. The questions of a handler are found by comparing
 * it with all others, so all are imported first.
 */
export async function askingTestContexts<Context extends TestedContext>(
  server: Pick<Server, "definition">,
): Promise<AskingTestContexts<Context>> {
  const { lateParts: _, ...definition } = server.definition;
  await importItems(definition, (item, error) => {
    throw new Error(`${item} cannot be used`, { cause: error });
  });
  const createTestContext = testContexts<Context>(server);
  const create = (
    first?: TestContextParts<Context> | ((input: never, context: never) => unknown),
    second: TestContextParts<Context> & TestClient = {} as TestContextParts<Context>,
  ): object => {
    if (typeof first !== "function") return createTestContext(first);
    const { answers, can, ...parts } = second;
    const context = createTestContext(parts as TestContextParts<Context>);
    return askingTestContext(context, definition, first, { answers, ...(can && { can }) });
  };
  return create as AskingTestContexts<Context>;
}
