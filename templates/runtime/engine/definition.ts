import type { EventEmitter } from "node:events";
import type {
  AuthInfo,
  CacheHint,
  CallToolResult,
  Implementation,
  JSONObject,
  McpServer,
  ServerCapabilities,
  ServerContext,
  Transport,
} from "@modelcontextprotocol/server";
import type { AuditDefinition } from "../audit/definition.js";
import type { Trail } from "../audit/trail.js";
import type { RequestScopes } from "../authentication/access.js";
import type { Verification, VerificationServer } from "../authentication/authenticate.js";
import type { CreateBackends } from "../backends/backends.js";
import type { Caller } from "../context/context.js";
import type { DatabaseDefinition, OpenDatabase, TraceStatements } from "../databases/definition.js";
import type { FastPathRequest } from "../fast-path/request.js";
import type { HttpDefinition, ServerCard, NetworkDefinition } from "../http/definition.js";
import type { Gate } from "../http/gate.js";
import type { PageAnswer, PlainPage } from "../http/page-answer.js";
import type { RequestHead, RequestHeaders } from "../http/request-head.js";
import type { Awaitable } from "./awaitable.js";
import type { SharedBudget } from "../http/rate-limit.js";
import type { JoinReplicas } from "../http/replicas.js";
import type { Logger } from "../observe/log.js";
import type { RefusalCounts } from "../observe/refusals.js";
import type { PageDocument } from "../page/page.js";
import type { PromptEntry } from "../prompts/definition.js";
import type { CreateConnector, RemoteServerDefinition } from "../remote-servers/definition.js";
import type { ResourceEntry, ResourceTemplateEntry } from "../resources/definition.js";
import type { RestrictDefinition } from "../restrict/definition.js";
import type { ScaleDefinition, Sharing } from "../scale/definition.js";
import type { RedisConnection } from "../scale/redis-connection.js";
import type { SearchExposure } from "../search/definition.js";
import type { CreateFacility, RunningServer, ServerOptions } from "../server/create-server.js";
import type { ServedSetting } from "../server/needed-parts.js";
import type { FetchOptions } from "../server/requests.js";
import type { Environment, EnvVariable } from "../start/env.js";
import type { OpenFacility } from "../start/make-server.js";
import type { CheckArguments, ToolEntry } from "../tools/definition.js";
import type { TextForm } from "../tools/short-content.js";
import type { OpenKey } from "../upstreams/assertion.js";
import type { TraceRequest } from "../upstreams/messages.js";
import type { UpstreamDefinition } from "../upstreams/definition.js";
import type { Engine } from "./engine.js";
import type { Feature, Method, Methods } from "./feature.js";
import type { CreateItemList } from "./item-list.js";
import type { Item, ItemLists } from "./item.js";
import type { Late } from "./awaitable.js";
import type { SetLimits } from "./limits.js";
import type { RequestParameters } from "./request-parameters.js";
import type { ExactNumbers } from "./rounded-numbers.js";
import type { SkillFolder } from "../skills/definition.js";
import type { HandlerRunner, Runtime } from "./runtime.js";

/**
 * Everything that a server offers and uses, as `defineServer` puts it together. The types of its items are erased,
 * since the same runtime serves every project.
 */
export interface ServerDefinition extends RuntimeParts {
  /** Always absent: the parts that a server imports late have been imported. */
  readonly lateParts?: undefined;
  /** The name, the version and the texts by which clients know the server. */
  readonly info: Implementation;
  /** The instructions for models that use the server. */
  readonly instructions?: string;
  /** The settings of the transports. */
  readonly transports: readonly TransportDefinition[];
  /** Whether clients of the older eras are served, in addition to those of 2026-07-28. */
  readonly protocol: { readonly legacy: "serve" | "reject" };
  /** Caching hints of every list and read. An item may have its own. */
  readonly cache?: CacheHint;
  /** Most items on a page of a list; absent if all are on one page. */
  readonly pageSize?: number;
  /** The settings of extensions that the project's own code implements, by their ids. */
  readonly extensions?: Readonly<Record<string, JSONObject>>;
  /** The limits that differ from the runtime's defaults. */
  readonly limits?: SetLimits;
  /** Where the audit trail is written, and what it contains; absent if there is none. */
  readonly audit?: AuditDefinition;
  /** Methods that clients may call without credentials. */
  readonly publicMethods?: readonly string[];
  /** The databases that the project queries. */
  readonly databases?: readonly DatabaseDefinition[];
  /** The prompts. */
  readonly prompts: readonly PromptEntry[];
  /** The other MCP servers that the project uses. */
  readonly servers?: readonly RemoteServerDefinition[];
  /** The resources. */
  readonly resources: readonly ResourceEntry[];
  /** The resource templates. */
  readonly resourceTemplates: readonly ResourceTemplateEntry[];
  /** The variables and scopes by which operators and callers get a part of the items. */
  readonly restrict?: RestrictDefinition;
  /** All items, where only a part of them is served. The others do not exist for clients. */
  readonly whole?: ItemLists;
  /** The groups that were chosen at the start, where only those are served. */
  readonly chosenGroups?: readonly string[];
  /** The folders of skills, each read by one of the resource templates. */
  readonly skillFolders?: readonly SkillFolder[];
  /** What the replicas of this server share through Redis. */
  readonly scale?: ScaleDefinition;
  /** The environment variables of the manifest. */
  readonly env: readonly EnvVariable[];
  /** The tools. */
  readonly tools: readonly ToolEntry[];
  /** The services that the project calls over HTTP. */
  readonly upstreams?: readonly UpstreamDefinition[];
}

/** The settings of a transport. A `custom` one is the project's own code. */
export type TransportDefinition =
  | { readonly type: "stdio" }
  | { readonly type: "custom"; readonly name: string }
  | NetworkDefinition;

/**
 * The parts of the runtime that only some servers use. What a server names brings its own parts: the transport `http`
 * those for requests, `redis` those that replicas share. Parts for items and settings are imported if a server has some
 * that need them. Nothing else is loaded.
 */
export interface RuntimeParts {
  /** The settings of items that the parts of the server serve. Other settings of that kind are refused at the start. */
  readonly serves?: readonly ServedSetting[];
  /** Makes the tools that find and call all others. Only they are listed. */
  readonly createSearchedTools?: CreateFeature;
  /** Makes what answers the requests about resources and templates. */
  readonly createResources?: CreateFeature;
  /** Makes what answers the requests about prompts. */
  readonly createPrompts?: CreateFeature;
  /** Makes what answers requests for suggested values. */
  readonly createCompletion?: CreateFeature;
  /** Makes lists that have pages, or items that change or depend on the caller. */
  readonly createPagedList?: CreateItemList;
  /** Refuses callers who lack the scopes of an item. */
  readonly guardMethods?: WrapMethods;
  /** Records a span for each request. */
  readonly traceMethods?: WrapMethods;
  /** Whether an item is hidden from a caller, for whom it then does not exist. By default no item is. */
  readonly isHidden?: (item: Item, caller: Partial<Caller>) => boolean;
  /** Changes a message of a client before it is parsed. */
  readonly convertMessage?: (message: Buffer) => Buffer;
  /** Makes the object that knows the scopes of items. */
  readonly createScopes?: (
    definition: ServerDefinition,
    methods: ReadonlyMap<string, Method>,
  ) => RequestScopes;
  /** Makes the verification that the manifest's `auth` describes. */
  readonly createVerification?: (env: never, server: VerificationServer) => Verification;
  /** Makes `ctx.upstreams`. */
  readonly createUpstreams?: CreateBackends;
  /** Makes `ctx.servers`. */
  readonly createServers?: CreateBackends;
  /** Makes `ctx.databases`. */
  readonly createDatabases?: CreateBackends;
  /** Prepares the connections to a database of Postgres. */
  readonly openPostgres?: OpenDatabase;
  /** Prepares the connections to a database of SQLite. */
  readonly openSqlite?: OpenDatabase;
  /** Makes a span for each statement of a database. */
  readonly traceStatements?: TraceStatements;
  /** Returns the modules of an item that must be imported before its handler runs. */
  readonly importsOf?: (item: Item) => readonly Late<unknown>[];
  /** Refuses numbers in answers of users that JavaScript would round. */
  readonly exactNumbers?: ExactNumbers;
  /** Makes the test for requests of the older eras that only the SDK can answer. */
  readonly legacyExceptions?: (engine: Engine) => (request: FastPathRequest) => boolean;
  /** Whether the tool with this name has an argument that a request header repeats. */
  readonly repeatsArguments?: (tools: readonly ToolEntry[], name: unknown) => boolean;
  /** Makes the page that reports to load balancers whether the server is ready. */
  readonly readyPage?: (gate: Gate, server: RunningServer) => PlainPage;
  /** Makes the page of metrics. */
  readonly metricsPage?: (gate: Gate, server: RunningServer) => PlainPage;
  /** Makes the pages with which callers link accounts, by their paths. */
  readonly accountPages?: (
    gate: Gate,
    server: RunningServer,
    definition: HttpDefinition,
  ) => ReadonlyMap<string, PlainPage>;
  /** Whether callers link accounts, which all processes must know. */
  readonly keepsAccounts?: boolean;
  /** Makes the page of the server card. */
  readonly cardPage?: (definition: ServerDefinition, card: ServerCard) => PlainPage;
  /** Makes the page that browsers get. It returns undefined for requests that are not for it. */
  readonly createPage?: (
    gate: Gate,
    server: RunningServer,
    definition: HttpDefinition,
  ) => ((request: RequestHead) => Awaitable<PageAnswer> | undefined) | undefined;
  /**
   * Answers a request within the trace that its headers name.
   * @param request The request of Node.js, if it is one.
   */
  readonly traceHeaders?: <Answer>(
    headers: RequestHeaders,
    answer: () => Answer,
    request?: EventEmitter,
  ) => Answer;
  /** Prepares the SDK's server for a request whose headers repeat arguments. */
  readonly compareHeaders?: (
    mcp: McpServer,
    tools: readonly ToolEntry[],
    headers: Headers,
    isHidden: (tool: ToolEntry) => boolean,
  ) => void;
  /** Returns the capabilities for a client that cannot get notifications of changes. */
  readonly quietCapabilities?: (capabilities: ServerCapabilities) => ServerCapabilities;
  /** Limits the open questions to a client with a lasting connection. */
  readonly limitQuestions?: (server: RunningServer, transport: Transport, holder: string) => void;
  /** Loads the page. It is large, so it is loaded at the first request for it. */
  readonly loadPage?: () => Promise<PageDocument>;
  /** Connects to servers that are programs. */
  readonly programTransport?: CreateConnector;
  /** Connects to servers at URLs. */
  readonly urlTransport?: CreateConnector;
  /** Sends events and switches to the other replicas, and applies theirs. */
  readonly shareChanges?: (redis: RedisConnection, sharing: Sharing, controls: object) => void;
  /** Gives each client one request budget for all replicas together. */
  readonly shareRates?: (redis: RedisConnection, sharing: Sharing) => SharedBudget;
  /** Whether clients keep states that count once, so that all processes must know which were used. */
  readonly usesNonces?: boolean;
  /** Set if clients find tools by search. Names the tools that are listed nevertheless. */
  readonly exposure?: SearchExposure;
  /** Makes the functions by which handlers and services change the running server. */
  readonly createControls?: (definition: ServerDefinition) => object;
  /** Makes a function that tells whether a request repeats a refusal. The log only counts such requests. */
  readonly countRefusals?: (log: Logger) => RefusalCounts;
  /** Makes the runner of handlers that need more than one call. */
  readonly createHandlerRunner?: (
    definition: ServerDefinition,
    options: ServerOptions,
  ) => HandlerRunner;
  /** Makes the facility that switches items and notifies clients of changes. */
  readonly createChanges?: CreateFacility;
  /** Makes the facility that hands data about HTTP requests over to handlers. */
  readonly createRequestData?: CreateFacility;
  /** Makes the facility that gives handlers what they ask, such as databases and upstreams. */
  readonly createBackends?: CreateFacility;
  /** Makes the facility that counts and measures requests. */
  readonly createMetrics?: CreateFacility;
  /** Makes the facility that runs calls as tasks. */
  readonly createTasks?: CreateFacility;
  /** Makes the facility that warns of deprecated items at their use. */
  readonly createDeprecations?: CreateFacility;
  /** Makes the facility that knows callers and what they may use. */
  readonly createAccess?: CreateFacility;
  /** Returns the sender of an HTTP request in the form that the SDK expects. */
  readonly authInfoOf?: (exchange: FetchOptions) => AuthInfo | undefined;
  /** Converts the SDK's description of a request's sender into members of the caller. */
  readonly senderOf?: (info: AuthInfo) => Partial<Caller>;
  /** Reads from a request further members of the caller, which a feature of the server needs. */
  readonly extendCaller?: (request: ServerContext) => Partial<Caller>;
  /** Checks the server's variables. @returns the values for handlers; undefined if a variable is wrong */
  readonly checkEnvironment?: (
    definition: ServerDefinition,
    isMock: boolean,
    log: Logger,
    environment: Environment,
    hasNetwork: boolean,
  ) => object | undefined;
  /** Reads options of the server from the environment. Undefined if one is wrong, which is logged. */
  readonly readSettings?: (
    served: ReadonlySet<TransportDefinition["type"]>,
    log: Logger,
    environment: Environment,
  ) => Partial<ServerOptions> | undefined;
  /**
   * Opens the audit trail of a process. A server in a test has none.
   * @throws SettingError if it cannot be opened
   */
  readonly openAudit?: OpenFacility;
  /**
   * Opens what the lines of the audit trail are written to.
   * @param root The project's folder. @throws SettingError if it cannot be opened
   */
  readonly openTrail?: (definition: ServerDefinition, env: object, root: string) => Trail;
  /** Connects the process with the other replicas of the server. */
  readonly joinReplicas?: () => Promise<JoinReplicas>;
  /** Makes an API key and its entry for the server's keys. */
  readonly newKey?: (name: string) => string;
  /**
   * Prepares the arguments of a call before they are validated. @returns a function that finds a further
   * mistake in valid arguments; undefined where there can be none
   */
  readonly prepareArguments?: (input: RequestParameters) => CheckArguments | undefined;
  /** Fills in the defaults of a tool's schema. */
  readonly withDefaults?: (input: RequestParameters, tool: ToolEntry) => RequestParameters;
  /** Answers for a tool without a handler. @param longest Longest text, in UTF-16 code units. */
  readonly renderFixed?: (
    tool: ToolEntry,
    input: RequestParameters,
    longest: number,
  ) => CallToolResult;
  /** Tells a structured value as text, for tools whose text is no JSON. */
  readonly shortText?: (form: TextForm, value: unknown) => string | undefined;
  /** Makes a span for each request to an upstream. */
  readonly traceRequest?: TraceRequest;
  /** Reads private keys, with which this server signs what it says to authorization servers. */
  readonly openKey?: OpenKey;
}

/** Makes a feature of a server; undefined if the server has no items of its kind. */
export type CreateFeature = (definition: ServerDefinition, runtime: Runtime) => Feature | undefined;

/** Returns methods that do something before or after the given ones. */
export type WrapMethods = (methods: Methods, definition: ServerDefinition) => Methods;
