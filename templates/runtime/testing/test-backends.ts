import {
  type BackendsOfKind,
  type CreateBackends,
  lateDirectories,
  latePrograms,
} from "../backends/backends.js";
import { isKnownByToken, type Authentication } from "../authentication/authentication.js";
import { noteCallerToken } from "../authentication/caller-tokens.js";
import type { Directories } from "../directories/directories.js";
import type { ServerDefinition } from "../engine/definition.js";
import { defaultLimits } from "../engine/limits.js";
import { loggerOf } from "../observe/log.js";
import type { Programs, StandIn } from "../programs/programs.js";
import type { ConnectServer } from "../remote-servers/definition.js";
import type { ServerOptions } from "../server/create-server.js";
import { MissingServicesError, missingMembers } from "./missing-services.js";

/** What stands in for the services, programs and folders that a handler uses in its test. */
export interface StandIns {
  /**
   * The origin of a server of the test, which replaces those of all upstreams, and of the authorization servers that
   * give tokens for them. An upstream that is asked in the name of the caller needs `auth` as well.
   */
  readonly upstreams?: string;
  /** Connects to the stand-in for the MCP server with a name. */
  readonly servers?: ConnectServer;
  /** URLs or file paths of databases of the test, by the names of databases. */
  readonly databases?: Readonly<Record<string, string>>;
  /** The program that runs instead of every program. */
  readonly programs?: StandIn;
  /** The folder that is read instead of every directory. */
  readonly directories?: string;
}

/** Tests are not hurried. */
const LIMITS = { ...defaultLimits, timeoutMs: 0, resultLength: Infinity };

/** The token with which the caller of a test has come. */
const CALLER_TOKEN = "a-token-of-a-caller";

const SILENT = loggerOf(() => () => undefined);

/**
 * The members of a test's context that handlers ask, such as `ctx.upstreams`. A handler that uses one for which there is
 * no stand-in fails with a `MissingServicesError`.
 *
 * @param caller in whose name they are asked
 */
export function testBackends(
  definition: ServerDefinition,
  env: unknown,
  standIns: StandIns,
  signal: AbortSignal,
  caller: Authentication | undefined,
): object {
  const { upstreams, servers, databases, programs, directories } = standIns;
  const call = { signal, log: SILENT, progress: async () => undefined };
  const bound = (create: CreateBackends, options: Partial<ServerOptions>): object => {
    const backends = backendsOf(create, options);
    if (caller !== undefined && isKnownByToken(caller)) noteCallerToken(caller, CALLER_TOKEN);
    return backends.bind(call, signal, undefined, caller?.principal, caller);
  };
  const backendsOf = (create: CreateBackends, options: Partial<ServerOptions>): BackendsOfKind =>
    create(definition, { env, root: ".", ...options }, LIMITS);
  const { createUpstreams, createServers, createDatabases } = definition;
  return {
    ...(createUpstreams !== undefined && {
      upstreams:
        upstreams === undefined
          ? missingMembers(missingUpstream)
          : bound(createUpstreams, { upstreams: { origin: upstreams } }),
    }),
    ...(createServers !== undefined && {
      servers:
        servers === undefined ? missingMembers(missingServer) : bound(createServers, { servers }),
    }),
    ...(createDatabases !== undefined && {
      databases:
        databases === undefined
          ? missingMembers(missingDatabase)
          : bound(createDatabases, { databases }),
    }),
    programs: programs === undefined ? MISSING_PROGRAMS : bound(latePrograms, { programs }),
    directories:
      directories === undefined ? MISSING_DIRECTORIES : bound(lateDirectories, { directories }),
  };
}

const missingUpstream = (): Error =>
  new MissingServicesError(
    "needs an upstream: pass its origin, createTestContext({ upstreams: origin })",
  );

const missingServer = (name: string): Error =>
  new MissingServicesError(
    `asks the MCP server ${name}: pass what stands in for it, createTestContext({ servers })`,
  );

const missingDatabase = (name: string): Error =>
  new MissingServicesError(
    `needs a database: pass its place, createTestContext({ databases: { ${name} } })`,
  );

const MISSING_PROGRAMS: Programs = {
  run: async ([program]) => {
    throw new MissingServicesError(
      `runs ${program}: pass what stands in for it, createTestContext({ programs })`,
    );
  },
};

const MISSING_DIRECTORIES: Directories = {
  open: (root = "a directory") => {
    throw new MissingServicesError(
      `reads ${root}: pass the folder to read instead, createTestContext({ directories })`,
    );
  },
};
