/** Stands in for `undici` in the bundles of workers. Nothing else imports it. */
export { Agent, buildConnector, ProxyAgent } from "./upstreams/platform-agent.js";
