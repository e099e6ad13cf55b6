/** In whose name a service is asked, and by whom, for those who record it. Neither is a token. */
export interface Acting {
  /** The name by which the authorization server knows this server. */
  readonly actor: string;
  /** The name of the caller. */
  readonly subject: string;
}

/** A service that was asked in the name of a caller. */
export interface ActedFor extends Acting {
  /** The name of the service. */
  readonly upstream: string;
}
