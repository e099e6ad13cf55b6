import type { AuthInfo, McpServer, ServerEvent } from "@modelcontextprotocol/server";
import type { Engine } from "../engine/engine.js";
import type { Caller } from "../context/context.js";
import { invalidParams, ProtocolError } from "../engine/errors.js";
import { printableExcerpt, textParameter } from "../engine/request-parameters.js";
import { largestShare, sharesOf } from "../connections/fair-shares.js";
import { anyParameters } from "../server/server.js";
import type { Refusals } from "../observe/refusals.js";
import type { ServerRequest } from "../server/requests.js";
import { hiddenFrom } from "./listen-requests.js";
import type { ServerEvents } from "./server-events.js";

/** The resources that the client of one connection watches, on the older eras. */
export interface LegacySubscriptions {
  /** @throws ProtocolError -32602 if the caller cannot watch the URI, -32603 if the limit is reached */
  add(uri: string, caller: Partial<Caller>): void;
  delete(uri: string): void;
}

/** A client of the older eras, with the URIs of the resources that it watches. */
interface Watcher {
  readonly holder: string;
  readonly uris: Set<string>;
  /** Ends its connection. */
  readonly end: () => void;
}

/** The number of URIs that these clients watch, all together. */
function countOf(watchers: Iterable<Watcher>): number {
  let count = 0;
  for (const { uris } of watchers) count += uris.size;
  return count;
}

/**
 * Notifies the clients of lasting connections (stdio, sessions) of changes. A client of the older eras is
 * notified of changes of every list and of the resources that it watches. For clients of the newest era the
 * SDK filters the notifications.
 */
class ConnectionEvents {
  readonly #engine: Engine;
  readonly #events: ServerEvents;
  readonly #most: number;
  readonly #refusals: Pick<Refusals, "exceed">;
  /** The clients of the older eras that watch resources. */
  readonly #watchers = new Set<Watcher>();

  /** @param most The limit of the URIs that all clients of the older eras together may watch. */
  constructor(
    engine: Engine,
    events: ServerEvents,
    most: number,
    refusals: Pick<Refusals, "exceed">,
  ) {
    this.#refusals = refusals;
    this.#engine = engine;
    this.#events = events;
    this.#most = most;
  }

  /**
   * Notifies the client of a connection of changes, from the handshake to the connection's end.
   * @param caller The caller who opened the connection.
   */
  attach(
    mcp: McpServer,
    { era, holder = "", watched = () => [] }: ServerRequest,
    caller: Partial<Caller>,
  ): LegacySubscriptions {
    const watcher: Watcher = { holder, uris: new Set(), end: () => void mcp.close() };
    let unsubscribe: (() => void) | undefined;
    const listening = {
      principal: caller.authentication?.principal,
      watched: era === "modern" ? watched : () => watcher.uris,
      ...(era === "modern" && hiddenFrom(this.#engine, caller)),
    };
    const follow = (): void => {
      unsubscribe ??= this.#events.subscribe((event) => {
        const isWanted = event.kind !== "resource_updated" || watcher.uris.has(event.uri);
        // Code that reports a change must not fail because a client has disconnected.
        if (era === "modern" || isWanted) send(mcp, event).catch(() => undefined);
      }, listening);
    };
    if (era === "modern") follow();
    else mcp.server.oninitialized = follow;
    mcp.server.onclose = () => {
      unsubscribe?.();
      this.#watchers.delete(watcher);
    };
    return {
      add: (uri, caller) => this.#add(watcher, uri, caller),
      delete: (uri) => void watcher.uris.delete(uri),
    };
  }

  #add(watcher: Watcher, uri: string, caller: Partial<Caller>): void {
    if (!this.#isWatchable(uri, caller)) {
      throw invalidParams(`Resource ${printableExcerpt(uri)} cannot be subscribed to`, { uri });
    }
    if (watcher.uris.has(uri)) return;
    if (countOf(this.#watchers) >= this.#most && !this.#makeRoom(watcher.holder)) {
      const principal = caller.authentication?.principal;
      const sender = { address: watcher.holder, principal };
      const limit = this.#refusals.exceed({ limit: "subscriptions", ...sender });
      throw new ProtocolError(-32603, `Subscription limit reached (${limit})`);
    }
    this.#watchers.add(watcher);
    watcher.uris.add(uri);
  }

  /**
   * Finds the holder who watches the most URIs and ends that holder's connection with the most URIs. Returns
   * false and ends none if that holder need not yield to `holder`, who asks for one more URI.
   */
  #makeRoom(holder: string): boolean {
    const { share = [], mustYield } = largestShare(sharesOf(this.#watchers), holder, countOf);
    if (!mustYield) return false;
    const [largest] = share.sort((one, other) => other.uris.size - one.uris.size);
    if (largest === undefined) return false;
    this.#watchers.delete(largest);
    largest.end();
    return true;
  }

  #isWatchable(uri: string, caller: Partial<Caller>): boolean {
    const found = this.#engine.methods.get("resources/read")?.itemOf?.({ uri }, caller);
    return (found as { readonly subscribe?: boolean } | undefined)?.subscribe === true;
  }
}

/**
 * Makes the function that notifies the clients of lasting connections.
 * @param most The limit of the URIs that all clients together may watch.
 */
export function clientNotifier(
  engine: Engine,
  events: ServerEvents,
  most: number,
  refusals: Pick<Refusals, "exceed">,
): (mcp: McpServer, client: ServerRequest) => void {
  const { senderOf } = engine.definition;
  const connections = new ConnectionEvents(engine, events, most, refusals);
  return (mcp, client) => {
    const callerOf = (info = client.authInfo): Partial<Caller> => (info && senderOf?.(info)) ?? {};
    const watched = connections.attach(mcp, client, callerOf());
    if (engine.capabilities.resources?.subscribe === true) answerWatching(mcp, watched, callerOf);
  };
}

/** Answers `resources/subscribe` and `resources/unsubscribe`, which only the older eras have. */
function answerWatching(
  { server }: McpServer,
  watched: LegacySubscriptions,
  callerOf: (info: AuthInfo | undefined) => Partial<Caller>,
): void {
  server.setRequestHandler("resources/subscribe", { params: anyParameters }, (parameters, ctx) => {
    watched.add(textParameter(parameters, "uri"), callerOf(ctx.http?.authInfo));
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
