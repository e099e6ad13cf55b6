import type { Authentication } from "../authentication/authentication.js";
import type { RunningServer } from "../server/create-server.js";

/** Time between two checks for expired credentials, in milliseconds: the system's clock may be changed. */
const checkingMs = 30_000;

/**
 * Time between two checks of whether credentials are still valid, in milliseconds: tokens are revoked, keys
 * removed.
 */
const askingAgainMs = 60_000;

/** A stream, a socket or a session: it goes on after the request that opened it. */
export interface AuthorizedStream {
  /** The scopes that it needs. */
  readonly scopes: Iterable<string>;
  end(): void;
}

const streams = new WeakMap<RunningServer, AuthorizedStreams>();

/** The streams that all endpoints of a server have open. */
export function authorizedStreamsOf(server: RunningServer): AuthorizedStreams {
  const ofServer = streams.get(server) ?? new AuthorizedStreams();
  streams.set(server, ofServer);
  return ofServer;
}

/** Ends streams that their callers may not have any more. */
export class AuthorizedStreams {
  readonly #byPrincipal = new Map<string, Set<AuthorizedStream>>();

  /** Watches a stream from now on. @returns a function to call when it has ended */
  add({ principal }: Authentication, stream: AuthorizedStream): () => void {
    const ofPrincipal = this.#byPrincipal.get(principal) ?? new Set();
    this.#byPrincipal.set(principal, ofPrincipal.add(stream));
    return () => {
      ofPrincipal.delete(stream);
      if (ofPrincipal.size === 0) this.#byPrincipal.delete(principal);
    };
  }

  /** Ends the streams of a caller that need scopes which its latest credentials lack. */
  narrow({ principal, scopes }: Authentication): void {
    for (const stream of this.#byPrincipal.get(principal) ?? []) {
      for (const scope of stream.scopes) {
        if (scopes.includes(scope)) continue;
        stream.end();
        break;
      }
    }
  }
}

/** Calls back when credentials expire. @returns a function that cancels this */
export function whenExpired({ expiresAt }: Authentication, callback: () => void): () => void {
  if (expiresAt === undefined) return () => undefined;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = expiresAt * 1_000 - Date.now();
    if (left <= 0) return callback();
    timer = setTimeout(wait, Math.min(left, checkingMs)).unref();
  };
  timer = setTimeout(wait, 0).unref();
  return () => clearTimeout(timer);
}

/** Calls back when credentials become invalid before they expire. @returns a function that cancels this */
export function whenWithdrawn(areGood: () => Promise<boolean>, callback: () => void): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout;
  const wait = (): void => void (timer = setTimeout(() => void look(), askingAgainMs).unref());
  const look = async (): Promise<void> => {
    const goOn = (await areGood()) ? wait : callback;
    if (!isOver) goOn();
  };
  wait();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
