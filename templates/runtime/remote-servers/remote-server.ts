import type { Progress, PromptMessage, ReadResourceResult } from "@modelcontextprotocol/server";
import type { Masking } from "../backends/masking.js";
import { ToolError } from "../engine/errors.js";
import { result, type ToolResult } from "../tools/result.js";
import {
  PendingCall,
  type KeptConnection,
  type OpenConnection,
  type RemoteCall,
} from "./connection.js";
import type { Client, RemoteServerDefinition, ServerReach } from "./definition.js";
import { isNotFound, remoteFailure } from "./failures.js";

/**
 * Another MCP server, for one call of a handler. What it asks its client for is refused; its progress and its messages
 * for the log are passed on. All methods throw a ToolError where there is no answer.
 */
export interface RemoteServer {
  /** Calls a tool. @throws ToolError with the text of an answer that is an error */
  callTool(name: string, arguments_: object): Promise<ToolResult<never>>;
  /** The messages of a prompt. */
  getPrompt(name: string, arguments_: object): Promise<RemotePrompt>;
  /**
   * The contents at a URI; undefined where nothing is there.
   *
   * @param uri or the template of one, where there are variables
   */
  readResource(uri: string, variables?: object): Promise<readonly RemoteContents[] | undefined>;
}

export interface RemotePrompt {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/** What is at a URI. The URI is only said where it is another than that which was asked for. */
export type RemoteContents = {
  readonly uri?: string;
  readonly mimeType?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
} & ({ readonly text: string } | { readonly blob: string });

/** What the calls of one server have in common. */
export interface RemoteAccess {
  readonly definition: RemoteServerDefinition;
  readonly connection: KeptConnection;
  readonly explain: ServerReach["explain"];
  readonly masking: Masking;
}

/** Nobody sets a timer that is longer; the item's own limit ends the call. In milliseconds. */
const LONGEST_MS = 0x7fffffff;

type RequestOptions = Required<
  Pick<NonNullable<Parameters<Client["callTool"]>[1]>, "signal" | "timeout" | "onprogress">
>;

type Send<Answer> = (
  open: OpenConnection,
  options: RequestOptions,
  meta: { readonly _meta?: Record<string, unknown> },
) => Promise<Answer>;

/** A server for one call. */
export class BoundServer implements RemoteServer {
  readonly #access: RemoteAccess;
  readonly #call: RemoteCall;

  constructor(access: RemoteAccess, call: RemoteCall) {
    this.#access = access;
    this.#call = call;
  }

  async callTool(name: string, arguments_: object): Promise<ToolResult<never>> {
    const answer = await this.#ask(({ client }, options, meta) =>
      client.callTool({ name, arguments: { ...arguments_ }, ...meta }, options),
    );
    const { content = [], structuredContent, isError, _meta } = this.#masked(answer);
    if (isError === true) throw new ToolError(errorText(content) ?? this.#saidNothing());
    return result<never>({
      content,
      ...(structuredContent !== undefined && { structuredContent: structuredContent as never }),
      ...(_meta !== undefined && { meta: _meta }),
    });
  }

  async getPrompt(name: string, arguments_: object): Promise<RemotePrompt> {
    const given = arguments_ as Record<string, string>;
    const answer = await this.#ask(({ client }, options, meta) =>
      client.request(
        { method: "prompts/get", params: { name, arguments: given, ...meta } },
        options,
      ),
    );
    const { description, messages } = this.#masked(answer);
    return { ...(description !== undefined && { description }), messages };
  }

  async readResource(
    uri: string,
    variables?: object,
  ): Promise<readonly RemoteContents[] | undefined> {
    let asked = uri;
    try {
      const answer = await this.#ask(({ sdk, client }, options, meta) => {
        if (variables !== undefined) {
          asked = new sdk.UriTemplate(uri).expand(variables as Record<string, string | string[]>);
        }
        const request = { method: "resources/read" as const, params: { uri: asked, ...meta } };
        return client.request(request, options);
      });
      return this.#masked(answer).contents.map((one) => contentsOf(one, asked));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Asks once more where the server has forgotten the session, and has so done nothing yet. */
  async #ask<Answer>(send: Send<Answer>): Promise<Answer> {
    const { definition, connection } = this.#access;
    const { timeoutMs = LONGEST_MS } = definition;
    const limit = AbortSignal.timeout(timeoutMs);
    const pending = new PendingCall(this.#call, limit);
    const { signal } = pending;
    const options = {
      signal,
      timeout: LONGEST_MS,
      onprogress: ({ progress, total, message }: Progress) =>
        pending.report(progress, total, message),
    } satisfies RequestOptions;
    return connection.during(pending, async () => {
      try {
        const open = await connection.open(signal);
        try {
          return await send(open, options, wantedMessages(open));
        } catch (error) {
          if (!isForgotten(open, error)) throw error;
          connection.drop(open);
          const again = await connection.open(signal);
          return await send(again, options, wantedMessages(again));
        }
      } catch (error) {
        if (pending.isLost) throw this.#lost();
        throw this.#failure(error, limit, timeoutMs);
      }
    });
  }

  #lost(): ToolError {
    return new ToolError(`The upstream ${this.#access.definition.name} ended before it answered.`);
  }

  #failure(error: unknown, limit: AbortSignal, timeoutMs: number): unknown {
    const { definition, masking, explain } = this.#access;
    if (this.#call.signal.aborted) return this.#call.signal.reason;
    const { name } = definition;
    if (limit.aborted) {
      return new ToolError(`The upstream ${name} did not answer within ${timeoutMs} ms.`);
    }
    return remoteFailure(name, error, explain, masking);
  }

  #masked<Answer>(answer: Answer): Answer {
    return this.#access.masking.json(answer) as Answer;
  }

  #saidNothing(): string {
    return `The upstream ${this.#access.definition.name} failed, and says nothing about it.`;
  }
}

/** Servers of 2026-07-28 are told with each request which messages for the log are wanted. */
function wantedMessages({ sdk, client }: OpenConnection): { _meta?: Record<string, unknown> } {
  if (client.getProtocolEra() !== "modern") return {};
  return { _meta: { [sdk.LOG_LEVEL_META_KEY]: "debug" } };
}

/** Whether a server does not know the session any more. */
function isForgotten({ sdk, hasSession }: OpenConnection, error: unknown): boolean {
  if (!(error instanceof sdk.SdkHttpError) || !hasSession()) return false;
  return error.status === 404 || error.status === 400;
}

/** The texts of an answer that is an error. */
function errorText(content: readonly { readonly type: string; readonly text?: unknown }[]) {
  const texts = content.flatMap(({ type, text }) =>
    type === "text" && typeof text === "string" ? [text] : [],
  );
  return texts.length === 0 ? undefined : texts.join("\n");
}

function contentsOf(
  { uri, mimeType, _meta, ...rest }: ReadResourceResult["contents"][number],
  asked: string,
): RemoteContents {
  return {
    ...(uri !== asked && { uri }),
    ...(mimeType !== undefined && { mimeType }),
    ...(_meta !== undefined && { meta: _meta }),
    ...("text" in rest ? { text: rest.text } : { blob: rest.blob }),
  };
}
