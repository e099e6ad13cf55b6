/** What the tests of a project need: the tests of its contract, contexts for handlers, and stand-ins for services. */
export type { RecordedControls } from "./changes/test-controls.js";
export { Connection } from "./suite/clients/connection.js";
export { LocalUpstream } from "./suite/clients/local-upstream.js";
export { StandIn } from "./suite/clients/stand-in.js";
export { StandInServer } from "./suite/clients/stand-in-server.js";
export { TestDatabase } from "./suite/clients/test-database.js";
export { TestFolder } from "./suite/clients/test-folder.js";
export { readContract, testedProject, type ServerContract } from "./suite/contract.js";
export { testOnceWritten } from "./suite/starter.js";
export { testServer } from "./suite/test-server.js";
export { testCustom } from "./suite/transports/custom.js";
export { outputOf } from "./testing/output-of.js";
export { askingTestContexts, type AskingTestContexts } from "./testing/asking-contexts.js";
export { testContexts, type TestContextParts, type TestContexts } from "./testing/test-contexts.js";
