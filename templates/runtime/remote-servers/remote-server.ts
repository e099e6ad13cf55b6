import { STATUS_CODES } from "node:http";
import type {
  ContentBlock,
  Progress,
  PromptMessage,
  ReadResourceResult,
} from "@modelcontextprotocol/server";
import type { Masking } from "../backends/masking.js";
import { isTooDeep } from "../backends/depth.js";
import { ToolError } from "../engine/errors.js";
import { text } from "../engine/content.js";
import { passedOn, received, result, type ToolResult } from "../tools/result.js";
import {
  PendingCall,
  type OpenConnection,
  type RemoteCall,
  type SharedConnection,
} from "./connection.js";
import type { RemoteServerDefinition, ServerConnector } from "./definition.js";
import { isErrorResponse, isNotFound, malformation, remoteFailure } from "./failures.js";
import type { MessageLimits } from "./message-limits.js";
import { ReceivedBytes } from "./received-bytes.js";
import type { Client } from "./sdk.js";

/**
 * Another MCP server, for one call of a handler. Its progress reports and log messages are passed on; its requests to
 * the client are refused. All methods throw a ToolError if the server does not answer.
 */
export interface RemoteServer {
  /**
   * Calls a tool. Where its result breaks the output schema of the tool that passes it on, the caller gets it as text
   * with a notice, or an error if the call is strict.
   *
   * @throws ToolError with the text of the result if that is an error
   * @throws SelectionError if a function of `select` cannot take what the result has
   */
  callTool(name: string, arguments_: object, options?: CallOptions): Promise<ToolResult<never>>;
  /** Gets the messages of a prompt. */
  getPrompt(name: string, arguments_: object): Promise<RemotePrompt>;
  /**
   * Reads a resource; the result is undefined if the resource does not exist.
   *
   * @param uri the URI, or a URI template if there are variables
   */
  readResource(uri: string, variables?: object): Promise<readonly RemoteContents[] | undefined>;
}

/** How a tool of another server is called. */
export interface CallOptions {
  /** Makes the result of the structured content; of a text that is JSON, if there is none. */
  readonly select?: (structuredContent: unknown) => unknown;
  /** Whether a result that breaks the output schema is refused. */
  readonly strict?: boolean;
}

export interface RemotePrompt {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/** The contents of a resource. `uri` is absent if it is the requested URI. */
export type RemoteContents = {
  readonly uri?: string;
  readonly mimeType?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
} & ({ readonly text: string } | { readonly blob: string });

/** What all calls of one server share. */
export interface RemoteAccess {
  readonly definition: RemoteServerDefinition;
  readonly connection: SharedConnection;
  readonly connector: Pick<ServerConnector, "explain" | "hasLostAnswer">;
  readonly masking: Masking;
  readonly messageLimits: MessageLimits;
}

/** The longest delay that timers allow, in milliseconds. It replaces limits of the SDK: the item has its own limit. */
const MAX_TIMER_MS = 0x7fffffff;

type RequestOptions = Required<
  Pick<NonNullable<Parameters<Client["callTool"]>[1]>, "signal" | "timeout" | "onprogress">
>;

type SendRequest<Answer> = (
  connection: OpenConnection,
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

  async callTool(
    name: string,
    arguments_: object,
    { select, strict = false }: CallOptions = {},
  ): Promise<ToolResult<never>> {
    const bytes = new ReceivedBytes();
    const sent = this.#request(
      ({ client }, options, meta) =>
        client.callTool({ name, arguments: { ...arguments_ }, ...meta }, options),
      bytes,
    );
    const answer = await sent
      .then((whole) => this.#masked(whole, bytes))
      .catch((error: unknown) => {
        throw strict ? error : this.#carriedOut(error, bytes, select === undefined);
      });
    const { content = [], structuredContent, isError, _meta } = answer;
    if (isError === true) throw new ToolError(errorText(content) ?? this.#failureWithoutText());
    if (select !== undefined) {
      const value = select(this.#valueOf(content, structuredContent));
      const shown = (): ContentBlock[] => [text(JSON.stringify(value))];
      return passedOn({ value, shown }, strict) as ToolResult<never>;
    }
    const whole = result<never>({
      content,
      ...(structuredContent !== undefined && { structuredContent: structuredContent as never }),
      ...(_meta !== undefined && { meta: _meta }),
    });
    if (strict) return whole;
    return received(whole, {
      shown: () => wholeContent(content, structuredContent),
      ...(structuredContent === undefined && { problem: "it has no structuredContent" }),
    });
  }

  async getPrompt(name: string, arguments_: object): Promise<RemotePrompt> {
    const params = { name, arguments: arguments_ as Record<string, string> };
    const answer = await this.#request(({ client }, options, meta) =>
      client.request({ method: "prompts/get", params: { ...params, ...meta } }, options),
    );
    const { description, messages } = this.#masked(answer);
    return { ...(description !== undefined && { description }), messages };
  }

  async readResource(
    uri: string,
    variables?: object,
  ): Promise<readonly RemoteContents[] | undefined> {
    let requestedUri = uri;
    try {
      const answer = await this.#request(({ sdk, client }, options, meta) => {
        if (variables !== undefined) {
          const template = new sdk.UriTemplate(uri);
          requestedUri = template.expand(variables as Record<string, string | string[]>);
        }
        const params = { uri: requestedUri, ...meta };
        return client.request({ method: "resources/read", params }, options);
      });
      const { contents } = this.#masked(answer);
      return contents.map((content) => this.#contentsOf(content, requestedUri));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /**
   * The error for the caller of a tool whose answer cannot be read, although it had begun: it says that the tool may have
   * done its work, and has what came of the answer.
   *
   * @param isShown whether the caller may read what came of the answer
   */
  #carriedOut(error: unknown, received: ReceivedBytes, isShown: boolean): unknown {
    const { definition, connector, masking } = this.#access;
    const { status } = received;
    const hasAnswered = status !== undefined || connector.hasLostAnswer === true;
    const isOfTransport = error instanceof ToolError && !isErrorResponse(error);
    if (!hasAnswered || !isOfTransport || this.#call.signal.aborted) return error;
    const { message } = error;
    if (!received.isMalformed) {
      this.#call.log.warning("an upstream began to answer a call, but its answer cannot be read", {
        ...{ upstream: definition.name, problem: message },
        ...(status !== undefined && { status }),
      });
    }
    const words = status === undefined ? "begun to answer" : `answered ${statusInWords(status)}`;
    const notice = `${message} It had ${words}: the call may have been carried out, so it must not be repeated blindly.`;
    const text = isShown ? masking.text(received.text()) : "";
    return new ToolError(text === "" ? notice : `${notice} This came of the answer:\n${text}`);
  }

  /**
   * Sends a request, and sends it again over a new connection if the server has refused it for an ended session.
   *
   * @param received gets what comes of the answer
   */
  async #request<Answer>(
    send: SendRequest<Answer>,
    received = new ReceivedBytes(),
  ): Promise<Answer> {
    const { definition, connection, messageLimits } = this.#access;
    const { timeoutMs = MAX_TIMER_MS } = definition;
    const timeout = AbortSignal.timeout(timeoutMs);
    const pending = new PendingCall(this.#call, timeout, messageLimits, received);
    const { signal } = pending;
    const options = {
      signal,
      timeout: MAX_TIMER_MS,
      onprogress: ({ progress, total, message }: Progress) =>
        pending.report(progress, total, message),
    } satisfies RequestOptions;
    await connection.waitForPlace(signal).catch((error: unknown) => {
      throw this.#failure(error, timeout, timeoutMs);
    });
    return connection.during(pending, async () => {
      try {
        const open = await connection.open(signal);
        try {
          return await send(open, options, logLevelMeta(open));
        } catch (error) {
          if (!isSessionEnded(open, error)) throw error;
          connection.drop(open);
          const reopened = await connection.open(signal);
          return await send(reopened, options, logLevelMeta(reopened));
        }
      } catch (error) {
        if (pending.isLost) throw this.#lost();
        if (malformation(error) !== undefined) received.setMalformed();
        throw this.#failure(error, timeout, timeoutMs);
      }
    });
  }

  #lost(): ToolError {
    return new ToolError(`The upstream ${this.#access.definition.name} ended before it answered.`);
  }

  #failure(error: unknown, timeout: AbortSignal, timeoutMs: number): unknown {
    const { definition, masking, connector } = this.#access;
    if (this.#call.signal.aborted) return this.#call.signal.reason;
    const { name } = definition;
    if (timeout.aborted) {
      return new ToolError(`The upstream ${name} did not answer within ${timeoutMs} ms.`);
    }
    const problem = malformation(error);
    if (problem !== undefined) this.#logMalformed(problem);
    return remoteFailure(name, error, (cause) => connector.explain(cause), masking);
  }

  /** The answer without secrets. @throws ToolError if it is nested too deeply to be passed on */
  /** The structured content of a result, or the value of its text, if that is JSON. @throws ToolError if there is none */
  #valueOf(content: readonly ContentBlock[], structuredContent: unknown): unknown {
    if (structuredContent !== undefined) return structuredContent;
    const [only, another] = content;
    if (only?.type === "text" && another === undefined) {
      try {
        return JSON.parse(only.text) as unknown;
      } catch {
        // The text is none for programs.
      }
    }
    const { name } = this.#access.definition;
    throw new ToolError(
      `The call was carried out and needs no repetition, but the upstream ${name} answered with no JSON.`,
    );
  }

  #masked<Answer>(answer: Answer, received?: ReceivedBytes): Answer {
    const { definition, masking } = this.#access;
    if (isTooDeep(answer)) {
      received?.setMalformed();
      this.#logMalformed("it is nested too deeply");
      throw new ToolError(
        `The upstream ${definition.name} answered with JSON that is nested too deeply.`,
      );
    }
    return masking.json(answer) as Answer;
  }

  #logMalformed(problem: string): void {
    const upstream = this.#access.definition.name;
    this.#call.log.warning("an upstream sends a malformed message", { upstream, problem });
  }

  /** @throws ToolError if the URI is neither the requested one nor below it */
  #contentsOf(content: ReadResourceResult["contents"][number], requestedUri: string) {
    if (isWithin(content.uri, requestedUri)) return contentsOf(content, requestedUri);
    throw new ToolError(
      `The upstream ${this.#access.definition.name} answered with another resource than was asked for.`,
    );
  }

  #failureWithoutText(): string {
    return `The upstream ${this.#access.definition.name} failed, and says nothing about it.`;
  }
}

/** The part of a request that asks a server of 2026-07-28 for log messages. */
function logLevelMeta({ sdk, client }: OpenConnection): { _meta?: Record<string, unknown> } {
  if (client.getProtocolEra() !== "modern") return {};
  return { _meta: { [sdk.LOG_LEVEL_META_KEY]: "debug" } };
}

function statusInWords(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ""}`.trim();
}

/** Whether a server has refused a request because it does not know the session any more. */
function isSessionEnded({ sdk, hasSession }: OpenConnection, error: unknown): boolean {
  if (!(error instanceof sdk.SdkHttpError) || !hasSession()) return false;
  return error.status === 404 || error.status === 400;
}

/** The content of a result, with the JSON of its structured value if no text has it. */
function wholeContent(
  content: readonly ContentBlock[],
  structuredContent: unknown,
): readonly ContentBlock[] {
  const json = JSON.stringify(structuredContent);
  const isShown = content.some((block) => block.type === "text" && block.text === json);
  return json === undefined || isShown ? content : [...content, text(json)];
}

/** The texts of a result that is an error; undefined if it has none. */
function errorText(content: readonly { readonly type: string; readonly text?: unknown }[]) {
  const texts = content.flatMap(({ type, text }) =>
    type === "text" && typeof text === "string" ? [text] : [],
  );
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** Whether a URI is the requested one, in any notation, or below it. */
function isWithin(uri: string, requestedUri: string): boolean {
  if (isSame(uri, requestedUri)) return true;
  const folder = requestedUri.endsWith("/") ? requestedUri : `${requestedUri}/`;
  return uri.startsWith(folder) && !DOT_SEGMENT.test(uri.slice(folder.length));
}

function isSame(uri: string, otherUri: string): boolean {
  if (uri === otherUri) return true;
  if (!URL.canParse(uri) || !URL.canParse(otherUri)) return false;
  return new URL(uri).href === new URL(otherUri).href;
}

/** Matches a segment of a path that leads to a place elsewhere. */
const DOT_SEGMENT = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:$|[/\\?#]|%2f|%5c)/i;

function contentsOf(
  { uri, mimeType, _meta, ...content }: ReadResourceResult["contents"][number],
  requestedUri: string,
): RemoteContents {
  return {
    ...(!isSame(uri, requestedUri) && { uri }),
    ...(mimeType !== undefined && { mimeType }),
    ...(_meta !== undefined && { meta: _meta }),
    ...("text" in content ? { text: content.text } : { blob: content.blob }),
  };
}
