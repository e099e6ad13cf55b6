import type { AuditModel, AuthModel } from "./auth.js";
import type {
  BodyModel,
  DatabaseModel,
  HttpAnswerModel,
  McpBodyModel,
  ProgramAnswerModel,
  RemoteServerModel,
  SourceModel,
  UpstreamModel,
} from "./bodies.js";
import type { JsonObject, JsonSchema, JsonValue } from "./json.js";
import type { TextTemplate } from "./text-template.js";

/**
 * The server that a valid manifest describes, with every default filled in and every name
 * resolved. Made by 3-normalize, deeply frozen, and the only input of the later phases:
 * nothing past this point knows about YAML.
 */
export interface ServerModel {
  /** npm package name and `serverInfo.name`. */
  readonly name: string;
  /** Absent where the project's `package.json` has it. */
  readonly version?: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly JsonObject[];
  readonly instructions?: string;
  readonly license?: string;
  readonly author?: JsonValue;
  readonly repository?: JsonValue;
  readonly keywords?: readonly string[];
  readonly protocol: ProtocolModel;
  readonly transports: readonly TransportModel[];
  readonly env: readonly EnvVariableModel[];
  /** Services that the server calls; absent where there are none. */
  readonly upstreams?: readonly UpstreamModel[];
  /** Other MCP servers that the server asks; absent where there are none. */
  readonly servers?: readonly RemoteServerModel[];
  readonly databases?: readonly DatabaseModel[];
  /** Who may call over the network; absent where the manifest does not say. */
  readonly auth?: AuthModel;
  readonly audit?: AuditModel;
  /** Whether requests are spans of OpenTelemetry; absent where they are not. */
  readonly telemetry?: true;
  /** What the processes of this server share; absent where each stands alone. */
  readonly scale?: ScaleModel;
  /** Whether handlers run programs: those that were bodies. Where an item has such a body, they may as well. */
  readonly programs?: true;
  /** Whether handlers read directories: those that were bodies. Where an item has such a body, they may as well. */
  readonly directories?: true;
  /** What people get the server by, beside its npm package; absent where the manifest asks for nothing. */
  readonly package?: PackageModel;
  /** Which files run it in containers; absent where the manifest asks for none. */
  readonly deploy?: DeployModel;
  /** Only the limits that the manifest sets; the runtime has a default for each. */
  readonly limits?: LimitsModel;
  /** Caching hints of every list and read; an item may have its own. */
  readonly cache?: CacheModel;
  /** Items on a page of a list; everything is on one page where it is absent. */
  readonly pageSize?: number;
  /** Which tools are listed, where not all are. */
  readonly exposure?: ExposureModel;
  readonly sharedSchemas: readonly SharedSchemaModel[];
  readonly tools: readonly ToolModel[];
  readonly resources: readonly ResourceModel[];
  readonly resourceTemplates: readonly ResourceTemplateModel[];
  readonly prompts: readonly PromptModel[];
}

export interface ProtocolModel {
  /** Whether clients of the older eras are served beside those of 2026-07-28. */
  readonly legacy: "serve" | "reject";
}

export type TransportModel =
  | StdioTransportModel
  | HttpTransportModel
  | SseTransportModel
  | WebSocketTransportModel
  | CustomTransportModel;

export interface StdioTransportModel {
  readonly type: "stdio";
}

/** Where a transport listens, and who may call. */
export interface AddressModel {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Host names (no port) that the Host header may carry beside the loopback names. */
  readonly allowedHosts: readonly string[];
  /** Origins (scheme, host and port) that browsers may call from beside the loopback ones. */
  readonly allowedOrigins: readonly string[];
  /** How many proxies in front of the server may name the client's address. */
  readonly trustProxy: number;
}

/** Streamable HTTP. */
export interface HttpTransportModel extends AddressModel {
  readonly type: "http";
  /** Whether clients of the older eras get sessions, and where these are kept. */
  readonly sessions: "none" | "memory";
  /** Whether a broken stream can be taken up again. */
  readonly resumable: boolean;
  /** Whether pages of `allowedOrigins` get CORS headers. */
  readonly cors: boolean;
  /** Names of the environment variables that hold the paths of the PEM files. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly health: string;
  /** Path of the page that says whether the server can be sent requests, where there is one. */
  readonly ready?: string;
  /** Path of the page of metrics, where there is one. */
  readonly metrics?: string;
  /** The page for people, where there is one, and whether other machines may see it. */
  readonly page?: { readonly public: boolean };
}

/** HTTP with server-sent events, as it was before Streamable HTTP. */
export interface SseTransportModel extends AddressModel {
  readonly type: "sse";
  /** Where clients post their messages. */
  readonly messagesPath: string;
}

export interface WebSocketTransportModel extends AddressModel {
  readonly type: "websocket";
}

/** A transport of the project's own, in `src/transports/<name>.ts`. */
export interface CustomTransportModel {
  readonly type: "custom";
  readonly name: string;
}

/** Each member is absent where the manifest does not ask for it. */
export interface PackageModel {
  readonly registry?: RegistryModel;
  /** A bundle for desktop clients. */
  readonly mcpb?: true;
  /** Links for clients, and a command that adds the server to them. */
  readonly clients?: true;
  /** Workflows for GitHub. */
  readonly github?: true;
}

/** Files that run the server in containers. */
export interface DeployModel {
  readonly docker: boolean;
  readonly compose: boolean;
  readonly kubernetes: boolean;
}

/** The entry in the MCP registry. */
export interface RegistryModel {
  readonly name: string;
  /** Where everyone reaches the server over HTTP, if anywhere. */
  readonly url?: string;
  /** Whether the entry names the npm package. */
  readonly npm: boolean;
}

/** Limits of the running server, by their names in the manifest. */
export type LimitsModel = Readonly<Record<string, number>>;

export interface CacheModel {
  /** How long an answer stays fresh, in milliseconds. */
  readonly ttlMs?: number;
  readonly cacheScope?: "public" | "private";
}

/** What several processes of one server share through Redis. */
export interface ScaleModel {
  /** The environment variable that holds the URL of Redis. */
  readonly redis: { readonly env: string };
  readonly share: readonly ("events" | "switches" | "rates")[];
}

/** The other tools are found by searching. */
export interface ExposureModel {
  /** Names of the tools that are listed, in the manifest's order of tools. */
  readonly listed: readonly string[];
}

export interface EnvVariableModel {
  readonly name: string;
  readonly type: "string" | "number" | "boolean" | "url";
  readonly description?: string;
  readonly required: boolean;
  readonly secret: boolean;
  readonly default?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
}

/** An entry of the manifest's `schemas`. */
export interface SharedSchemaModel {
  readonly name: string;
  /** Name of its TypeScript type, unique among all type names. */
  readonly typeName: string;
  readonly schema: JsonSchema;
}

/** A schema in its two forms. */
export interface SchemaModel {
  /** As written: shared schemas are `{ $ref: "#/schemas/Name" }`. Types are made from this. */
  readonly authored: JsonSchema;
  /** Self-contained: shared schemas stand under its own `$defs`. This goes on the wire and into validators. */
  readonly wire: JsonSchema;
  /** What clients are shown instead, where model APIs refuse what stands at the root: the same, or wider. */
  readonly shown?: JsonObject;
}

/** The names that an item has in generated code, unique in its kind and safe as they stand. */
export interface ItemNames {
  /** camelCase, never a reserved word: `getForecast`. */
  readonly identifier: string;
  /** PascalCase: `GetForecast`. */
  readonly typeName: string;
  /** kebab-case without extension, safe on every file system: `get-forecast`. */
  readonly fileName: string;
}

interface ItemBase extends ItemNames {
  /** The manifest's name: `get_forecast`. */
  readonly name: string;
  /** Names that it had in earlier manifests. */
  readonly formerNames?: readonly string[];
  /** The item of the list method, exactly as it goes on the wire; keys in the protocol's order. */
  readonly wire: JsonObject;
  /** Whether it is there from the start; only where it can be switched on and off at run time. */
  readonly enabled?: boolean;
  /** Time limit of its handler in milliseconds, where it is not the server's. */
  readonly timeoutMs?: number;
  /** OAuth scopes that a caller over the network needs, at least one. */
  readonly scopes?: readonly string[];
  /** What its handler may ask the client for, if anything. */
  readonly asks?: AsksModel;
}

export interface AsksModel {
  readonly elicitations: readonly ElicitationModel[];
  /** Whether it may ask the client's model. */
  readonly sampling: boolean;
  /** Whether it may ask for the client's folders. */
  readonly roots: boolean;
}

/** A question to the user. */
export type ElicitationModel = FormModel | PageModel;

interface QuestionBase {
  /** By which handlers know it, unique within its item: `ctx.elicit.<key>()`. */
  readonly key: string;
  /** The message as written. */
  readonly text: string;
  readonly message: TextTemplate;
  /** What the texts have placeholders for. */
  readonly values: readonly QuestionValueModel[];
}

/** A form to fill in. */
export interface FormModel extends QuestionBase {
  readonly kind: "form";
  /** As it goes on the wire. */
  readonly schema: JsonObject;
}

/** A page to open. */
export interface PageModel extends QuestionBase {
  readonly kind: "url";
  readonly url: TextTemplate;
}

export interface QuestionValueModel {
  readonly name: string;
  /** False where the texts have sections for its absence. */
  readonly required: boolean;
}

/** What resources and resource templates say about being read. */
interface Readable {
  /** Whether clients may ask to be told of changes. */
  readonly subscribe: boolean;
  /** Caching hints that differ from the server's. */
  readonly cache?: CacheModel;
}

export interface ToolModel extends ItemBase {
  readonly kind: "tool";
  /** Other names that answer and are not listed. */
  readonly aliases?: readonly string[];
  readonly input: SchemaModel;
  readonly output?: SchemaModel;
  readonly behaviour: { readonly kind: "handler" } | FixedToolResult | BodyModel;
  readonly examples: readonly ToolExample[];
}

/** A tool whose answer stands in the manifest. */
export interface FixedToolResult {
  readonly kind: "fixed";
  readonly content: readonly FixedContentBlock[];
  readonly structuredContent?: JsonValue;
  readonly isError: boolean;
}

export interface ToolExample {
  readonly name: string;
  readonly arguments: JsonObject;
  /** What the upstream answers meanwhile. */
  readonly http?: HttpAnswerModel;
  /** What the program does meanwhile. */
  readonly exec?: ProgramAnswerModel;
  /** Database that the call asks, by its name. */
  readonly database?: string;
  readonly expect:
    | { readonly kind: "result"; readonly result: JsonValue }
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "error"; readonly error: string };
}

/** A content block of fixed content: a text block carries a template, any other stands as it is. */
export type FixedContentBlock =
  | { readonly kind: "text"; readonly text: TextTemplate; readonly rest: JsonObject }
  | { readonly kind: "verbatim"; readonly block: JsonObject };

export interface ResourceModel extends ItemBase, Readable {
  readonly kind: "resource";
  readonly uri: string;
  readonly mimeType?: string;
  readonly behaviour:
    | { readonly kind: "handler" }
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "blob"; readonly blob: string }
    | { readonly kind: "file"; readonly path: string }
    | BodyModel;
}

export interface ResourceTemplateModel extends ItemBase, Readable {
  readonly kind: "resourceTemplate";
  readonly uriTemplate: string;
  readonly parts: readonly UriTemplatePart[];
  readonly variables: readonly UriTemplateVariable[];
  readonly mimeType?: string;
  /** What lists the instances; absent where nothing does. */
  readonly list?: "code" | SourceModel;
  /** Whether its handler gets values that may name another place than they seem to. */
  readonly raw?: boolean;
  readonly behaviour: { readonly kind: "handler" } | BodyModel;
}

/** A piece of a URI template; `operator` is RFC 6570's, empty for `{x}`. */
export type UriTemplatePart =
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "expression";
      readonly operator: "" | "+" | "/" | "." | "?";
      readonly names: readonly string[];
      /** `{/path*}`: a list of segments. */
      readonly explode: boolean;
    };

/** The values that are offered, or what finds them: code of the project, or a body. */
export type CompletionModel = readonly string[] | "code" | SourceModel;

export interface UriTemplateVariable {
  readonly name: string;
  /** False for the variables of `{?a,b}`, each of which may be absent. */
  readonly required: boolean;
  /** True for `{/path*}`: the handler gets a list of strings. */
  readonly list: boolean;
  readonly complete?: CompletionModel;
}

export interface PromptModel extends ItemBase {
  readonly kind: "prompt";
  readonly arguments: readonly PromptArgumentModel[];
  readonly behaviour:
    | { readonly kind: "handler" }
    | { readonly kind: "messages"; readonly messages: readonly PromptMessageModel[] }
    | McpBodyModel;
}

export interface PromptArgumentModel {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
  readonly complete?: CompletionModel;
}

export interface PromptMessageModel {
  readonly role: "user" | "assistant";
  readonly content: FixedContentBlock;
}

export type ItemModel = ToolModel | ResourceModel | ResourceTemplateModel | PromptModel;
export type ItemKind = ItemModel["kind"];
