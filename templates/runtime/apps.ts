/** Pages of MCP Apps that are made from the output schema of a tool. */
export { appPage } from "./apps/app-page.js";
export type { AppChart, AppColumn, AppMember, AppView } from "./apps/app-view.js";
