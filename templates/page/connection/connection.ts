import type {
  CallToolResult,
  CreateMessageRequestParams,
  ElicitRequestParams,
  ElicitResult,
  GetPromptResult,
  ReadResourceResult,
} from "@modelcontextprotocol/client";
import type { Catalogue } from "./catalogue.js";

/** A request of the page, other than those for lists. */
export type Operation =
  | { readonly method: "tools/call"; readonly name: string; readonly arguments: JsonObject }
  | { readonly method: "resources/read"; readonly uri: string }
  | { readonly method: "prompts/get"; readonly name: string; readonly arguments: Texts };

export type JsonObject = Readonly<Record<string, unknown>>;

export type Texts = Readonly<Record<string, string>>;

/** The result of an operation. */
export type Answer = CallToolResult | ReadResourceResult | GetPromptResult;

/** The progress of an operation. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** A line of the server's log. */
export interface LogLine {
  readonly level: string;
  readonly logger?: string | undefined;
  readonly data: unknown;
}

/** The callbacks of an operation while it runs, and the signal that cancels it. */
export interface OperationEvents {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly onLog: (line: LogLine) => void;
  /** Called for each HTTP request of the operation. */
  readonly onRequest: (request: SentRequest) => void;
}

/** An HTTP request that was sent. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Texts;
  readonly body: string;
}

/** A question of a server to the user during an operation. */
export type Question =
  | { readonly kind: "elicitation"; readonly params: ElicitRequestParams }
  | { readonly kind: "sampling"; readonly prompt: ModelPrompt }
  | { readonly kind: "roots" };

/** A prompt for a model. */
export type ModelPrompt = CreateMessageRequestParams;

/** The user's answer. For an elicitation it has `content`, for other questions `text`. */
export type Reply = Pick<ElicitResult, "action" | "content"> & { readonly text?: string };

/** Asks the user; rejects when the question is withdrawn. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Reply>;

/** A request for values of an argument. `others` has the values of the other arguments. */
export interface Completion {
  readonly of: { readonly prompt: string } | { readonly template: string };
  readonly argument: string;
  readonly value: string;
  readonly others: Texts;
}

/** A connection with a server. */
export interface Connection {
  readonly catalogue: Catalogue;
  /** The negotiated version of the protocol. */
  readonly protocol: string;
  /** The URL of the server. */
  readonly url: string;
  run(operation: Operation, events: OperationEvents): Promise<Answer>;
  /** Values that the server suggests for an argument. */
  complete(completion: Completion): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The server refused the request with status 401. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";

  /** @param hadToken Whether the request had a token. */
  constructor(
    readonly hadToken: boolean,
    readonly reason: string | undefined,
  ) {
    super(reason ?? "The server asks for a token");
  }
}

/** The caller's token lacks scopes. */
export class ScopesMissing extends Error {
  override readonly name = "ScopesMissing";

  constructor(readonly scopes: string | undefined) {
    super("The token lacks scopes");
  }
}

/** The server ended a request without a complete answer. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}
