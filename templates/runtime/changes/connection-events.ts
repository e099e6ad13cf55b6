import type { McpServer, ServerEvent } from "@modelcontextprotocol/server";
import type { Era } from "../context/context.js";
import type { Engine } from "../engine/engine.js";
import type { FollowChanges } from "../engine/parts.js";
import { invalidParams, ProtocolError } from "../engine/errors.js";
import { echo, textParameter } from "../engine/request-parameters.js";
import { anyParameters } from "../server/server.js";
import type { ServerEvents } from "./server-events.js";

/** The resources that the client of one connection watches, on the older eras. */
export interface WatchedResources {
  /** @throws ProtocolError -32602 where there is nothing to watch, -32603 where too much is watched */
  add(uri: string): void;
  delete(uri: string): void;
}

/**
 * Tells the clients of lasting connections (stdio, sessions) what changes. Those of the older eras
 * hear of every list and of the resources that they watch; to those of the newest, the SDK passes on
 * what each listens for.
 */
export class ConnectionEvents {
  readonly #engine: Engine;
  readonly #events: ServerEvents;
  readonly #most: number;
  /** URIs that are watched on the older eras, all connections together. */
  #count = 0;

  /** @param most Most URIs that clients of the older eras may watch, all together. */
  constructor(engine: Engine, events: ServerEvents, most: number) {
    this.#engine = engine;
    this.#events = events;
    this.#most = most;
  }

  /** Follows the connection that a server was made for, from its handshake to its end. */
  attach(mcp: McpServer, era: Era): WatchedResources {
    const watched = new Set<string>();
    let unsubscribe: (() => void) | undefined;
    const follow = (): void => {
      unsubscribe ??= this.#events.subscribe((event) => {
        const isWanted = event.kind !== "resource_updated" || watched.has(event.uri);
        // A client that has gone away must not fail whoever tells of a change.
        if (era === "modern" || isWanted) send(mcp, event).catch(() => undefined);
      });
    };
    if (era === "modern") follow();
    else mcp.server.oninitialized = follow;
    mcp.server.onclose = () => {
      unsubscribe?.();
      this.#count -= watched.size;
      watched.clear();
    };
    return {
      add: (uri) => this.#add(watched, uri),
      delete: (uri) => {
        if (watched.delete(uri)) this.#count -= 1;
      },
    };
  }

  #add(watched: Set<string>, uri: string): void {
    if (!this.#isWatchable(uri)) {
      throw invalidParams(`Resource ${echo(uri)} cannot be subscribed to`, { uri });
    }
    if (watched.has(uri)) return;
    if (this.#count >= this.#most) {
      throw new ProtocolError(-32603, "Subscription limit reached");
    }
    watched.add(uri);
    this.#count += 1;
  }

  #isWatchable(uri: string): boolean {
    const found = this.#engine.methods.get("resources/read")?.itemOf?.({ uri });
    return (found as { readonly subscribe?: boolean } | undefined)?.subscribe === true;
  }
}

/** Makes what tells the clients of lasting connections of changes. @param most Most URIs that they may watch, all together. */
export function followerOf(engine: Engine, events: ServerEvents, most: number): FollowChanges {
  const connections = new ConnectionEvents(engine, events, most);
  return (mcp, era, capabilities) => {
    const watched = connections.attach(mcp, era);
    if (capabilities.resources?.subscribe === true) answerWatching(mcp, watched);
  };
}

/** `resources/subscribe` and its counterpart, which only the older eras have. */
function answerWatching({ server }: McpServer, watched: WatchedResources): void {
  server.setRequestHandler("resources/subscribe", { params: anyParameters }, (parameters) => {
    watched.add(textParameter(parameters, "uri"));
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", { params: anyParameters }, (parameters) => {
    watched.delete(textParameter(parameters, "uri"));
    return {};
  });
}

function send({ server }: McpServer, event: ServerEvent): Promise<void> {
  switch (event.kind) {
    case "tools_list_changed":
      return server.sendToolListChanged();
    case "prompts_list_changed":
      return server.sendPromptListChanged();
    case "resources_list_changed":
      return server.sendResourceListChanged();
    case "resource_updated":
      return server.sendResourceUpdated({ uri: event.uri });
  }
}
