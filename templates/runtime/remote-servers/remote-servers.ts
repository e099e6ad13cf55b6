import type { BackendsOfKind } from "../backends/backends.js";
import { maskingOf } from "../backends/masking.js";
import { MockModeError } from "../backends/mock-mode.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Limits } from "../engine/limits.js";
import type { ServerOptions } from "../server/create-server.js";
import { KeptConnection, type RemoteCall } from "./connection.js";
import type {
  ConnectServer,
  RemoteServerDefinition,
  ServerReach,
  Surroundings,
} from "./definition.js";
import { BoundServer, type RemoteAccess, type RemoteServer } from "./remote-server.js";

/** Makes the other MCP servers that a server asks. None is started, or connected to, before it is asked. */
export function createServers(
  definition: Pick<ServerDefinition, "servers" | "programTransport" | "urlTransport">,
  options: Pick<ServerOptions, "env" | "mock" | "root" | "servers">,
  { resultLength }: Pick<Limits, "resultLength">,
): BackendsOfKind {
  const { servers = [] } = definition;
  if (options.mock) {
    return { bind: () => mocked(servers), check: async () => [], close: async () => undefined };
  }
  const masking = maskingOf(definition, options.env);
  const surroundings = { env: options.env, root: options.root, masking, maxBytes: resultLength };
  let made: readonly RemoteAccess[] | undefined;
  const accesses = (): readonly RemoteAccess[] =>
    (made ??= servers.map((server) => {
      const reach = reachOf(server, definition, options.servers, surroundings);
      const connection = new KeptConnection(reach);
      return { definition: server, connection, explain: reach.explain.bind(reach), masking };
    }));
  return {
    bind: (call) =>
      Object.fromEntries(
        accesses().map((access): [string, RemoteServer] => [
          access.definition.name,
          new BoundServer(access, call as RemoteCall),
        ]),
      ),
    check: async () => {
      accesses();
      return [];
    },
    close: async () => {
      await Promise.all((made ?? []).map(({ connection }) => connection.close()));
    },
  };
}

/** @throws SettingError where a setting will not do */
function reachOf(
  server: RemoteServerDefinition,
  { programTransport, urlTransport }: Pick<ServerDefinition, "programTransport" | "urlTransport">,
  connect: ConnectServer | undefined,
  surroundings: Surroundings,
): ServerReach {
  if (connect !== undefined) return playedByTest(server, connect);
  const reach = server.kind === "program" ? programTransport : urlTransport;
  if (reach === undefined) throw new Error(`nothing connects to the server ${server.name}`);
  return reach(server, surroundings);
}

/** What stands in for a server in tests. */
function playedByTest({ name }: RemoteServerDefinition, connect: ConnectServer): ServerReach {
  return {
    open: () => ({ transport: connect(name), mode: "legacy" }),
    otherwise: () => undefined,
    explain: () => undefined,
    close: async () => undefined,
  };
}

function mocked(servers: readonly RemoteServerDefinition[]): object {
  return Object.fromEntries(
    servers.map(({ name }): [string, RemoteServer] => {
      const refuse = async (): Promise<never> => {
        throw new MockModeError(`The upstream ${name} is not asked`);
      };
      return [name, { callTool: refuse, getPrompt: refuse, readResource: refuse }];
    }),
  );
}
