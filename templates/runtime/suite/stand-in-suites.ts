import type { SkippingRegistry } from "./clients/probed-server.js";
import type { BodiesContract } from "./items/bodies.js";
import type { DatabasesContract } from "./items/databases.js";
import type { DirectoriesContract } from "./items/directories.js";
import type { ProgramsContract } from "./items/programs.js";
import type { RemoteServersContract } from "./items/remote-servers.js";

/** The contracts of items that tests call with stand-ins for what these ask, by the names of their files. */
export interface StandInContracts {
  readonly bodies: BodiesContract;
  readonly databases: DatabasesContract;
  readonly programs: ProgramsContract;
  readonly directories: DirectoriesContract;
  readonly "remote-servers": RemoteServersContract;
}

/** Tests of items that ask something, of which only some projects have any. */
interface StandInSuite<Contract> {
  /** The option of `createServer` that takes the stand-in. */
  readonly option: "upstreams" | "databases" | "programs" | "directories" | "servers";
  /** Imports the function that registers the tests. It makes each server with its stand-in. */
  load(): Promise<
    (test: SkippingRegistry, contract: Contract, createServer: never) => Promise<void>
  >;
}

/** The suites, in the order of their tests. */
export const STAND_IN_SUITES: {
  readonly [Name in keyof StandInContracts]: StandInSuite<StandInContracts[Name]>;
} = {
  bodies: {
    option: "upstreams",
    load: async () => (await import("./items/bodies.js")).testBodies,
  },
  databases: {
    option: "databases",
    load: async () => (await import("./items/databases.js")).testDatabases,
  },
  programs: {
    option: "programs",
    load: async () => (await import("./items/programs.js")).testPrograms,
  },
  directories: {
    option: "directories",
    load: async () => (await import("./items/directories.js")).testDirectories,
  },
  "remote-servers": {
    option: "servers",
    load: async () => (await import("./items/remote-servers.js")).testRemoteServers,
  },
};

export const STAND_IN_CONTRACTS = Object.keys(
  STAND_IN_SUITES,
) as readonly (keyof StandInContracts)[];
