import type { Authentication } from "../authentication/authentication.js";
import type { HttpAuthentication } from "../authentication/http-authentication.js";
import type { RunningServer } from "../server/create-server.js";
import type { RequestHead } from "./request-head.js";
import {
  authorizedStreamsOf,
  whenExpired,
  whenWithdrawn,
  type AuthorizedStreams,
} from "./authorized-streams.js";

/** Ends the streams of one endpoint whose callers may no longer have them. */
export class FollowedStreams {
  readonly #streams: AuthorizedStreams;
  /** Undefined if callers are not authenticated. */
  readonly #authentication: HttpAuthentication | undefined;
  /** The scopes of all items. */
  readonly #scopes: readonly string[];

  constructor(server: RunningServer, authentication: HttpAuthentication | undefined) {
    this.#streams = authorizedStreamsOf(server);
    this.#authentication = authentication;
    this.#scopes = server.access?.scopes ?? [];
  }

  /**
   * Ends a stream when its credentials expire, are withdrawn, or lose scopes that it needs. Other credentials of the
   * same caller do not matter.
   * @param scopes The scopes that it needs; by default all that the caller has and some item needs.
   * @returns a function to call when the stream has ended
   */
  follow(
    request: RequestHead,
    caller: Authentication | undefined,
    end: () => void,
    scopes: Iterable<string> = this.#scopesOf(caller),
  ): () => void {
    if (caller === undefined) return () => undefined;
    const removeStream = this.#streams.add(credentialsOf(request, caller), { scopes, end });
    const cancelExpiry = whenExpired(caller, end);
    const isVerifiedByManifest = caller.via !== undefined;
    const cancelChecks =
      isVerifiedByManifest && whenWithdrawn(() => this.#isStillValid(request, caller), end);
    return () => {
      removeStream();
      cancelExpiry();
      if (cancelChecks) cancelChecks();
    };
  }

  /** Ends the streams that were opened with the credentials of a request, where these have lost scopes. */
  narrow(request: RequestHead, caller: Authentication): void {
    this.#streams.narrow(credentialsOf(request, caller), caller.scopes);
  }

  /** Whether the credentials of a request are still valid. If that is unknown, they count as valid. */
  async #isStillValid(request: RequestHead, { principal }: Authentication): Promise<boolean> {
    const caller = await this.#authentication?.identify(request);
    if (caller === undefined) return true;
    if ("status" in caller) return caller.status !== 401;
    this.narrow(request, caller);
    return caller.principal === principal;
  }

  #scopesOf(caller: Authentication | undefined): readonly string[] {
    return this.#scopes.filter((scope) => caller?.scopes.includes(scope));
  }
}

/** Tells credentials apart: those of two callers, and two of the same caller. */
function credentialsOf({ headers }: RequestHead, { principal }: Authentication): string {
  return JSON.stringify([principal, headers.authorization]);
}
