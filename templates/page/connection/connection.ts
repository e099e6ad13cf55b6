import type {
  CallToolResult,
  CreateMessageRequestParams,
  ElicitRequestParams,
  ElicitResult,
  GetPromptResult,
  ReadResourceResult,
} from "@modelcontextprotocol/client";
import type { Catalogue } from "./catalogue.js";

/** What the page asks of a server beyond its lists. */
export type Operation =
  | { readonly method: "tools/call"; readonly name: string; readonly arguments: JsonObject }
  | { readonly method: "resources/read"; readonly uri: string }
  | { readonly method: "prompts/get"; readonly name: string; readonly arguments: Texts };

export type JsonObject = Readonly<Record<string, unknown>>;

export type Texts = Readonly<Record<string, string>>;

/** What a server answers to an operation. */
export type Answer = CallToolResult | ReadResourceResult | GetPromptResult;

/** How far an operation has come. */
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

/** What an operation tells while it runs. */
export interface OperationEvents {
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  readonly log: (line: LogLine) => void;
  /** Called for each request that goes out for the operation, with what it sends. */
  readonly sent: (request: SentRequest) => void;
}

/** A request as it went over the network. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Texts;
  readonly body: string;
}

/** What a server asks of the person before it goes on. */
export type Question =
  | { readonly kind: "elicitation"; readonly params: ElicitRequestParams }
  | { readonly kind: "sampling"; readonly prompt: ModelPrompt }
  | { readonly kind: "roots" };

/** What a server would ask of a model. */
export type ModelPrompt = CreateMessageRequestParams;

/** What a person answers: to an elicitation as the protocol says, else a text, or nothing where they refuse. */
export type Reply = Pick<ElicitResult, "action" | "content"> & { readonly text?: string };

/** Asks the person; rejects when the question is not asked any more. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Reply>;

/** The name, values and what else is completed of an argument. */
export interface Completion {
  readonly of: { readonly prompt: string } | { readonly template: string };
  readonly argument: string;
  readonly value: string;
  readonly others: Texts;
}

/** A server that answers. */
export interface Connection {
  readonly catalogue: Catalogue;
  /** The version of the protocol that is spoken. */
  readonly protocol: string;
  /** Where it is. */
  readonly url: string;
  run(operation: Operation, events: OperationEvents): Promise<Answer>;
  /** Values that the server suggests for an argument. */
  complete(completion: Completion): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The server does not let this caller in. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";

  /** @param hadToken Whether the caller had a token at all. */
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

/** The server has ended a request without an answer that can be read. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}
