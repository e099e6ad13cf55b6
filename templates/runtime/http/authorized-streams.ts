import type { Authentication } from "../authentication/authentication.js";
import type { RunningServer } from "../server/create-server.js";

/** Longest time between two checks for expired credentials, in milliseconds: the system's clock may change. */
const checkingMs = 30_000;

/**
 * Time between two checks of whether credentials are still valid, in milliseconds. Tokens may be revoked, and
 * keys may be removed.
 */
const revalidationMs = 60_000;

/** A stream or a socket, which lasts longer than the request that opened it. */
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

/** Ends streams whose credentials have lost the scopes for them. */
export class AuthorizedStreams {
  readonly #byCredentials = new Map<string, Set<AuthorizedStream>>();

  /** Starts to watch a stream. @returns a function to call when the stream has ended */
  add(credentials: string, stream: AuthorizedStream): () => void {
    const streams = this.#byCredentials.get(credentials) ?? new Set();
    this.#byCredentials.set(credentials, streams.add(stream));
    return () => {
      streams.delete(stream);
      if (streams.size === 0) this.#byCredentials.delete(credentials);
    };
  }

  /** Ends the streams of these credentials for which their current scopes do not suffice. */
  narrow(credentials: string, scopes: readonly string[]): void {
    for (const stream of this.#byCredentials.get(credentials) ?? []) {
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
    const remainingMs = expiresAt * 1_000 - Date.now();
    if (remainingMs <= 0) return callback();
    timer = setTimeout(wait, Math.min(remainingMs, checkingMs)).unref();
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
