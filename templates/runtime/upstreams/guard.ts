// By its file, as in `agent.ts`.
import { buildConnector, type Dispatcher } from "undici/index.js";
import { hostRefusal, permittedLookup, type Lookup, type Reach } from "../egress/reach.js";

/** The options of a connector, with a client certificate and its key in PEM format. */
type GuardedOptions = buildConnector.BuildOptions & {
  readonly cert?: Buffer;
  readonly key?: Buffer;
};

/**
 * A connector that connects only to what a reach permits, and fails with a ForbiddenAddressError otherwise. The address
 * is checked for each connection after the name was resolved, and the connection uses the checked address. The client
 * certificate is for the own origin only.
 */
export function guarded(
  options: GuardedOptions,
  reach: Reach,
  lookup?: Lookup,
): buildConnector.connector {
  const { cert: _cert, key: _key, ...foreignOptions } = options;
  const connectorTo = (url: URL, own: GuardedOptions): buildConnector.connector =>
    buildConnector({ ...own, lookup: permittedLookup(url, reach, lookup) });
  const connectToOwn = connectorTo(new URL(reach.ownOrigin), options);
  return (target, callback) => {
    const url = new URL(`${target.protocol}//${target.host ?? target.hostname}`);
    // The lookup does not check literal addresses, because they are not resolved.
    const refusal = hostRefusal(url, reach);
    if (refusal !== undefined) return callback(refusal, null);
    const isOwn = url.origin === reach.ownOrigin;
    const connect = isOwn ? connectToOwn : connectorTo(url, foreignOptions);
    connect(target, callback);
  };
}

/** For requests through a proxy: refuses what a URL says itself. @throws ForbiddenAddressError */
export const withinReach =
  (reach: Reach): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    const refusal = hostRefusal(new URL(options.origin ?? ""), reach);
    if (refusal !== undefined) throw refusal;
    return dispatch(options, handler);
  };
