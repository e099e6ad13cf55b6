import type { ClientCapabilities } from "@modelcontextprotocol/server";

/** What the client offers to handlers that ask. */
export interface ClientFeatures {
  /** Whether the user can be asked to fill in a form. */
  readonly elicit: boolean;
  /** Whether the user can be asked to open a page. */
  readonly elicitUrl: boolean;
  /** Whether the client's model can be asked. */
  readonly sample: boolean;
  /** Whether the client lists its folders. */
  readonly roots: boolean;
}

/** @param capabilities The declared capabilities; undefined if the client cannot be asked anything. */
export function clientFeatures(capabilities: ClientCapabilities | undefined): ClientFeatures {
  const { elicitation, sampling, roots } = capabilities ?? {};
  return {
    // In older revisions of the protocol an empty object means forms, since there was no other mode.
    elicit:
      elicitation !== undefined &&
      (elicitation.form !== undefined || elicitation.url === undefined),
    elicitUrl: elicitation?.url !== undefined,
    sample: sampling !== undefined,
    roots: roots !== undefined,
  };
}
