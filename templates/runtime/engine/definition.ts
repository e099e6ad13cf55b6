import type {
  CacheHint,
  ContentBlock,
  Implementation,
  Prompt,
  PromptMessage,
  Resource,
  ResourceTemplateType,
  Tool,
} from "@modelcontextprotocol/server";
import type { EngineParts } from "./parts.js";
import type { Limits } from "./limits.js";
import type { CreateMetrics } from "../observe/metrics-page.js";
import type { ToolResult } from "../tools/result.js";
import type { CreateAsking } from "./runtime.js";

/**
 * What the generated tables hand to the runtime: everything the compiler knew about the server.
 * The tables are checked against the user's handlers where they are written; here the handlers'
 * types are erased, since one runtime serves them all.
 */
export interface ServerDefinition extends EngineParts {
  readonly info: Implementation;
  readonly instructions?: string;
  readonly transports: readonly TransportDefinition[];
  /** Whether clients of the older eras are served beside those of 2026-07-28. */
  readonly protocol: { readonly legacy: "serve" | "reject" };
  readonly env: readonly EnvVariable[];
  readonly tools: readonly ToolEntry[];
  readonly resources: readonly ResourceEntry[];
  readonly resourceTemplates: readonly ResourceTemplateEntry[];
  readonly prompts: readonly PromptEntry[];
  /** Caching hints of every list and read; an item may have its own. */
  readonly cache?: CacheHint;
  /** Items on a page of a list; all of them where it is absent. */
  readonly pageSize?: number;
  /** Where the server's limits differ from the runtime's defaults. */
  readonly limits?: Partial<Limits>;
  /** `createAsking` of `asking.ts`, in a project with a handler that may ask its client for something. */
  readonly createAsking?: CreateAsking;
  /** `createMetrics` of `metrics.ts`, in a project that has a page for them. */
  readonly createMetrics?: CreateMetrics;
}

export type TransportDefinition = { readonly type: "stdio" } | NetworkDefinition | CustomDefinition;

/** A transport behind a listener. */
export type NetworkDefinition = HttpDefinition | SseDefinition | WebSocketDefinition;

/** A transport of the project's own, in `src/transports/<name>.ts`. */
export interface CustomDefinition {
  readonly type: "custom";
  readonly name: string;
}

/** Where a transport listens, and who may call. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Host names (no port) accepted in `Host` beside the loopback names and `host`. */
  readonly allowedHosts: readonly string[];
  /** Origins that browsers may call from beside the loopback ones; CORS headers are sent to these only. */
  readonly allowedOrigins: readonly string[];
  /** How many proxies in front of the server may name the client's address. */
  readonly trustProxy: number;
}

export interface HttpDefinition extends Address {
  readonly type: "http";
  /** Whether clients of the older eras get sessions, and where these are kept. */
  readonly sessions: "none" | "memory";
  /** Whether a client that lost the stream of an answer can have the rest of it; needs sessions. */
  readonly resumable: boolean;
  /** Whether pages of `allowedOrigins` get CORS headers. */
  readonly cors: boolean;
  readonly tls?: TlsDefinition;
  /** Path of the page that says whether the server is up. */
  readonly health: string;
  /** Path of the page of metrics; there is none where it is absent. */
  readonly metrics?: string;
}

/** HTTP with server-sent events, as it was before Streamable HTTP. */
export interface SseDefinition extends Address {
  readonly type: "sse";
  /** Where clients post their messages. */
  readonly messagesPath: string;
}

export interface WebSocketDefinition extends Address {
  readonly type: "websocket";
}

/** Names of the environment variables that hold the paths of the PEM files. */
export interface TlsDefinition {
  readonly cert: string;
  readonly key: string;
}

export interface EnvVariable {
  readonly name: string;
  readonly type: "string" | "number" | "boolean" | "url";
  readonly required: boolean;
  readonly secret: boolean;
  readonly default?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
}

/** One finding of a compiled validator, in AJV's shape. */
export interface ValidationIssue {
  readonly instancePath: string;
  /** Of outputs always; of inputs where the message leaves out what a caller needs. */
  readonly keyword?: string;
  readonly message?: string;
  /** Only of keywords whose message leaves out what a caller needs: the values of an `enum`, say. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A validator compiled at generation time; it never changes its argument. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly ValidationIssue[] | null;
}

/**
 * Where a schema has defaults, as a tree: applied to validated arguments before the handler runs.
 * `value` fills a missing property; `properties` and `items` say where to go on inside.
 */
export interface Defaults {
  readonly value?: unknown;
  readonly properties?: Readonly<Record<string, Defaults>>;
  readonly items?: Defaults;
}

/** A handler with its types erased. */
export type AnyHandler<Result> = (input: never, context: never) => Result | Promise<Result>;

/** What every item may say about how it is served. */
export interface ItemSettings {
  /** Whether it is there from the start; only of items that can be switched on and off. */
  readonly enabled?: boolean;
  /** Time limit of its handler, where it is not the server's. */
  readonly timeoutMs?: number;
  /** OAuth scopes that a caller over the network needs, all of them. */
  readonly scopes?: readonly string[];
}

/** An item's own code. */
export interface HandlerBehaviour {
  readonly kind: "handler";
  readonly handler: AnyHandler<unknown>;
  /** Absent where the handler asks nothing: only handlers that may ask are run so that they can. */
  readonly asks?: Asks;
}

/** What a handler may ask the client for in the middle of a call. */
export interface Asks {
  /** Questions to the user, by key. */
  readonly elicitations?: Readonly<Record<string, Elicitation>>;
  /** Whether it may ask the client's model. */
  readonly sampling?: boolean;
  /** Whether it may ask for the client's folders. */
  readonly roots?: boolean;
}

/** A question to the user: a form to fill in, or a page to open. */
export type Elicitation = FormElicitation | UrlElicitation;

export interface FormElicitation {
  readonly kind: "form";
  readonly message: TextTemplate;
  /** The form as it goes on the wire. */
  readonly requestedSchema: FormSchema;
  readonly validate: Validator;
}

export interface UrlElicitation {
  readonly kind: "url";
  readonly message: TextTemplate;
  readonly url: TextTemplate;
}

/** A flat object schema; the protocol says what its properties may be. */
export interface FormSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, object>>;
  readonly [keyword: string]: unknown;
}

export interface ToolEntry extends ItemSettings {
  /** The item of `tools/list`, as it goes on the wire. */
  readonly definition: Tool;
  /** Other names that the tool answers to; they are in no list. */
  readonly aliases?: readonly string[];
  readonly validateInput: Validator;
  readonly defaults?: Defaults;
  readonly validateOutput?: Validator;
  readonly behaviour:
    | (HandlerBehaviour & {
        readonly mock: MockAnswer;
        /** What it answers instead to calls that other examples show. */
        readonly mocks?: readonly MockedCall[];
      })
    | {
        readonly kind: "fixed";
        readonly content: readonly FixedBlock[];
        readonly structuredContent?: unknown;
        readonly isError?: boolean;
      };
}

/** An example of the manifest, as a stub answers it in mock mode. */
export interface MockedCall {
  /** Defaults filled in. */
  readonly arguments: object;
  readonly answer: MockAnswer;
}

/**
 * What a stub answers in mock mode to calls that no example shows: what the manifest's first example
 * says, or a value made from the output schema.
 */
export type MockAnswer =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "error"; readonly error: string };

/** What a tool handler may return: the typed value where there is an output schema, else text or content. */
export type ToolContent = string | ContentBlock | readonly ContentBlock[] | ToolResult;

/** Compiled `{{argument}}` text: rendered once, left to right; substituted values are never scanned again. */
export type TextTemplate = readonly TextPart[];
export type TextPart =
  | string
  | { readonly argument: string }
  | { readonly when: string; readonly then: TextTemplate }
  | { readonly unless: string; readonly then: TextTemplate };

/** A content block of fixed content; a text block's text is a template. */
export type FixedBlock =
  | { readonly type: "text"; readonly text: TextTemplate; readonly [key: string]: unknown }
  | Exclude<ContentBlock, { type: "text" }>;

/** Settings of what can be read. */
interface ReadSettings extends ItemSettings {
  /** Caching hints that differ from the server's. */
  readonly cache?: CacheHint;
  /** Whether clients may ask to be told of changes. */
  readonly subscribe?: boolean;
}

export interface ResourceEntry extends ReadSettings {
  /** The item of `resources/list`, as it goes on the wire. */
  readonly definition: Resource;
  readonly behaviour:
    | HandlerBehaviour
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "blob"; readonly blob: string }
    /** `path` is relative to the project's folder. */
    | { readonly kind: "file"; readonly path: string };
}

/** The values themselves, or the code that finds them. */
export type CompletionSource = readonly string[] | AnyHandler<unknown>;

/** A compiled URI template; `operator` is RFC 6570's, empty for `{x}`. */
export type UriTemplatePart =
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "expression";
      readonly operator: "" | "+" | "/" | "." | "?";
      readonly names: readonly string[];
      readonly explode: boolean;
    };

export interface ResourceTemplateEntry extends ReadSettings {
  /** The item of `resources/templates/list`, as it goes on the wire. */
  readonly definition: ResourceTemplateType;
  readonly parts: readonly UriTemplatePart[];
  /** Values offered by `completion/complete`, by variable. */
  readonly complete?: Readonly<Record<string, CompletionSource>>;
  /** Lists the instances that there are. */
  readonly list?: (context: never) => unknown;
  readonly behaviour: HandlerBehaviour;
}

/** A prompt as it is listed; the SDK's type leaves out the titles of arguments. */
export type ListedPrompt = Omit<Prompt, "arguments"> & {
  arguments?: (NonNullable<Prompt["arguments"]>[number] & { title?: string })[];
};

export interface PromptEntry extends ItemSettings {
  /** The item of `prompts/list`, as it goes on the wire. */
  readonly definition: ListedPrompt;
  /** Values offered by `completion/complete`, by argument. */
  readonly complete?: Readonly<Record<string, CompletionSource>>;
  readonly behaviour:
    HandlerBehaviour | { readonly kind: "messages"; readonly messages: readonly FixedMessage[] };
}

export interface FixedMessage {
  readonly role: PromptMessage["role"];
  readonly content: FixedBlock;
}
