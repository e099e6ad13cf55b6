import type { DemoServer } from "./demo-server.js";

/** What is tried for one row of the list of hostile requests; it throws where the outcome is another. */
export type Probe = (server: DemoServer, folder: string) => Promise<void>;

/** Probes by the row's id. */
export type Probes = Readonly<Record<string, Probe>>;
