import type { ClientCapabilities } from "@modelcontextprotocol/server";

/** What the client offers to handlers that ask. */
export interface ClientFeatures {
  /** Whether the user can be asked to fill in a form. */
  readonly elicit: boolean;
  /** Whether the user can be asked to open a page. */
  readonly elicitUrl: boolean;
  /** Whether the client's model can be asked. */
  readonly sample: boolean;
  /** Whether the client tells its folders. */
  readonly roots: boolean;
}

/** @param capabilities What the client has declared; undefined where it could not be asked anything. */
export function clientFeatures(capabilities: ClientCapabilities | undefined): ClientFeatures {
  const { elicitation, sampling, roots } = capabilities ?? {};
  return {
    // Clients from before there were two modes declare an empty object and mean forms.
    elicit:
      elicitation !== undefined &&
      (elicitation.form !== undefined || elicitation.url === undefined),
    elicitUrl: elicitation?.url !== undefined,
    sample: sampling !== undefined,
    roots: roots !== undefined,
  };
}
