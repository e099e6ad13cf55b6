import {
  Client,
  LOG_LEVEL_META_KEY,
  StreamableHTTPClientTransport,
  type CallToolResult,
} from "@modelcontextprotocol/client";
import type { Catalogue } from "./catalogue.js";
import {
  NoAnswer,
  ScopesMissing,
  TokenRefused,
  type Answer,
  type Ask,
  type Completion,
  type Connection,
  type LogLine,
  type Operation,
  type OperationEvents,
  type Progress,
  type SentRequest,
} from "./connection.js";
import { loadMarks } from "./item-marks.js";
import { listSkills, SKILLS_EXTENSION } from "./skills.js";
import { watchStreams } from "./watch-streams.js";

/** Time limit of an operation, in milliseconds. It is the longest possible one, since users can cancel. */
const longestMs = 2 ** 31 - 1;

/** The callbacks of a connection. */
export interface ConnectionEvents {
  readonly ask: Ask;
  /** Called with the new lists when a list of the server has changed. */
  readonly onChange: (catalogue: Catalogue) => void;
}

/**
 * Connects to a server and requests its lists.
 *
 * @param token a bearer token, if the server needs one
 * @throws TokenRefused if the server needs a token or refuses this one
 */
export async function connect(
  url: string,
  token: string | undefined,
  events: ConnectionEvents,
): Promise<Connection> {
  const connection = new McpConnection(url, token, events);
  await connection.open();
  return connection;
}

class McpConnection implements Connection {
  readonly url: string;
  catalogue!: Catalogue;
  readonly #client: Client;
  readonly #events: ConnectionEvents;
  readonly #token: string | undefined;
  /** Why the server refused a request: the SDK does not always report it. */
  #refusal: TokenRefused | ScopesMissing | undefined;
  #onRequest: ((request: SentRequest) => void) | undefined;
  #onLog: ((line: LogLine) => void) | undefined;
  /** Ends the running operation when its answer breaks off. */
  #breakOff: ((error: unknown) => void) | undefined;

  constructor(url: string, token: string | undefined, events: ConnectionEvents) {
    this.url = url;
    this.#token = token;
    this.#events = events;
    const changed = { autoRefresh: false, onChanged: () => void this.#relist() };
    this.#client = new Client(
      { name: "mcpwright-page", version: "1.0.0" },
      {
        capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
        versionNegotiation: { mode: "auto" },
        inputRequired: { maxRounds: 100 },
        listMaxPages: 0,
        listChanged: { tools: changed, resources: changed, prompts: changed },
      },
    );
    this.#answerQuestions();
    this.#client.setNotificationHandler("notifications/message", ({ params }) =>
      this.#onLog?.(params),
    );
  }

  get protocol(): string {
    return this.#client.getNegotiatedProtocolVersion() ?? "";
  }

  async open(): Promise<void> {
    const transport = new StreamableHTTPClientTransport(new URL(this.url), {
      fetch: (address, init) => this.#fetch(address, init),
    });
    await this.#unlessBroken(async () => {
      // A member of the SDK's class may be undefined, which the SDK's interface does not allow.
      await this.#client.connect(transport as Parameters<Client["connect"]>[0]);
      watchStreams(transport, () => this.#breakOff?.(new NoAnswer()));
      this.catalogue = await this.#list();
    });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async run(operation: Operation, events: OperationEvents): Promise<Answer> {
    this.#onRequest = events.onRequest;
    this.#onLog = events.onLog;
    this.#refusal = undefined;
    try {
      return await this.#unlessBroken(() => this.#request(operation, events));
    } finally {
      this.#onRequest = undefined;
    }
  }

  /** Does the work. Fails if an answer breaks off, since the SDK would wait for it. */
  async #unlessBroken<Result>(work: () => Promise<Result>): Promise<Result> {
    const brokenOff = new Promise<never>((_resolve, reject) => (this.#breakOff = reject));
    try {
      return await Promise.race([work(), brokenOff]);
    } catch (error) {
      throw this.#refusal ?? error;
    } finally {
      this.#breakOff = undefined;
    }
  }

  async #request(operation: Operation, events: OperationEvents): Promise<Answer> {
    const options = {
      signal: events.signal,
      timeout: longestMs,
      onprogress: (progress: Progress) => {
        // The SDK reports its own questions as progress, but the page shows the questions.
        if (progress.message?.startsWith("Fulfilling input required") !== true) {
          events.onProgress(progress);
        }
      },
    };
    const _meta = { [LOG_LEVEL_META_KEY]: "debug" } as const;
    switch (operation.method) {
      case "tools/call": {
        const parameters = { name: operation.name, arguments: { ...operation.arguments }, _meta };
        return (await this.#client.callTool(parameters, options)) as CallToolResult;
      }
      case "resources/read":
        return this.#client.readResource({ uri: operation.uri, _meta }, options);
      case "prompts/get": {
        const parameters = { name: operation.name, arguments: { ...operation.arguments }, _meta };
        return this.#client.getPrompt(parameters, options);
      }
    }
  }

  async complete({ of, argument, value, others }: Completion): Promise<readonly string[]> {
    if (this.#client.getServerCapabilities()?.completions === undefined) return [];
    const ref =
      "prompt" in of
        ? ({ type: "ref/prompt", name: of.prompt } as const)
        : ({ type: "ref/resource", uri: of.template } as const);
    const { completion } = await this.#client.complete({
      ref,
      argument: { name: argument, value },
      context: { arguments: { ...others } },
    });
    return completion.values;
  }

  #answerQuestions(): void {
    this.#client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
      const { action, content } = await this.#events.ask(
        { kind: "elicitation", params },
        mcpReq.signal,
      );
      return content === undefined ? { action } : { action, content };
    });
    this.#client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) => {
      const reply = await this.#events.ask({ kind: "sampling", prompt: params }, mcpReq.signal);
      if (reply.action !== "accept") throw new Error("The user declined to answer for the model");
      const content = { type: "text" as const, text: reply.text ?? "" };
      return { role: "assistant", content, model: "a person", stopReason: "endTurn" };
    });
    this.#client.setRequestHandler("roots/list", async (_request, { mcpReq }) => {
      const reply = await this.#events.ask({ kind: "roots" }, mcpReq.signal);
      if (reply.action !== "accept") return { roots: [] };
      const uris = (reply.text ?? "").split("\n").map((line) => line.trim());
      return { roots: uris.filter(Boolean).map((uri) => ({ uri })) };
    });
  }

  async #relist(): Promise<void> {
    this.catalogue = await this.#list();
    this.#events.onChange(this.catalogue);
  }

  async #list(): Promise<Catalogue> {
    const { tools, resources, prompts, extensions } = this.#client.getServerCapabilities() ?? {};
    const options = { cacheMode: "refresh" } as const;
    const [listedTools, listedResources, listedTemplates, listedPrompts, skills, marks] =
      await Promise.all([
        tools && this.#client.listTools(undefined, options),
        resources && this.#client.listResources(undefined, options),
        resources && this.#client.listResourceTemplates(undefined, options),
        prompts && this.#client.listPrompts(undefined, options),
        extensions?.[SKILLS_EXTENSION] && listSkills(this.#client),
        loadMarks(this.url, this.#token),
      ]);
    return {
      server: this.#client.getServerVersion() ?? { name: this.url, version: "" },
      instructions: this.#client.getInstructions(),
      tools: listedTools?.tools ?? [],
      resources: listedResources?.resources ?? [],
      resourceTemplates: listedTemplates?.resourceTemplates ?? [],
      prompts: listedPrompts?.prompts ?? [],
      ...(skills !== undefined && { skills }),
      marks,
    };
  }

  async #fetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#token !== undefined) headers.set("authorization", `Bearer ${this.#token}`);
    if (typeof init.body === "string") {
      this.#onRequest?.({
        url: String(address),
        headers: Object.fromEntries(headers),
        body: init.body,
      });
    }
    const response = await fetch(address, { ...init, headers });
    const challenge = response.headers.get("www-authenticate") ?? "";
    if (response.status === 401) {
      const reason = quotedIn(challenge, "error_description");
      this.#refusal = new TokenRefused(this.#token !== undefined, reason);
    } else if (response.status === 403 && challenge.includes("insufficient_scope")) {
      this.#refusal = new ScopesMissing(quotedIn(challenge, "scope"));
    }
    return this.#breakOff === undefined ? response : reportingBreaks(response, this.#breakOff);
  }
}

/** A copy of a response. @param onBreak called if its body breaks off */
function reportingBreaks(response: Response, onBreak: (error: unknown) => void): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const copy = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        onBreak(error);
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(copy, { status, statusText, headers });
}

/** The value of a parameter of a `WWW-Authenticate` header. */
function quotedIn(challenge: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(challenge)?.[1];
}
