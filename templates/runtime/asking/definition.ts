import type { ServerContext } from "@modelcontextprotocol/server";
import type { Caller } from "../context/context.js";
import type { Validator } from "../engine/item.js";
import type { TextTemplate } from "../engine/fixed-content.js";
import type { Late } from "../engine/awaitable.js";

/** Reads the client's answers from a request of the SDK. */
export function readAnswers({ mcpReq }: ServerContext): Partial<Caller> {
  const { inputResponses } = mcpReq;
  const requestState = mcpReq.requestState();
  return {
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
  };
}

/** What a handler may ask the client for during a call. */
export interface Asks {
  /** Questions to the user, by key. */
  readonly elicitations?: Readonly<Record<string, Elicitation>>;
  /** Whether it may ask the client's model. */
  readonly sampling?: boolean;
  /** Whether it may ask for the client's folders. */
  readonly roots?: boolean;
  /** Modules that are imported before the handler runs. */
  readonly imports?: readonly Late<unknown>[];
}

/** A question to the user: a form to fill in, or a page to open. */
export type Elicitation = FormElicitation | UrlElicitation;

export interface FormElicitation {
  readonly kind: "form";
  readonly message: TextTemplate;
  /** The form, as it is sent to the client. */
  readonly requestedSchema: FormSchema;
  readonly validator: Late<Validator>;
}

export interface UrlElicitation {
  readonly kind: "url";
  readonly message: TextTemplate;
  readonly url: TextTemplate;
}

/** A flat object schema. The protocol defines which properties it may have. */
export interface FormSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, object>>;
  readonly [keyword: string]: unknown;
}
