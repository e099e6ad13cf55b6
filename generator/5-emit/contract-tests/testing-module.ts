import type { ServerModel } from "../../model/server-model.js";
import type { FileStatements } from "../typescript-printer.js";
import { asksAnything } from "../modules/asking.js";
import { controls } from "../modules/controls.js";
import { constant, exportFrom, importOf, importTypes } from "../modules/structures.js";

const TESTING = "@mcpwright/runtime/testing";

/** `test/generated/testing.ts`: functions for tests of handlers. */
export function testingModule(model: ServerModel): FileStatements {
  const asks = asksAnything(model);
  const changes = controls(model).length > 0;
  const [make, type] = asks
    ? (["askingTestContexts", "AskingTestContexts"] as const)
    : (["testContexts", "TestContexts"] as const);
  const context = changes ? "Context & RecordedControls" : "Context";
  return [
    importOf(TESTING, [make, ...(changes ? ["type RecordedControls"] : []), `type ${type}`]),
    importTypes("../../src/generated/index.ts", ["Context"]),
    importOf("../../src/generated/server.ts", ["server"]),
    ...(model.tools.some(({ output }) => output !== undefined)
      ? [exportFrom(TESTING, ["outputOf"])]
      : []),
    constant({
      name: "createTestContext",
      type: `${type}<${context}>`,
      value: `${asks ? "await " : ""}${make}(server)`,
      docs: DOCS,
    }),
  ];
}

const DOCS =
  "A context for calling a handler in a test. " +
  "`logged` and `reported` hold the handler's log entries and progress reports.";
