import type { Authentication } from "../authentication/authentication.js";
import type { RunningServer } from "../server/create-server.js";

/** Longest time between two checks for expired credentials, in milliseconds: the system's clock may change. */
const checkingMs = 30_000;

/**
 * Time between two checks of whether credentials are still valid, in milliseconds. Tokens may be revoked, and
 * keys may be removed.
 */
const revalidationMs = 60_000;

/** A stream, a socket or a session, which lasts longer than the request that opened it. */
export interface AuthorizedStream {
  /** The scopes that it needs. */
  readonly scopes: Iterable<string>;
  end(): void;
}

const streams = new WeakMap<RunningServer, AuthorizedStreams>();

/** The open streams of all endpoints of a server. */
export function authorizedStreamsOf(server: RunningServer): AuthorizedStreams {
  const serverStreams = streams.get(server) ?? new AuthorizedStreams();
  streams.set(server, serverStreams);
  return serverStreams;
}

/** Ends streams whose callers have lost the scopes for them. */
export class AuthorizedStreams {
  readonly #byPrincipal = new Map<string, Set<AuthorizedStream>>();

  /** Starts to watch a stream. @returns a function to call when the stream has ended */
  add({ principal }: Authentication, stream: AuthorizedStream): () => void {
    const principalStreams = this.#byPrincipal.get(principal) ?? new Set();
    this.#byPrincipal.set(principal, principalStreams.add(stream));
    return () => {
      principalStreams.delete(stream);
      if (principalStreams.size === 0) this.#byPrincipal.delete(principal);
    };
  }

  /** Ends the streams of a caller for which its latest credentials lack scopes. */
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
export function whenWithdrawn(areValid: () => Promise<boolean>, callback: () => void): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout;
  const wait = (): void => void (timer = setTimeout(() => void check(), revalidationMs).unref());
  const check = async (): Promise<void> => {
    const proceed = (await areValid()) ? wait : callback;
    if (!isOver) proceed();
  };
  wait();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
