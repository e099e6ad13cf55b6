import type {
  McpServer,
  ServerCapabilities,
  ServerEventBus,
  Transport,
} from "@modelcontextprotocol/server";
import type { ItemStatesByKind, Method } from "../engine/feature.js";
import type { FetchServer, ServerRequest } from "./requests.js";

declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Makes the state that handlers and services may change while the server runs. */
    readonly createLiveState?: (definition: ServerDefinition) => LiveState;
  }
}

/** The state that changes while a server runs: which items are switched on, and the notifications of changes. */
export interface LiveState extends ItemStatesByKind {
  readonly notify: object;
  readonly events: ServerEventBus;
  /** Wraps `fetch` so that subscriptions that the SDK makes for a request belong to its caller. */
  answering(fetch: FetchServer): FetchServer;
  /**
   * Records which resources the client of a transport watches. @param most Most subscriptions.
   * @returns a function that returns the URIs
   */
  watchedThrough(transport: Transport, most: number): () => readonly string[];
  /**
   * Makes the function that notifies the clients of lasting connections. @param most Most URIs that they may
   * watch together.
   */
  follower(methods: ReadonlyMap<string, Method>, most: number): FollowChanges;
}

/** Notifies the client of a server of changes, from its handshake until it disconnects. */
export type FollowChanges = (
  mcp: McpServer,
  client: ServerRequest,
  capabilities: ServerCapabilities,
) => void;
