import type { BackendsOfKind } from "../backends/backends.js";
import { maskingOf } from "../backends/masking.js";
import { MockModeError } from "../backends/mock-mode.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Limits } from "../engine/limits.js";
import type { ServerOptions } from "../server/create-server.js";
import { CallPlaces } from "./call-places.js";
import { SharedConnection, type RemoteCall } from "./connection.js";
import type {
  ConnectionSettings,
  ConnectServer,
  RemoteServerDefinition,
  ServerConnector,
} from "./definition.js";
import { MessageLimits } from "./message-limits.js";
import { BoundServer, type RemoteAccess, type RemoteServer } from "./remote-server.js";

/** Creates the other MCP servers that a server uses. Each is started or connected to at the first request. */
export function createServers(
  definition: Pick<ServerDefinition, "servers" | "programTransport" | "urlTransport" | "openKey">,
  options: Pick<ServerOptions, "env" | "mock" | "root" | "servers" | "log">,
  { resultLength }: Pick<Limits, "resultLength">,
): BackendsOfKind {
  const { servers = [] } = definition;
  if (options.mock) {
    return { bind: () => mocked(servers), check: async () => [], close: async () => undefined };
  }
  const masking = maskingOf(definition, options.env);
  const { openKey } = definition;
  const settings = {
    env: options.env,
    root: options.root,
    masking,
    maxBytes: resultLength,
    openKey,
  };
  let accesses: readonly RemoteAccess[] | undefined;
  const accessesOnce = (): readonly RemoteAccess[] =>
    (accesses ??= servers.map((server) => {
      const connector = connectorOf(server, definition, options.servers, settings);
      const places = new CallPlaces(server.kind === "program" ? resultLength : 0);
      const connection = new SharedConnection(connector, places);
      const messageLimits = new MessageLimits(server.name, options.log);
      return { definition: server, connection, connector, masking, messageLimits };
    }));
  return {
    bind: (call) =>
      Object.fromEntries(
        accessesOnce().map((access): [string, RemoteServer] => [
          access.definition.name,
          new BoundServer(access, call as RemoteCall),
        ]),
      ),
    check: async () => {
      accessesOnce();
      return [];
    },
    close: async () => {
      await Promise.all((accesses ?? []).map(({ connection }) => connection.close()));
    },
  };
}

/** @throws SettingError if a setting is invalid */
function connectorOf(
  server: RemoteServerDefinition,
  { programTransport, urlTransport }: Pick<ServerDefinition, "programTransport" | "urlTransport">,
  connect: ConnectServer | undefined,
  settings: ConnectionSettings,
): ServerConnector {
  if (connect !== undefined) return replacementOf(server, connect);
  const createConnector = server.kind === "program" ? programTransport : urlTransport;
  if (createConnector === undefined) {
    throw new Error(`nothing connects to the server ${server.name}`);
  }
  return createConnector(server, settings);
}

/** The connector to a test's replacement of a server. */
function replacementOf({ name }: RemoteServerDefinition, connect: ConnectServer): ServerConnector {
  return {
    open: () => ({ transport: connect(name), mode: "legacy" }),
    fallback: () => undefined,
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
