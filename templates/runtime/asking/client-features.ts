import {
  MissingRequiredClientCapabilityError,
  type ClientCapabilities,
} from "@modelcontextprotocol/server";
import type { Caller } from "../context/context.js";
import { RequestRefused, ToolError } from "../engine/errors.js";

/** The client capabilities that questions may need, in the form of the protocol. */
const capabilities = {
  elicit: { elicitation: { form: {} } },
  elicitUrl: { elicitation: { url: {} } },
  sample: { sampling: {} },
  sampleWithTools: { sampling: { tools: {} } },
  roots: { roots: {} },
} as const;

/** What a question needs of the client. */
export type NeededFeature = keyof typeof capabilities;

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

/** Whether a client with these capabilities can be asked a question. */
export function offers(declared: ClientCapabilities | undefined, needs: NeededFeature): boolean {
  if (needs === "sampleWithTools") return declared?.sampling?.tools !== undefined;
  return clientFeatures(declared)[needs];
}

/** The error for a call whose client cannot be asked. @param name The question's name, for the message. */
export function cannotBeAsked(
  { name, needs }: { readonly name: string; readonly needs: NeededFeature },
  declared: ClientCapabilities | undefined,
  { era }: Pick<Caller, "era">,
): Error {
  if (era === "legacy" && declared === undefined) {
    return new ToolError(
      `Nobody can answer "${name}": clients before 2026-07-28 are asked only within a session and on a stream; this request belongs to no session, or its Accept header has no text/event-stream`,
    );
  }
  const requiredCapabilities = capabilities[needs];
  const feature = Object.keys(requiredCapabilities).join();
  const message = `The client does not offer what "${name}" needs: ${feature} (${needs})`;
  if (era === "legacy") return new ToolError(message);
  return new RequestRefused(
    new MissingRequiredClientCapabilityError({ requiredCapabilities }, message),
  );
}
