// Made from schemas/manifest.schema.json by `npm run manifest-language`. Do not edit.

/**
 * manifest
 *
 * An mcpwright manifest, version 1: what a Model Context Protocol server lists, written in YAML. Keys that start with `x-` are allowed everywhere and ignored.
 */
export interface Manifest {
  /**
   * Version of this format.
   * @default 1
   */
  manifestVersion?: 1;
  /**
   * Files with further items and what they share: `tools`, `resources`, `resourceTemplates`, `prompts`, `schemas`, `upstreams`, `databases` and `env`. Paths begin at the manifest's folder, and `*` stands for any part of one name. The manifest's own items come first, then those of the files in the order of this list, sorted by path where one entry finds several.
   *
   * At least 1 item
   * @example ["tools/*.yaml", "upstreams.yaml"]
   */
  include?: string[];
  /**
   * Name of the server (`serverInfo.name`) and of its npm package.
   *
   * At most 214 characters, format package-name, pattern `^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$`
   * @example "weather"
   */
  name: string;
  /**
   * Version of the server, in the form of semantic versioning, in quotes or with three parts. With the value `package.json`, the server reads its version from that file at start, for people who release with `npm version`.
   *
   * Format version
   * @example "1.0.0"
   */
  version: string;
  /**
   * Name of the server for people.
   * @example "Weather"
   */
  title?: string;
  /** What the server is for. */
  description?: string;
  /**
   * The server's web site, an http or https URL.
   *
   * Format web-url
   * @example "https://example.com/weather"
   */
  websiteUrl?: string;
  /** Icons of the server. */
  icons?: ManifestIcons;
  /**
   * How a model should use the server; clients may add it to their system prompt.
   * @example "Ask for a city first."
   */
  instructions?: string;
  /**
   * Licence of the generated package, as an SPDX identifier. Goes to package.json.
   *
   * At least 1 character
   * @example "MIT"
   */
  license?: string;
  /** Author of the generated package. Goes to package.json. */
  author?: string | ManifestPerson;
  /** Where the source of the generated package is. Goes to package.json. */
  repository?: string | ManifestRepository;
  /**
   * Words to find the generated package by. Go to package.json.
   * @example ["weather", "forecast"]
   */
  keywords?: string[];
  /**
   * How clients reach the server; each type once.
   *
   * At least 1 item
   * @default [{ type: "stdio" }]
   */
  transports?: ManifestTransport[];
  protocol?: ManifestProtocol;
  /**
   * Environment variables that the server reads: checked at start-up and typed as `ctx.env`.
   * @example { WEATHER_API_KEY: { description: "Key of the forecast API", required: true, secret: true } }
   */
  env?: {
    [key: string]: ManifestEnvironmentVariable;
  };
  /**
   * Services that the server calls over HTTP, for `http` bodies and as `ctx.upstreams` of handlers; and other MCP servers, for `mcp` bodies and as `ctx.servers`.
   * @example { books: { baseUrl: { env: "BOOKS_URL" } } }
   */
  upstreams?: {
    [key: string]: ManifestUpstream;
  };
  /**
   * Databases that the server uses, for `sql` bodies and as `ctx.databases` of handlers.
   * @example { shop: { type: "postgres", url: { env: "SHOP_DB" } } }
   */
  databases?: {
    [key: string]: ManifestDatabase;
  };
  auth?: ManifestAuth;
  audit?: ManifestAudit;
  /**
   * Whether requests, calls of upstreams and statements are spans of OpenTelemetry. The span of a request has `mcpwright.deprecated` where its item is deprecated, and `mcpwright.consent` where `confirm` asked. The project depends only on `@opentelemetry/api`. To export spans, start its SDK in the process of the server.
   * @default false
   */
  telemetry?: boolean;
  scale?: ManifestScale;
  /**
   * Shared JSON Schemas, referred to as `$ref: "#/schemas/Name"` from any schema in the file.
   * @example { City: { type: "string", minLength: 1, description: "City name" } }
   */
  schemas?: {
    [key: string]: ManifestJsonSchema;
  };
  /**
   * How schemas reach clients. `defs`: shared schemas as `$defs` in each tool's schema; `inline`: written out in place, for clients that cannot read `$defs` (a recursive shared schema cannot be). In both, keywords that model APIs refuse at the root of an inputSchema (`$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `enum`) are replaced by others, and values that `enum` or `const` lists without a `type` get it, but arguments are still validated against the schema of the manifest. `verbatim`: like `defs`, with an unchanged root and without such types.
   * @default "defs"
   */
  schemaRefs?: "defs" | "inline" | "verbatim";
  /**
   * What models can call.
   *
   * At most 10000 items
   */
  tools?: ManifestTool[];
  /**
   * What clients can read, each under a URI of its own.
   *
   * At most 10000 items
   */
  resources?: ManifestResource[];
  /**
   * What clients can read under URIs of a common form.
   *
   * At most 10000 items
   */
  resourceTemplates?: ManifestResourceTemplate[];
  /**
   * Prompts that people can pick in a client.
   *
   * At most 10000 items
   */
  prompts?: ManifestPrompt[];
  /**
   * Folders of skills (SEP-2640): texts and files by which a model learns how to do something. Clients list them by `skills/list`, and read their files as resources.
   *
   * At most 100 items
   */
  skills?: ManifestSkillFolder[];
  /** Default caching hints of every list and read; an item may set its own. */
  cache?: ManifestCache;
  /**
   * Items on one page of a list. By default, all are on one page, since many clients never request the second.
   *
   * Integer, at least 1
   */
  pageSize?: number;
  extensions?: ManifestExtensions;
  exposure?: ManifestExposure;
  restrict?: ManifestRestrict;
  /**
   * Whether two tools list and read the resources, `list_resources` and `read_resource`, for clients that show models only tools. Each resource is read as by `resources/read`: with its own scopes, groups and limits.
   * @default false
   */
  resourceTools?: boolean;
  package?: ManifestPackage;
  deploy?: ManifestDeploy;
  page?: ManifestPage;
  card?: ManifestCard;
  diagnostics?: ManifestDiagnostics;
  limits?: ManifestLimits;
}

/**
 * Icons that clients may show.
 * @example [{ src: "https://example.com/icon.png", mimeType: "image/png", sizes: ["48x48"] }]
 */
export type ManifestIcons = ManifestIcon[];

/** A person, as package.json has them. */
export type ManifestPerson = JsonObject;

/** A source repository, as package.json has it. */
export type ManifestRepository = JsonObject;

/** One way for clients to reach the server. */
export type ManifestTransport =
  | ManifestStdioTransport
  | ManifestHttpTransport
  | ManifestSseTransport
  | ManifestWebsocketTransport
  | ManifestCustomTransport;

/**
 * protocol setting
 *
 * Which revisions of the protocol the server answers.
 */
export interface ManifestProtocol {
  /**
   * Whether the server answers clients of 2024-11-05 to 2025-11-25, in addition to those of 2026-07-28.
   * @default "serve"
   */
  legacy?: "serve" | "reject";
}

/**
 * environment variable
 *
 * An environment variable that the server reads. Without settings, an optional string.
 */
export type ManifestEnvironmentVariable =
  | {
      /** What the variable is for; written into `.env.example`. */
      description?: string;
      /**
       * Whether the server refuses to start without it.
       * @default false
       */
      required?: boolean;
      /**
       * Whether its value must not be shown or logged.
       * @default false
       */
      secret?: boolean;
      /** Value that is used if the variable is not set. Not for secrets. */
      default?: string | number | boolean;
      /**
       * What the text of the variable is converted to.
       * @default "string"
       */
      type?: "string" | "number" | "boolean" | "url";
      /**
       * The values that are allowed.
       *
       * At least 1 item
       * @example ["debug", "info", "error"]
       */
      enum?: (string | number)[];
      /** Whether a bundle asks its user for the variable although it may be left unset: `true` for a text, `file` or `directory` for a path that the user chooses. By default it asks for what is required or secret, and for the paths that the manifest uses. */
      ask?: "file" | "directory" | boolean;
    }
  | null;

/**
 * upstream
 *
 * A service that the server calls over HTTP (`baseUrl`), or another MCP server (`mcp`).
 */
export interface ManifestUpstream {
  /** URL of the service, http or https. Tools add to its path and cannot change its host. */
  baseUrl?: ManifestSetting;
  mcp?: ManifestMcpServer;
  auth?: ManifestUpstreamAuth;
  /**
   * Headers of every request.
   * @example { Accept: "application/vnd.github+json" }
   */
  headers?: {
    [key: string]: ManifestSetting;
  };
  /**
   * Time for a whole answer, in milliseconds. By default, an MCP server has the time limit of the item.
   *
   * Integer, 1 to 2147483647
   * @default 10000
   */
  timeoutMs?: number;
  retries?: ManifestUpstreamRetries;
  /**
   * Most requests at the same time; by default, there is no limit.
   *
   * Integer, 1 to 10000
   */
  concurrency?: number;
  /**
   * Whether the upstream itself may be at an address that is not public (loopback, private networks). Redirects to other origins lead to public addresses only. A link-local or metadata address of a cloud must be in the URL itself.
   * @default false
   */
  private?: boolean;
  /**
   * Most redirects that are followed. Credentials are sent to no other origin, nor back from there.
   *
   * Integer, 0 to 20
   * @default 0
   */
  redirects?: number;
  /**
   * Whether an answer that breaks the `outputSchema` of a tool is an error without the answer, so that nothing that the schema does not have reaches callers. By default, the model gets it as text with a notice. A body may say otherwise.
   * @default false
   */
  strict?: boolean;
  /** URL of an HTTP proxy. The proxy resolves names, so it must restrict the addresses of requests. */
  proxy?: ManifestSetting;
  /** Variable with the path of a PEM file: the trusted certificate authorities. */
  ca?: ManifestEnvironmentName;
  /** Variable with the path of a PEM file: the client certificate of the server. */
  cert?: ManifestEnvironmentName;
  /** Variable with the path of a PEM file: the key of that certificate. */
  key?: ManifestEnvironmentName;
}

/**
 * database
 *
 * A database that the server uses. Transactions are read-only, unless a statement has `write: true`.
 */
export interface ManifestDatabase {
  /** `postgres`, or `sqlite` on Node.js 22.13 and newer. */
  type: "postgres" | "sqlite";
  /** URL of a Postgres database, which begins with `postgres://`. Its role must be no superuser, and no member of a role that reads or writes files of the database's machine. */
  url?: ManifestSetting;
  /** The file of a SQLite database: a path relative to the project's folder. */
  file?: ManifestSetting;
  /**
   * Most statements at the same time. A SQLite database has a process for each.
   *
   * Integer, 1 to 1000
   * @default 4
   */
  poolSize?: number;
  /**
   * Time for a statement, in milliseconds.
   *
   * Integer, 1 to 2147483647
   * @default 10000
   */
  timeoutMs?: number;
  /**
   * A file of SQL statements, with its path relative to the project's folder. It makes the data for the examples with `database`. Generated tests run it before each test, so it must also drop what it made before. Tests use a new file for SQLite; for Postgres, they use the database of the variable of `url` with the prefix `TEST_`.
   *
   * At least 1 character, format project-path
   * @example "test/shop.sql"
   */
  testSetup?: string;
  /**
   * Whether rows that break the `outputSchema` of a tool are an error without the rows, so that nothing that the schema does not have reaches callers. By default, the model gets them as text with a notice. A body may say otherwise.
   * @default false
   */
  strict?: boolean;
}

/**
 * auth
 *
 * Who may call over the network, and with which credentials: tokens of authorization servers, keys for machines. Requests without valid credentials get 401. If `src/context.ts` exports `authenticate`, that function decides instead. It may call `verify`, which checks credentials by these settings.
 * @example { resource: { env: "PUBLIC_URL" }, jwt: [{ issuer: "https://idp.example" }] }
 */
export interface ManifestAuth {
  /** Public URL of the server, which clients use. It is the `resource` of RFC 9728, and the audience that tokens must have. Needed with `jwt` and `introspection`. */
  resource?: ManifestSetting;
  /**
   * Issuers of tokens that are JWTs.
   *
   * At least 1 item
   */
  jwt?: ManifestJwtIssuer[];
  introspection?: ManifestIntrospection;
  /** The keys for machines. */
  apiKeys?: string | ManifestApiKeys;
  /**
   * Claims of the caller's token that requests to upstreams may use, as `{{caller.claims.tenant}}`, and statements for Postgres in `role` and `set`, with their types. A caller without such a claim, or with another type of it, cannot use the items that need it. The caller's name is `{{caller.subject}}`, which needs no entry.
   * @example { tenant: "string" }
   */
  claims?: {
    [key: string]: "string" | "number" | "integer" | "boolean";
  };
  /**
   * Methods that need no token. This holds for requests of 2026-07-28 without `Authorization`; older clients authenticate with every request. A caller without a token has no scopes.
   * @example ["server/discover"]
   */
  public?: (
    | "server/discover"
    | "tools/list"
    | "resources/list"
    | "resources/templates/list"
    | "prompts/list"
  )[];
  /**
   * What lists show to a caller over the network: `all` items, so that clients can ask for scopes that they lack, or with `filter` those that the caller has the scopes for; all others then do not exist for the caller.
   * @default "all"
   */
  lists?: "all" | "filter";
}

/**
 * audit
 *
 * A line of JSON for each use of a tool, a resource, a prompt or a completion, written before it is answered, and for each refused request: who, what, when, from where, how long, the outcome, whether the item is deprecated, and what became of a question by `confirm`.
 */
export interface ManifestAudit {
  /** The variable with the path of the file to which lines are appended. By default, they go to stderr. */
  to?: ManifestEnvironmentReference;
  /**
   * What a line has of the arguments: nothing, their names, or their values. Values of secret variables, and of properties whose schema has `writeOnly` or `format: password`, are left out.
   * @default "none"
   */
  arguments?: "none" | "names" | "values";
  /**
   * Whether each answer waits until its line is on the disk. With `true`, a call whose line cannot be written is refused; otherwise it is answered, and the log reports that lines are lost.
   * @default false
   */
  durable?: boolean;
}

/**
 * scale
 *
 * Several processes that serve the same manifest behind a load balancer, and share state through Redis (or Valkey). By default, a process keeps its state in memory.
 * @example { redis: { env: "REDIS_URL" } }
 */
export interface ManifestScale {
  /** The address of Redis. */
  redis: {
    /**
     * The environment variable, declared under `env`, with the URL: `redis://` or, with TLS, `rediss://`. A process without the variable shares nothing.
     * @example "REDIS_URL"
     */
    env: string;
    [key: string]: unknown;
  };
  /**
   * The shared state. `events`: `notify` reaches the clients of all processes. `switches`: `enable` and `disable` apply to all processes, also to those that start later. `rates`: `limits.ratePerSecond` is one budget for all processes. By default, everything that the manifest can use.
   *
   * At least 1 item, no two items equal
   */
  share?: ("events" | "switches" | "rates")[];
}

/** A JSON Schema (2020-12, or draft-07 by `$schema` at the root). `#/schemas/Name` refers to a shared schema of the manifest. */
export type ManifestJsonSchema = boolean | JsonObject;

/**
 * tool
 *
 * A tool that models can call: its item in `tools/list`, and its implementation.
 */
export interface ManifestTool {
  name: ManifestToolName;
  /** Name for people. */
  title?: string;
  /**
   * What the tool does and when to use it. Models read this.
   *
   * At least 1 character
   */
  description: string;
  /**
   * JSON Schema of the arguments; an object. Without it, the tool takes no arguments.
   * @example { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false }
   */
  inputSchema?: ManifestJsonSchema;
  /** JSON Schema of the result (`structuredContent`). Clients before 2026-07-28 get a result that is not an object as `{ result: … }`. */
  outputSchema?: ManifestJsonSchema;
  annotations?: ManifestToolAnnotations;
  icons?: ManifestIcons;
  _meta?: ManifestMeta;
  /**
   * Removed from the protocol in 2026-07-28; accepted and dropped.
   * @deprecated
   */
  execution?: JsonObject;
  renamedFrom?: ManifestRenamedFrom;
  /**
   * A fixed answer: no handler is made. Text blocks may use `{{argument}}`.
   * @example [{ type: "text", text: "Hello {{name}}" }]
   */
  content?: ManifestContentBlock[];
  /** The structured part of a fixed answer; any JSON value. */
  structuredContent?: JsonValue;
  /**
   * Whether the fixed answer is an error.
   * @default false
   */
  isError?: boolean;
  http?: ManifestHttpBody;
  sql?: ManifestSqlBody;
  exec?: ManifestExecBody;
  mcp?: ManifestMcpCall;
  /** Calls with their answers, for documentation, tests, and answers in mock mode. */
  examples?: ManifestToolExample[];
  result?: ManifestToolResult;
  uses?: ManifestUses;
  /** Other names of the tool, which are not listed, for callers of a renamed tool. An alias belongs to one tool, and is no tool's own name. */
  aliases?: ManifestToolName[];
  /**
   * What people want when this tool is the right one, such as `close an issue`. `validate` and every other command report each for which the search of the server finds another tool first.
   *
   * At most 20 items
   */
  intents?: string[];
  elicitations?: ManifestElicitations;
  confirm?: ManifestConfirm;
  /**
   * Whether calls become tasks, for clients of 2026-07-28 that know the extension `io.modelcontextprotocol/tasks`: they get the name of a task at once, ask for its state, answer its questions and can cancel it. All others get the plain call.
   * @default false
   */
  task?: boolean | ManifestTask;
  timeoutMs?: ManifestTimeoutMs;
  scopes?: ManifestScopes;
  groups?: ManifestGroups;
  deprecated?: ManifestDeprecation;
  enabled?: ManifestEnabled;
  /** The page that shows the result, as an MCP App: an HTML file, or `auto`; or that with what the page needs of clients. Without that, the page reaches no server. */
  ui?: ManifestAppFile | ManifestApp;
}

/**
 * resource
 *
 * A resource that clients can read at one URI: its item in `resources/list`, and its implementation.
 */
export interface ManifestResource {
  uri: ManifestUri;
  /** @example "help" */
  name: ManifestItemName;
  /** Name for people. */
  title?: string;
  /** What the resource contains. */
  description?: string;
  mimeType?: ManifestMimeType;
  size?: ManifestSize;
  annotations?: ManifestAnnotations;
  icons?: ManifestIcons;
  _meta?: ManifestMeta;
  /** Fixed content as text: no handler is made. */
  text?: string;
  /** Fixed content as base64: no handler is made. */
  blob?: ManifestBase64;
  /**
   * A file of the project that is read at each request: a path relative to the folder of package.json.
   *
   * Format project-path
   * @example "docs/help.md"
   */
  file?: string;
  http?: ManifestHttpBody;
  sql?: ManifestSqlBody;
  mcp?: ManifestMcpResource;
  subscribe?: ManifestSubscribe;
  cache?: ManifestCache;
  renamedFrom?: ManifestRenamedFrom;
  uses?: ManifestUses;
  elicitations?: ManifestElicitations;
  timeoutMs?: ManifestTimeoutMs;
  scopes?: ManifestScopes;
  groups?: ManifestGroups;
  deprecated?: ManifestDeprecation;
  enabled?: ManifestEnabled;
}

/**
 * resource template
 *
 * Resources that clients can read at URIs of a common form: the item in `resources/templates/list`, and the implementation.
 */
export interface ManifestResourceTemplate {
  /**
   * A URI template with `{x}`, `{+x}`, `{/x}`, `{.x}`, `{?a,b}` and one trailing `{/path*}`; at most 2,048 characters.
   *
   * At most 2048 characters, format uri-template
   * @example "weather://cities/{city}/current"
   */
  uriTemplate: string;
  /** @example "current" */
  name: ManifestItemName;
  /** Name for people. */
  title?: string;
  /** What the resources contain. */
  description?: string;
  /** MIME type, if it is the same for all of them. */
  mimeType?: ManifestMimeType;
  annotations?: ManifestAnnotations;
  icons?: ManifestIcons;
  _meta?: ManifestMeta;
  /**
   * Suggested values, by variable of the template.
   * @example { city: ["Berlin", "Paris"] }
   */
  complete?: {
    [key: string]: ManifestCompletion;
  };
  http?: ManifestHttpBody;
  sql?: ManifestSqlBody;
  directory?: ManifestDirectoryBody;
  mcp?: ManifestMcpResourceTemplate;
  /** How the instances are listed: `code` for a function of your own, or a request or a statement. */
  list?: "code" | ManifestSource;
  /** Whether handlers get values of the path that some file systems resolve to another file: values with a colon or a backslash, with a percent-escape after decoding (`%2e`, `%2f`, `%5c`), with a dot or a space at the end, or the name of a Windows device (`CON`). By default, a URI with such a value is not found. */
  raw?: boolean;
  subscribe?: ManifestSubscribe;
  cache?: ManifestCache;
  renamedFrom?: ManifestRenamedFrom;
  uses?: ManifestUses;
  elicitations?: ManifestElicitations;
  timeoutMs?: ManifestTimeoutMs;
  scopes?: ManifestScopes;
  groups?: ManifestGroups;
  deprecated?: ManifestDeprecation;
  enabled?: ManifestEnabled;
}

/**
 * prompt
 *
 * A prompt that people can choose: its item in `prompts/list`, and its implementation.
 */
export interface ManifestPrompt {
  /**
   * Format prompt-name
   * @example "plan_trip"
   */
  name: ManifestItemName;
  /** Name for people. */
  title?: string;
  /** What the prompt is for. */
  description?: string;
  /**
   * The arguments of the prompt.
   *
   * At most 1000 items
   */
  arguments?: ManifestPromptArgument[];
  icons?: ManifestIcons;
  _meta?: ManifestMeta;
  /**
   * The messages of the prompt: no handler is made. `{{argument}}` is replaced, `{{#argument}}…{{/argument}}` is present only if the argument is, `{{^argument}}…{{/argument}}` only if it is absent.
   *
   * At least 1 item
   * @example [{ role: "user", content: { type: "text", text: "Plan a trip to {{city}}." } }]
   */
  messages?: ManifestPromptMessage[];
  mcp?: ManifestMcpCall;
  renamedFrom?: ManifestRenamedFrom;
  uses?: ManifestUses;
  elicitations?: ManifestElicitations;
  timeoutMs?: ManifestTimeoutMs;
  scopes?: ManifestScopes;
  groups?: ManifestGroups;
  deprecated?: ManifestDeprecation;
  enabled?: ManifestEnabled;
}

/**
 * folder of skills
 *
 * A folder that has a `SKILL.md`, or folders that have one. A resource template of the same name reads its files, and clients get their sizes and digests. Files whose names begin with a dot are not there, nor are links that lead out.
 */
export interface ManifestSkillFolder {
  /**
   * The folder, relative to the project's folder. Its last name, which has small letters, digits and single hyphens, is the beginning of URIs: the files of `skills/review` are at `skill://review/…`. A skill is named like its folder.
   *
   * Format project-path
   * @example "skills"
   */
  root: string;
  /** What the skills are about. */
  description?: string;
  /**
   * Whether clients can subscribe to the files, and are notified of new and deleted ones. Changes are served in any case.
   * @default false
   */
  watch?: boolean;
  scopes?: ManifestScopes;
  groups?: ManifestGroups;
}

/**
 * caching hint
 *
 * Caching hints for clients.
 */
export interface ManifestCache {
  /**
   * How long an answer stays fresh, in milliseconds.
   *
   * Integer, at least 0
   */
  ttlMs?: number;
  /** Who may share a cached answer. If callers must authenticate (`auth`, or items with `scopes`), it is always `private`. */
  cacheScope?: "public" | "private";
}

/**
 * extensions
 *
 * Extensions of the protocol that clients are told of, by id: `com.example/name`. Each has its settings, `{}` where there are none. They stand under `capabilities.extensions`, beside those that mcpwright advertises itself, such as `io.modelcontextprotocol/ui` where a tool has `ui`.
 * @example { "com.example/streams": { maxStreams: 4 } }
 */
export interface ManifestExtensions {
  [key: string]: JsonObject;
}

/** Which tools are listed. By default, all. `search`: three tools that find and call all others (`search_tools`, `read_tool`, `call_tool`), for servers with more tools than a model can choose among. A mapping lists some tools in addition to these three. */
export type ManifestExposure =
  | "search"
  | {
      /**
       * Names of the tools that are listed.
       *
       * At least 1 item
       */
      list: string[];
      /** Whether all other tools are found by searching. */
      search: true;
      [key: string]: unknown;
    };

/**
 * restrict setting
 *
 * How those who start the server, and callers, get a part of its items only; what is off does not exist for clients. All that is said holds at once, so that nothing brings back what something else has taken away. Every server takes `--read-only` and `--groups`.
 * @example { groups: { env: "SHOP_GROUPS" }, readOnly: { scope: "read-only" } }
 */
export interface ManifestRestrict {
  /**
   * restriction to groups
   *
   * How groups of items are chosen.
   */
  groups?: {
    /**
     * The variable with the groups that are served, with commas between them. An unknown group or an empty name stops the start. If the variable is not set, all items are served.
     * @default "MCP_GROUPS"
     */
    env?: ManifestEnvironmentName;
    /**
     * The start of scopes that name groups: with `group:`, a caller over the network who has the scope `group:files` gets only items of the group `files`. A caller without such scopes gets all that is served.
     *
     * At least 1 character, format scope
     * @example "group:"
     */
    scopePrefix?: string;
    [key: string]: unknown;
  };
  /**
   * restriction to reading
   *
   * How the server is restricted to what changes nothing: resources, prompts, and tools with `readOnlyHint: true`.
   */
  readOnly?: {
    /**
     * The variable that restricts the server if it is 1 or true.
     * @default "MCP_READ_ONLY"
     */
    env?: ManifestEnvironmentName;
    /**
     * The scope of callers over the network who get only what changes nothing.
     *
     * At least 1 character, format scope
     * @example "read-only"
     */
    scope?: string;
    [key: string]: unknown;
  };
}

/**
 * package
 *
 * Ways to distribute the server, in addition to its npm package. Each key adds files to the project.
 * @example { registry: { name: "io.github.acme/weather" } }
 */
export interface ManifestPackage {
  registry?: ManifestRegistry;
  /**
   * Whether `npm run mcpb` makes a bundle for desktop clients, `dist/NAME.mcpb`, which they install with one click. The bundle serves over stdio, needs `author`, and asks its user for the variables of `env` that are required or secret, for paths, and for those with `ask`. What acts only over the network, such as keys and issuers, it does not ask for.
   * @default false
   */
  mcpb?: boolean;
  /**
   * Whether SERVER.md has links by which clients install the server, and `npm run install:client -- NAME` adds this checkout to the settings of a client on this machine: `vscode`, `cursor`, `claude-desktop` or `claude-code`.
   * @default false
   */
  clients?: boolean;
  /**
   * Whether the project gets workflows for GitHub, in `.github/workflows/`: `check.yml` checks each change, on the other runtimes that `deploy` names as well, `release.yml` publishes the version of a tag: to npm with its provenance, to GitHub with the bundle, if there is one, and to the MCP registry. They are yours to adapt: later changes are merged by lines, and your lines stay.
   * @default false
   */
  github?: boolean;
}

/**
 * deployment files
 *
 * Files that run the server in containers, and as a worker. Each generation updates them; they are yours to adapt: where you edited them, changes are merged by lines, and your lines stay. In a container, the server listens on all addresses, whatever the `host` of its transports.
 * @example { docker: true, compose: true, kubernetes: true }
 */
export interface ManifestDeploy {
  /**
   * Whether to generate a `Dockerfile` and a `.dockerignore`. `false` for projects that have their own.
   * @default true
   */
  docker?: boolean;
  /**
   * Whether to generate a `compose.yaml`, which builds the image and runs it on this machine, with Redis if `scale` needs it. It serves the transport `http`.
   * @default false
   */
  compose?: boolean;
  /**
   * Whether to generate `deploy/kubernetes/` with a Deployment, a Service, a kustomization and, with `scale`, a PodDisruptionBudget. Your own overlay can change them. Variables come from a Secret and a ConfigMap with the name of the server. They serve the transport `http`.
   * @default false
   */
  kubernetes?: boolean;
  /**
   * Whether to generate `wrangler.jsonc` and the entry of a worker, which serves the transport `http` on Cloudflare Workers; `npm run build:worker` makes `dist/worker.mjs`. Limits, shares and switches hold within one isolate. Bodies of `http` run on the platform's own `fetch`: it resolves names, so that only addresses that a URL says itself are refused.
   * @default false
   */
  workers?: boolean;
  /**
   * Whether to generate `template.yaml` and the handlers of a function of AWS Lambda, which serves the transport `http` at a function URL that streams or behind an HTTP API of API Gateway; `npm run build:lambda` makes `dist/lambda/`. Limits, shares and switches hold within one instance, unless `scale` shares them.
   * @default false
   */
  lambda?: boolean;
  /**
   * Whether to generate `vercel.json` and the entry of a function of Vercel, which serves the transport `http`; `npm run build:vercel` makes `.vercel/output/`. Limits, shares and switches hold within one instance, unless `scale` shares them.
   * @default false
   */
  vercel?: boolean;
  /**
   * Whether package.json has the script `start:bun`, which runs the built server with Bun as one process, with all of its transports.
   * @default false
   */
  bun?: boolean;
  /**
   * Whether package.json has the script `start:deno`, which runs the built server with Deno as one process, with all of its transports. It has the permissions that the manifest needs; handlers may need more.
   * @default false
   */
  deno?: boolean;
}

/** A web page at the address of the transport `http`, where people can read and try in a browser what the server offers. It is one file that makes requests to no other server, and uses MCP with its own, with the token of its user if the server asks for one. Off by default. If the server listens beyond this machine, the page is served only with `public: true`. */
export type ManifestPage =
  | boolean
  | {
      /**
       * Whether the page is served if the server listens beyond this machine.
       * @default false
       */
      public?: boolean;
      [key: string]: unknown;
    };

/** A server card (SEP-2127), which tells clients and catalogues before they connect what the server is called and where it is: at the path of the transport `http` and `/server-card`, without credentials, for pages of every origin. It has the name, version, title, description, web site, icons and repository of the manifest and no tool, resource or prompt. Off by default. */
export type ManifestCard =
  | boolean
  | {
      /**
       * Name of the server: a domain that you own, in reverse, and a name. By default that of `package.registry`.
       *
       * 3 to 200 characters, pattern `^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$`
       * @example "com.example/weather"
       */
      name?: string;
      /**
       * The https URL at which everyone reaches the transport `http`. By default that of `package.registry`, or `auth.resource`, if that is a text; without either, the card does not say where the server is.
       *
       * Format registry-url
       * @example "https://weather.example.com/mcp"
       */
      url?: string;
      [key: string]: unknown;
    };

/**
 * diagnostics setting
 *
 * Settings of diagnostics: severities by code, and the budgets of tools and tokens.
 * @example { MW2302: "off", toolBudget: 60, tokenBudget: 6000 }
 */
export interface ManifestDiagnostics {
  /**
   * Number of tools above which there is a warning, since models choose worse among many; 0 for no warning.
   *
   * Integer, at least 0
   * @default 40
   */
  toolBudget?: number;
  /**
   * Number of tokens above which there is a warning, of all items as the server lists them: clients put them before a model. With it, SERVER.md says what each item takes. Without it, there is no warning.
   *
   * Integer, at least 1
   */
  tokenBudget?: number;
}

/**
 * limits setting
 *
 * Limits of the running server; all have safe defaults. A variable that `env` declares as `type: number` may set one: `ratePerSecond: {env: RATE}`. A request that is refused for a limit is logged as a warning that names the limit and the sender.
 * @example { ratePerSecond: { env: "RATE" }, timeoutMs: 60000 }
 */
export interface ManifestLimits {
  /**
   * Longest message from a client, in bytes. A longer body of an HTTP request is answered with 413, a longer line on stdio with an error, and a longer WebSocket message closes its connection.
   * @default 4194304
   */
  bodyBytes?: number | ManifestEnvironmentReference;
  /**
   * Deepest nesting of a tool call's arguments.
   * @default 64
   */
  depth?: number | ManifestEnvironmentReference;
  /**
   * Most array items and object members in a tool call's arguments, all levels together.
   * @default 50000
   */
  elements?: number | ManifestEnvironmentReference;
  /**
   * Longest URI that can be read, in characters.
   * @default 2048
   */
  uriLength?: number | ManifestEnvironmentReference;
  /**
   * Time limit of a handler, in milliseconds. After it, `ctx.signal` is aborted and the call fails.
   * @default 30000
   */
  timeoutMs?: number | ManifestEnvironmentReference;
  /**
   * Most handlers that run at the same time; further calls are refused immediately. It also limits the open questions to clients of the older eras over a network: if there are more, the caller with the most open questions loses the oldest one.
   * @default 1000
   */
  concurrency?: number | ManifestEnvironmentReference;
  /**
   * Most requests a second from one client over the network; the requests of one second may come at once. Further HTTP requests are answered with 429 and Retry-After, WebSocket messages with the error 429, whose `data.retryAfter` is the number of seconds to wait.
   * @default 1000
   */
  ratePerSecond?: number | ManifestEnvironmentReference;
  /**
   * Most open subscriptions, and most URIs to which clients of the older eras are subscribed.
   * @default 1024
   */
  subscriptions?: number | ManifestEnvironmentReference;
  /**
   * Most tasks of one caller that are not over. Ten times as many are kept, with those that are over, until they expire. Handlers that run for tasks take at most half of `concurrency`.
   * @default 100
   */
  tasks?: number | ManifestEnvironmentReference;
  /**
   * Most clients with HTTP sessions at the same time; also most clients over SSE, and over WebSocket.
   * @default 1000
   */
  sessions?: number | ManifestEnvironmentReference;
  /**
   * Time after which an idle session is closed, in milliseconds.
   * @default 1800000
   */
  sessionIdleMs?: number | ManifestEnvironmentReference;
  /**
   * Most open connections of a listener. If there are more, the client with the most connections loses the one that has waited longest.
   * @default 1024
   */
  connections?: number | ManifestEnvironmentReference;
  /**
   * Time limit for the headers of a request, in milliseconds. After it, the connection is closed.
   * @default 8000
   */
  headersTimeoutMs?: number | ManifestEnvironmentReference;
  /**
   * Time limit for the body after the headers, in milliseconds.
   * @default 17000
   */
  bodyTimeoutMs?: number | ManifestEnvironmentReference;
}

/** An icon that clients may show. */
export type ManifestIcon = JsonObject;

/**
 * stdio transport
 *
 * The client starts the server and talks to it over its standard streams.
 */
export interface ManifestStdioTransport {
  /** Standard input and output. */
  type: "stdio";
}

/**
 * http transport
 *
 * Streamable HTTP.
 */
export interface ManifestHttpTransport {
  /** Streamable HTTP. */
  type: "http";
  host?: ManifestHost;
  port?: ManifestPort;
  /**
   * Path of the endpoint.
   * @default "/mcp"
   */
  path?: ManifestHttpPath;
  /**
   * Whether older clients get sessions, kept in memory.
   * @default "none"
   */
  sessions?: "none" | "memory";
  /**
   * Whether a client can resume a broken stream; needs sessions.
   * @default false
   */
  resumable?: boolean;
  allowedHosts?: ManifestAllowedHosts;
  allowedOrigins?: ManifestAllowedOrigins;
  allowPublicBind?: ManifestAllowPublicBind;
  /** Whether browsers on `allowedOrigins` get CORS headers, also for preflight requests. On by default if `allowedOrigins` is set. */
  cors?: boolean;
  trustProxy?: ManifestTrustProxy;
  tls?: ManifestTls;
  /**
   * Path that answers 200 while the server is up.
   * @default "/healthz"
   */
  health?: ManifestHttpPath;
  /**
   * Path that answers 200 while the server accepts requests, and 503 if it is stopping, cannot reach Redis or a database, or `ready()` of `src/context.ts` returns false. By default `/readyz` with `scale`, and off otherwise.
   * @example "/readyz"
   */
  ready?: ManifestHttpPath;
  /**
   * Path of a page of metrics in the text format of Prometheus: requests by method, name and outcome, connections, memory and the like. Off by default. Everyone who may call the server can read it: the rules for Host and Origin apply, and if callers must authenticate (the manifest has `auth`, items have `scopes`, or `src/context.ts` exports `authenticate`), it asks for a token. The health check asks for none.
   * @example "/metrics"
   */
  metrics?: ManifestHttpPath;
}

/**
 * sse transport
 *
 * HTTP with server-sent events, deprecated by the protocol: for old clients only.
 * @deprecated
 */
export interface ManifestSseTransport {
  /** HTTP with server-sent events (deprecated). */
  type: "sse";
  host?: ManifestHost;
  port?: ManifestPort;
  /**
   * Path of the event stream.
   * @default "/sse"
   */
  path?: ManifestHttpPath;
  /**
   * Path that clients post messages to.
   * @default "/messages"
   */
  messagesPath?: ManifestHttpPath;
  allowedHosts?: ManifestAllowedHosts;
  allowedOrigins?: ManifestAllowedOrigins;
  allowPublicBind?: ManifestAllowPublicBind;
  trustProxy?: ManifestTrustProxy;
}

/**
 * websocket transport
 *
 * WebSocket, for clients that you write yourself.
 */
export interface ManifestWebsocketTransport {
  /** WebSocket. */
  type: "websocket";
  host?: ManifestHost;
  port?: ManifestPort;
  /**
   * Path of the socket.
   * @default "/ws"
   */
  path?: ManifestHttpPath;
  allowedHosts?: ManifestAllowedHosts;
  allowedOrigins?: ManifestAllowedOrigins;
  allowPublicBind?: ManifestAllowPublicBind;
  trustProxy?: ManifestTrustProxy;
}

/**
 * custom transport
 *
 * A transport of your own, in `src/transports/<name>.ts`.
 */
export interface ManifestCustomTransport {
  /** A transport of your own. */
  type: "custom";
  /**
   * Name of the module.
   *
   * Pattern `^[a-z][a-z0-9-]{0,63}$`
   * @example "unix-socket"
   */
  name: string;
}

/** A text, or the environment variable with it. */
export type ManifestSetting = string | ManifestEnvironmentReference;

/**
 * MCP server
 *
 * Another MCP server, of either era: at a URL, or a program that is started at the first call. The connection is kept, and opened again if it is lost. Requests of that server to its client are refused.
 */
export interface ManifestMcpServer {
  /** Its URL, http or https. The other keys of the upstream apply to its requests. */
  url?: ManifestSetting;
  /**
   * The program and its arguments, one by one, without a shell. When the server stops, the program and all processes that it started are ended.
   *
   * At least 1 item
   * @example ["npx", "-y", "@modelcontextprotocol/server-filesystem", "data"]
   */
  command?: ManifestSetting[];
  /** The folder in which the program runs, relative to the project's folder. By default, that folder itself. */
  cwd?: ManifestSetting;
  /**
   * All environment variables of the program, in addition to `PATH` and `HOME`.
   * @example { API_TOKEN: { env: "API_TOKEN" } }
   */
  env?: {
    [key: string]: ManifestSetting;
  };
}

/**
 * upstream's auth
 *
 * The credentials of the server; one of these.
 * @example { bearer: { env: "API_TOKEN" } }
 */
export interface ManifestUpstreamAuth {
  /** A token, for `Authorization: Bearer`. */
  bearer?: ManifestSetting;
  basic?: ManifestBasicAuth;
  /** A header with a key. */
  header?: ManifestNamedCredential;
  /** A parameter of the query with a key. */
  query?: ManifestNamedCredential;
  /** A cookie with a key. */
  cookie?: ManifestNamedCredential;
  clientCredentials?: ManifestClientCredentials;
  exchange?: ManifestTokenExchange;
  onBehalfOf?: ManifestOnBehalfOf;
  jwtBearer?: ManifestJwtBearer;
  perCaller?: ManifestPerCaller;
}

/**
 * retries
 *
 * When a request is repeated: after one of these statuses, or without an answer. `Retry-After` is respected, within the time limit of the call.
 * @example { max: 2, on: [429, 503] }
 */
export interface ManifestUpstreamRetries {
  /**
   * Most retries.
   *
   * Integer, 1 to 10
   */
  max: number;
  /**
   * Statuses after which the request is repeated.
   * @default [429, 502, 503, 504]
   */
  on?: number[];
  /**
   * Methods that may be sent twice; by default the idempotent ones.
   *
   * At least 1 item
   * @default ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]
   */
  methods?: ManifestHttpMethod[];
}

/**
 * Name of an environment variable.
 *
 * Pattern `^[A-Za-z_][A-Za-z0-9_]*$`
 */
export type ManifestEnvironmentName = string;

/**
 * issuer of JWTs
 *
 * An authorization server whose tokens are JWTs: its `issuer`, or the `preset` of a provider.
 */
export interface ManifestJwtIssuer {
  /** The provider, whose documented tokens decide what is not stated here: the issuer, audiences, algorithms and the claim of scopes. `mcpwright explain auth` shows them. */
  preset?: "entra" | "auth0" | "keycloak" | "okta" | "cognito" | "google" | "workos" | "zitadel";
  /**
   * For `auth0`, `keycloak`, `okta`, `workos` and `zitadel`: the host of the provider, with a port if it has one.
   *
   * Pattern `^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?$`
   * @example "acme.eu.auth0.com"
   */
  domain?: string;
  /**
   * For `entra`: the id of the tenant. Tokens never name `common` as their issuer.
   *
   * Pattern `^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`
   */
  tenant?: string;
  /**
   * For `keycloak`: the name of the realm.
   *
   * Pattern `^[A-Za-z0-9._~-]+$`
   * @example "acme"
   */
  realm?: string;
  /**
   * For `cognito`: the region of the user pool.
   *
   * Pattern `^[a-z0-9-]+$`
   * @example "eu-west-1"
   */
  region?: string;
  /**
   * For `cognito`: the id of the user pool.
   *
   * Pattern `^[A-Za-z0-9_-]+$`
   * @example "eu-west-1_Ab12Cd34E"
   */
  userPool?: string;
  /**
   * For `okta`: the id of the custom authorization server, by default `default`.
   *
   * Pattern `^[A-Za-z0-9_-]+$`
   */
  server?: string;
  /**
   * The audience of tokens. For `entra`: the id of the server's own app registration; for `google`: that of the OAuth client; for `zitadel`: that of the project.
   *
   * Pattern `^[A-Za-z0-9._-]+$`
   */
  client?: string;
  /** Its URL: the claim `iss` of its tokens. Its metadata (RFC 8414, OpenID Connect Discovery) has the URL of its keys. */
  issuer?: ManifestSetting;
  /** URL of its keys, or a file of the project with them, instead of the URL in the metadata. */
  jwks?: ManifestSetting;
  audience?: ManifestAudience;
  /**
   * Accepted algorithms of signatures, all with asymmetric keys.
   *
   * At least 1 item
   * @default ["ES256", "RS256"]
   * @example ["ES256"]
   */
  algorithms?: string[];
  scopes?: ManifestTokenScopes;
  /**
   * Claims that must be this value, or a list that contains it. A name that begins with `/` is a JSON Pointer to a claim inside others.
   * @example { tenant: "acme" }
   */
  require?: {
    [key: string]: string | number | boolean;
  };
  /**
   * Whether only tokens with the `typ` `at+jwt` (RFC 9068) are accepted; by default, `JWT` or no `typ` is accepted, too.
   * @default false
   */
  strict?: boolean;
}

/**
 * introspection
 *
 * An authorization server that tells whether a token is valid (RFC 7662). It is asked about all tokens that are not from an issuer under `jwt`.
 */
export interface ManifestIntrospection {
  /** URL of its introspection endpoint. */
  url: ManifestSetting;
  /** Id of this server at the authorization server. */
  client: ManifestSetting;
  /** Secret of this server at the authorization server. */
  secret: ManifestSetting;
  /** URL of the authorization server, for clients that look for it. */
  issuer?: ManifestSetting;
  audience?: ManifestAudience;
  scopes?: ManifestTokenScopes;
  /**
   * How long an answer is valid, in milliseconds. A revoked token still works for this time.
   *
   * Integer, 0 to 3600000
   * @default 10000
   */
  cacheMs?: number;
}

/**
 * API keys
 *
 * Keys for machines, one per line: `name:sha256:scopes`, the digest in lower-case hex, the scopes separated by spaces. A key is sent as `Authorization: Bearer KEY`. `npm start -- --new-key NAME` makes one. The lines are in a variable, which is read when the server starts, or in a file, which is read again within a second after a change.
 * @example { env: "API_KEYS" }
 */
export interface ManifestApiKeys {
  /** The variable with the lines. */
  env?: ManifestEnvironmentName;
  /** Path of the file with the lines, relative to the project's folder, or the variable with the path. */
  file?: ManifestSetting;
}

/**
 * reference to a variable
 *
 * The value of an environment variable, which `env` declares.
 */
export interface ManifestEnvironmentReference {
  /** Name of the variable. */
  env: ManifestEnvironmentName;
}

/**
 * Name that clients call the tool by: 1 to 64 letters, digits, underscores, hyphens and dots.
 *
 * Format tool-name, pattern `^[A-Za-z0-9_.-]{1,64}$`
 * @example "get_forecast"
 */
export type ManifestToolName = string;

/** Hints about what the tool does; clients must not rely on them. */
export type ManifestToolAnnotations = JsonObject;

/** Data for clients that know it, under keys with an optional prefix: `com.example/key`. Sent unchanged. */
export type ManifestMeta = JsonObject;

/** Earlier names, so that the handler's file follows the rename. */
export type ManifestRenamedFrom = string | string[];

/** A block of content. */
export type ManifestContentBlock = JsonObject;

/**
 * http body
 *
 * The item is one HTTP request, which the compiler writes. `{{name}}` is an argument of the tool, or a variable of the template. A value that is only a placeholder passes the argument itself, and is left out if that is absent. Without `query`, `body`, `form`, `multipart` and `text`, the arguments that nothing names are parameters of the query for GET, HEAD, DELETE and OPTIONS, and members of a JSON body for other methods.
 */
export interface ManifestHttpBody {
  /** The one of `upstreams` that gets the request. */
  upstream: string;
  /** @default "GET" */
  method?: ManifestHttpMethod;
  /**
   * Path after the upstream's base URL. Values are percent-encoded.
   * @example "/shelves/{{shelf}}/books"
   */
  path: string | ManifestHttpPathTemplate;
  /**
   * Parameters of the query. A list is repeated.
   * @example { tag: "{{tag}}", page: "{{page}}" }
   */
  query?: {
    [key: string]: ManifestHttpValue;
  };
  /**
   * Headers of the request.
   * @example { "If-Match": "{{etag}}" }
   */
  headers?: {
    [key: string]: ManifestHttpText;
  };
  /** Cookies of the request. */
  cookies?: {
    [key: string]: ManifestHttpText;
  };
  /**
   * A JSON body: a value with placeholders in it, or one placeholder.
   * @example { title: "{{title}}" }
   */
  body?: JsonValue;
  /** A body in the form `application/x-www-form-urlencoded`. */
  form?: {
    [key: string]: ManifestHttpValue;
  };
  /** A body in the form `multipart/form-data`. Each field is a text. A list has a part for each item, and a value with the style `json` is a part of JSON. Binary parts are not supported. */
  multipart?: {
    [key: string]: ManifestHttpValue;
  };
  /** A body of plain text. */
  text?: string;
  result?: ManifestHttpResult;
  /** For a tool with an `outputSchema`: whether an answer that breaks it is an error without the answer. By default, that of the upstream: the model gets the answer as text with a notice, since what was done is done. */
  strict?: boolean;
  paginate?: ManifestHttpPages;
  retries?: ManifestHttpRetries;
  /**
   * Error texts by status, instead of the upstream's own. `{{body:/owner}}` is what the answer has at this JSON Pointer, as text without secrets.
   * @example { "404": "There is no shelf {{shelf}}.", "409": "Taken by {{body:/owner}}." }
   */
  errors?: {
    [key: string]: string;
  };
}

/**
 * sql body
 *
 * The item is one SQL statement, which the compiler writes. `:name` is an argument of the tool, or a variable of the template. It is bound, and null if it is absent. The content of a resource is the rows as JSON.
 */
export interface ManifestSqlBody {
  /** The one of `databases` that runs the statement. */
  database: string;
  /**
   * One statement. Where Postgres cannot tell the type of a parameter from its place (`:a is null`, `concat(:a)`), or would guess it (`coalesce(:a, :b)`), it is the one that the inputSchema states. A list is an array in Postgres (`= any(:ids)`), and JSON in SQLite (`in (select value from json_each(:ids))`). Columns without a type in JSON are texts: `int8` and `numeric` (numbers if the `outputSchema` has a number there), dates and times in ISO 8601; `bytea` and blobs are base64.
   *
   * At least 1 character
   * @example "select id, total from orders where customer = :customer order by id"
   */
  query: string;
  role?: ManifestCallerRole;
  set?: ManifestCallerSettings;
  /**
   * Most rows. More are cut off with a notice, and a tool with an `outputSchema` answers with text then; in resources, and where the tool is `strict`, they are an error.
   *
   * Integer, 1 to 100000
   * @default 100
   */
  maxRows?: number;
  /**
   * Most bytes of the rows, as the database sends them; each value counts four bytes more than its text. A longer answer is an error: the statement is ended, and what it wrote is rolled back. The process of a SQLite database may need 256 MiB for a statement, and eight times as much as this limit.
   *
   * Integer, 1 to 67108864
   * @default 1048576
   */
  maxBytes?: number;
  /**
   * Whether the answer is one row instead of a list. If there is none, a tool answers null, and a resource is not found. If there are several, it is as with `maxRows: 1`.
   * @default false
   */
  row?: boolean;
  /**
   * Whether the statement may change data; only for tools.
   * @default false
   */
  write?: boolean;
  /**
   * For tools: what the result is made of the rows (of the row, with `row`), in JMESPath (https://jmespath.org). The `outputSchema` is derived from it, unless the tool has one. What is not there is null. Functions: `contains`, `ends_with`, `join`, `keys`, `length`, `not_null`, `starts_with`, `sum`, `to_string`, `values`.
   *
   * At least 1 character
   * @example "{count: length(@), ids: [].id}"
   */
  select?: string;
  /** JSON Schema of the rows before `select`, from which the `outputSchema` is derived. Without it, the derived schema has the names of the members and not their types. */
  answerSchema?: ManifestJsonSchema;
  /** For a tool with an `outputSchema`: whether rows that break it are an error without the rows. By default, that of the database: the model gets the rows as text with a notice, since what was done is done. */
  strict?: boolean;
}

/**
 * exec body
 *
 * The tool runs one program, without a shell; the compiler writes the code. `{{name}}` is an argument of the tool. The program and all processes that it started are ended at the end of the call, at its time limit, if the caller cancels, and if the server stops.
 */
export interface ManifestExecBody {
  /**
   * The program and its arguments, one by one. A value that is only a placeholder passes the argument itself: each item of a list is an argument of the program, and an absent argument is none. The program must be a fixed text, or an argument with an `enum`. An argument stands as a whole item behind what ends the options of the program, if the program is known to have that, or in `--name={{value}}`; elsewhere, its schema must exclude what is dangerous: a `pattern`, an `enum`, a number.
   *
   * At least 1 item
   * @example ["grep", "--max-count=50", "--", "{{pattern}}", "logs/app.log"]
   */
  command: string[];
  /**
   * Arguments whose values are not checked, since whoever may call the tool may do all that its program can do with them. SERVER.md and `plan` list them. An argument within a script is refused all the same.
   *
   * At least 1 item, no two items equal
   * @example ["options"]
   */
  trusted?: string[];
  /** The folder in which it runs, relative to the project's folder. By default, that folder itself. */
  cwd?: ManifestSetting;
  /**
   * All environment variables of the program, in addition to `PATH`.
   * @example { LANG: "C", API_TOKEN: { env: "API_TOKEN" } }
   */
  env?: {
    [key: string]: ManifestSetting;
  };
  /**
   * Its standard input: a text with placeholders. A text that is one placeholder passes a list or an object as JSON.
   * @example "{{text}}"
   */
  stdin?: string;
  /**
   * Time limit of the program, in milliseconds.
   *
   * Integer, 1 to 3600000
   * @default 10000
   */
  timeoutMs?: number;
  /**
   * Most bytes of its output. Longer output is cut, with a notice; cut JSON is an error, or text for a tool with an `outputSchema` that is not `strict`.
   *
   * Integer, 1 to 67108864
   * @default 1048576
   */
  maxBytes?: number;
  /**
   * Exit statuses that are no error. With any other, the call fails with the program's stderr.
   *
   * At least 1 item, no two items equal
   * @default [0]
   */
  okStatus?: number[];
  /**
   * The form of its output: a text, a JSON value, or a list of lines.
   * @default "text"
   */
  output?: "text" | "json" | "lines";
  /**
   * For a tool with an `outputSchema`: whether an output that breaks it is an error without the output. By default, the model gets the output as text with a notice, since what was done is done.
   * @default false
   */
  strict?: boolean;
}

/**
 * mcp body
 *
 * Another MCP server answers. Calls are passed on to it, and its progress, log messages, errors and cancellation are passed on, too.
 */
export interface ManifestMcpCall {
  /** The one of `upstreams` that answers; it must have `mcp`. */
  upstream: string;
  /**
   * The item's name at that server. By default, the item's own name.
   *
   * At least 1 character
   */
  name?: string;
  /**
   * The arguments of the call. `{{name}}` is an argument of the item. A value that is only a placeholder is the argument itself, and is left out if that is absent. By default, all arguments of the item are passed on.
   * @example { path: "{{path}}", head: 100 }
   */
  arguments?: JsonObject;
  /**
   * For tools: what the result is made of the other server's structured content, in JMESPath (https://jmespath.org). The `outputSchema` is derived from it, unless the tool has one. What is not there is null. Functions: `contains`, `ends_with`, `join`, `keys`, `length`, `not_null`, `starts_with`, `sum`, `to_string`, `values`.
   *
   * At least 1 character
   * @example "items[].{id: id, owner: user.login}"
   */
  select?: string;
  /** JSON Schema of the structured content before `select`, from which the `outputSchema` is derived. Without it, the derived schema has the names of the members and not their types. */
  answerSchema?: ManifestJsonSchema;
  /** For a tool with an `outputSchema`: whether a result that breaks it is an error without the result. By default, that of the upstream: the model gets the result as text with a notice. */
  strict?: boolean;
}

/**
 * tool example
 *
 * A call with its answer: one of `result`, `text` and `error`.
 */
export interface ManifestToolExample {
  /**
   * What the example shows.
   *
   * At least 1 character
   * @example "one day in Berlin"
   */
  name?: string;
  /** Arguments of the call; by default none. */
  arguments?: JsonObject;
  http?: ManifestHttpExample;
  exec?: ManifestExecExample;
  /** Database of the call. Generated tests call the tool with the data that its `testSetup` makes. */
  database?: string;
  /** The structured result; it must fit the `outputSchema`. */
  result?: JsonValue;
  /** The text of the answer. */
  text?: string;
  /** The text of an error answer. */
  error?: string;
  /**
   * What holds for values that differ from call to call, such as times and ids, by their JSON Pointers in `result`. The empty pointer is the whole `result`, `text` or `error`; a step `*` is every item of a list. Tests hold the answer against it there, instead of comparing it with the example.
   *
   * At least 1 property
   * @example { "/id": { pattern: "^[0-9a-f]{8}$" }, "/items/*\/at": { type: "string" } }
   */
  matches?: {
    [key: string]: ManifestValueMatcher;
  };
}

/**
 * tool result
 *
 * How clients get the results of a tool.
 * @example { text: "summary" }
 */
export interface ManifestToolResult {
  /**
   * The text of a result beside its structured value. `json`: the value again, as the protocol asks for, since many clients show models the text alone. `summary`: the number of items and the names of members. `none`: no text; for objects, since the protocol has a text beside every other value. Clients of protocol versions before 2026-07-28 always get the JSON. Text that a handler writes itself stays.
   * @default "json"
   */
  text?: "none" | "summary" | "json";
}

/** Client features that the handler uses; `ctx` has only these. */
export type ManifestUses = ("sampling" | "roots")[];

/** Questions that the handler may ask the user, by key: `ctx.elicit.<key>(values)`. */
export interface ManifestElicitations {
  [key: string]: ManifestElicitation;
}

/**
 * The question that the user must answer with yes before each call runs; `{{argument}}` shows the value of an argument, quoted and shortened. A yes holds for this call alone, for five minutes and once, which replicas know together with `scale`. A client that cannot ask its user is refused.
 *
 * At least 1 character
 * @example "Delete {{path}} for good?"
 */
export type ManifestConfirm = string;

/**
 * task
 *
 * How calls of a tool become tasks.
 */
export interface ManifestTask {
  /**
   * How long a task and its result are kept after its creation, in milliseconds. Without `timeoutMs`, its handler may run as long.
   *
   * Integer, 1000 to 2147483647
   * @default 3600000
   */
  ttlMs?: number;
  /**
   * How long clients should wait before they ask for the state again, in milliseconds.
   *
   * Integer, 1 to 86400000
   * @default 1000
   */
  pollIntervalMs?: number;
  /**
   * Whether clients that do not know tasks are refused. Otherwise they get the plain call.
   * @default false
   */
  required?: boolean;
  /**
   * When users are asked. `during`: by the task, which waits for the answers. `before`: a question that comes within a second ends the call as it does without tasks; the call that brings the answers becomes the task.
   * @default "during"
   */
  asks?: "during" | "before";
}

/**
 * Time limit of one call, in milliseconds.
 *
 * Integer, 1 to 2147483647
 */
export type ManifestTimeoutMs = number;

/** OAuth scopes that a caller over the network needs, all of them. `auth`, or `authenticate` in `src/context.ts`, determines which scopes a caller has; without either, every request over the network is refused. Lists show items whatever their scopes, unless `auth.lists` is `filter`. On stdio and custom transports, scopes are not checked. */
export type ManifestScopes = string[];

/**
 * Groups that the item is in. Who starts the server may choose groups (`--groups files`, or the variable `MCP_GROUPS`): then only their items exist, and an item without groups does not. `restrict` names other variables, and scopes by which a caller gets fewer groups.
 *
 * At least 1 item, no two items equal
 * @example ["files", "admin"]
 */
export type ManifestGroups = string[];

/**
 * deprecation
 *
 * Announces that the item will go. It is listed last, its description says so, the log warns of its use at most once an hour, metrics count it, the audit trail and spans mark it, and `diff` knows that its removal was announced.
 *
 * At least 1 property
 * @example { since: "1.2.0", use: "find_orders", until: "2.0.0" }
 */
export interface ManifestDeprecation {
  /** Version of the server that announces it. */
  since?: ManifestReleasedVersion;
  /**
   * Name of the item of the same kind to use instead.
   *
   * At least 1 character
   */
  use?: string;
  /** Version of the server that will not have the item. To remove it earlier is a breaking change. */
  until?: ManifestReleasedVersion;
}

/**
 * Whether the item is on at the start. If this key is present, true or false, handlers and services can switch the item with `enable` and `disable`, and clients are told that the list may change.
 * @default true
 */
export type ManifestEnabled = boolean;

/**
 * An HTML file of the project that shows the result of the tool; or `auto`, for a page that is made from `outputSchema`: a card for an object, a table for a list of objects, a chart where the list has one column of numbers beside one of dates or names, and a form with the arguments where the tool only reads.
 *
 * Format project-path
 * @example "auto"
 */
export type ManifestAppFile = string;

/**
 * app
 *
 * An MCP App: the page that shows the result of a tool, and what it asks of the client that shows it. The settings are sent as `_meta.ui` of the page's resource.
 */
export interface ManifestApp {
  file: ManifestAppFile;
  /**
   * app csp
   *
   * The origins that the page needs. Clients let it reach no others.
   */
  csp?: {
    /** Origins of requests and WebSockets. */
    connectDomains?: ManifestAppOrigins;
    /** Origins of images, scripts, styles, fonts and media. */
    resourceDomains?: ManifestAppOrigins;
    /** Origins of pages in frames. */
    frameDomains?: ManifestAppOrigins;
    /** Origins that relative URLs may be based on. */
    baseUriDomains?: ManifestAppOrigins;
    [key: string]: unknown;
  };
  /**
   * app permissions
   *
   * What of the browser the page asks to use. Clients may refuse.
   * @example { clipboardWrite: {} }
   */
  permissions?: {
    camera?: ManifestAppPermission;
    microphone?: ManifestAppPermission;
    geolocation?: ManifestAppPermission;
    clipboardWrite?: ManifestAppPermission;
    [key: string]: unknown;
  };
  /**
   * The origin at which the client shows the page, in the form that the client's documents tell. Each client has its own.
   *
   * 1 to 255 characters
   * @example "a904794854a047f6.claudemcpcontent.com"
   */
  domain?: string;
  /** Whether the client draws a border around the page. By default, the client decides. */
  prefersBorder?: boolean;
}

/**
 * An absolute URI in its canonical form (`new URL(uri).href === uri`), at most 2,048 characters.
 *
 * At most 2048 characters, format resource-uri
 * @example "weather://help"
 */
export type ManifestUri = string;

/**
 * Name of the item, unique in its list; at most 128 characters.
 *
 * 1 to 128 characters, format item-name
 */
export type ManifestItemName = string;

/**
 * A MIME type.
 *
 * Format mime-type
 * @example "text/plain"
 */
export type ManifestMimeType = string;

/**
 * Size of the content in bytes.
 *
 * Integer, at least 0
 */
export type ManifestSize = number;

/** Hints about how clients may use the content. */
export type ManifestAnnotations = JsonObject;

/**
 * Bytes in base64.
 *
 * Format base64
 */
export type ManifestBase64 = string;

/**
 * mcp body of a resource
 *
 * Another MCP server has the resource.
 */
export interface ManifestMcpResource {
  /** The one of `upstreams` that answers; it must have `mcp`. */
  upstream: string;
  /**
   * The resource's URI at that server. By default, the item's own URI.
   *
   * At least 1 character
   * @example "demo://help"
   */
  uri?: string;
}

/**
 * Whether clients may subscribe to changes, which are reported with `notify.resourceUpdated(uri)`.
 * @default false
 */
export type ManifestSubscribe = boolean;

/** Suggested values, a request or statement that finds them, or `code` for a function of your own. */
export type ManifestCompletion = "code" | string[] | ManifestSource;

/**
 * directory body
 *
 * Clients read the files of a folder. The template's only variable is `{+path}` or a trailing `{/path*}`. Links to files outside of the folder, devices and pipes are not found, nor are names that some file systems resolve to another file. A file has the MIME type of its extension, or that of the template. Its content is text if it is valid text, and bytes otherwise.
 */
export interface ManifestDirectoryBody {
  /**
   * The folder, relative to the project's folder.
   * @example "docs"
   */
  root: ManifestSetting;
  /**
   * Whether clients can read files and folders whose names begin with a dot.
   * @default false
   */
  hidden?: boolean;
  /**
   * Largest file, in bytes; larger ones are not found.
   *
   * Integer, 1 to 16777216
   * @default 16777216
   */
  maxBytes?: number;
  /**
   * Whether the files, at most 10,000, are in the list of resources, and their paths are suggested for `{+path}`. The template then has no other `list`.
   * @default true
   */
  list?: boolean;
  /**
   * Whether clients can subscribe to files, and are notified of new and deleted files.
   * @default false
   */
  watch?: boolean;
}

/**
 * mcp body of a template
 *
 * Another MCP server has the resources.
 */
export interface ManifestMcpResourceTemplate {
  /** The one of `upstreams` that answers; it must have `mcp`. */
  upstream: string;
  /**
   * The resources' URIs at that server, with variables of the item's own template. By default, that template.
   *
   * At least 1 character
   * @example "demo://orders/{id}"
   */
  uriTemplate?: string;
}

/**
 * source
 *
 * A request or a statement that finds values: `http` or `sql`. In a completion, the argument's own name is the text that was typed so far, and the values of other arguments are available if the client sends them. A statement must bind the typed text; the first column of its rows has the suggestions. The answer to a request must be a list of texts and numbers, or of objects with the one member that `result.fields` names. A request is not sent while a value in its path is missing; if it does not contain the typed text, the values that begin with that text are suggested. At most 100 values are sent. In a list, each row, or each object of a JSON list, is an instance. Its columns or members are the values of the variables, by their names, and `name` (by default the values of the variables), `title`, `description`, `mimeType` and `size` of the listed item.
 */
export interface ManifestSource {
  http?: ManifestHttpBody;
  sql?: ManifestSqlSource;
}

/**
 * prompt argument
 *
 * An argument of a prompt, which is a text.
 */
export interface ManifestPromptArgument {
  /**
   * Name of the argument, as placeholders use it; at most 128 characters.
   *
   * Format argument-name
   * @example "city"
   */
  name: ManifestItemName;
  /** Name for people. */
  title?: string;
  /** What the value means. */
  description?: string;
  /**
   * Whether the prompt needs it.
   * @default false
   */
  required?: boolean;
  complete?: ManifestCompletion;
}

/**
 * prompt message
 *
 * A message of a prompt.
 */
export interface ManifestPromptMessage {
  /** The role of the speaker. */
  role: "user" | "assistant";
  content: ManifestContentBlock;
}

/**
 * registry entry
 *
 * The entry in the MCP registry: `server.json`, and `mcpName` in package.json, with which the registry verifies that the npm package is yours.
 */
export interface ManifestRegistry {
  /**
   * Name of the server in the registry: a namespace that you own, in reverse, and a name. It is case-sensitive: `io.github.` is followed by the account in GitHub's own spelling.
   *
   * 3 to 200 characters, pattern `^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$`
   * @example "io.github.acme/weather"
   */
  name: string;
  /**
   * The https URL at which everyone reaches the server over the transport `http`. By default `auth.resource`, if that is a text; without either, the entry has no running server.
   *
   * Format registry-url, pattern `^https://`
   * @example "https://weather.example/mcp"
   */
  url?: string;
  /**
   * Whether the entry has the npm package. `false` for a server that people only use at its URL.
   * @default true
   */
  npm?: boolean;
}

/**
 * Address to listen on. Anything but a loopback address needs `allowPublicBind: true`.
 *
 * Pattern `^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|\[?[0-9A-Fa-f:.]+\]?)$`
 * @default "127.0.0.1"
 */
export type ManifestHost = string;

/**
 * Port to listen on; 0 takes any free one.
 *
 * Integer, 0 to 65535
 * @default 3000
 */
export type ManifestPort = number;

/**
 * A path on the HTTP server.
 *
 * Pattern `^/(?:[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)*)?$`
 */
export type ManifestHttpPath = string;

/**
 * Host names, without port, that the Host header may have, in addition to the loopback names and `host`.
 * @default []
 */
export type ManifestAllowedHosts = string[];

/**
 * Origins that web pages may call from: scheme, host, and port if it is not the default one. `http://localhost:*` is any port of a page of this machine (also with `https`, `127.0.0.1` or `[::1]`), and `vscode-webview://*` any page of an app's scheme.
 * @default []
 */
export type ManifestAllowedOrigins = string[];

/**
 * Confirms that the server may listen beyond this machine.
 * @default false
 */
export type ManifestAllowPublicBind = boolean;

/**
 * How many proxies in front of the server may name the client's address.
 *
 * Integer, at least 0
 * @default 0
 */
export type ManifestTrustProxy = number;

/**
 * tls setting
 *
 * Serves HTTPS.
 */
export interface ManifestTls {
  /** Environment variable that holds the path of the certificate. */
  cert: ManifestEnvironmentName;
  /** Environment variable that holds the path of the private key. */
  key: ManifestEnvironmentName;
}

/**
 * basic auth
 *
 * A user and a password.
 */
export interface ManifestBasicAuth {
  /** The user. */
  username: ManifestSetting;
  /** The password. */
  password: ManifestSetting;
}

/**
 * named credential
 *
 * Its name and its value.
 */
export interface ManifestNamedCredential {
  /**
   * Its name.
   *
   * Pattern `^[!#$%&'*+.^_`|~0-9A-Za-z-]+$`
   */
  name: string;
  /** Its value. */
  value: ManifestSetting;
}

/**
 * client credentials
 *
 * The client credentials grant of OAuth: a token is fetched, and kept until it expires.
 */
export interface ManifestClientCredentials {
  /** URL of the token endpoint. */
  tokenUrl: ManifestSetting;
  /** Id of this client. */
  clientId: ManifestSetting;
  /** Secret of this client, which has this, `clientKey` or `clientCertificate`. */
  clientSecret?: ManifestSetting;
  /** Private key of this client, which signs instead of a secret (`private_key_jwt`, RFC 7523): a JWK, or PEM. `kid` and `alg` of a JWK are sent along, as are the thumbprints of a certificate in the same PEM text, by which Entra finds the key. */
  clientKey?: ManifestSetting;
  clientCertificate?: ManifestClientCertificate;
  /** Name of the key at the authorization server, if the key does not state it. */
  keyId?: ManifestSetting;
  /** Name of the authorization server in what the key signs, if it is not the `tokenUrl`. */
  assertionAudience?: ManifestSetting;
  /**
   * Scopes, with spaces between them.
   *
   * At least 1 character
   */
  scope?: string;
  /**
   * Audience of the token.
   *
   * At least 1 character
   */
  audience?: string;
  /**
   * Whether id and secret go into the header `Authorization` or into the form.
   * @default "header"
   */
  sendIn?: "header" | "form";
}

/**
 * token exchange
 *
 * The token of the caller is exchanged at the authorization server for one of the upstream (RFC 8693), which is kept until it or the caller's token expires. Callers without a token of an authorization server are refused, and so is everybody to whom nothing is given: no request goes out as somebody else.
 */
export interface ManifestTokenExchange {
  /** URL of the token endpoint. */
  tokenUrl: ManifestSetting;
  /** Id of this client. */
  clientId: ManifestSetting;
  /** Secret of this client, which has this, `clientKey` or `clientCertificate`. */
  clientSecret?: ManifestSetting;
  /** Private key of this client, which signs instead of a secret (`private_key_jwt`, RFC 7523): a JWK, or PEM. `kid` and `alg` of a JWK are sent along, as are the thumbprints of a certificate in the same PEM text, by which Entra finds the key. */
  clientKey?: ManifestSetting;
  clientCertificate?: ManifestClientCertificate;
  /** Name of the key at the authorization server, if the key does not state it. */
  keyId?: ManifestSetting;
  /** Name of the authorization server in what the key signs, if it is not the `tokenUrl`. */
  assertionAudience?: ManifestSetting;
  /**
   * Scopes, with spaces between them.
   *
   * At least 1 character
   */
  scope?: string;
  /**
   * The upstream, by the name that the authorization server has for it.
   *
   * At least 1 character
   */
  audience?: string;
  /**
   * The upstream, by its URL.
   *
   * At least 1 character
   */
  resource?: string;
  /**
   * Whether id and secret go into the header `Authorization` or into the form.
   * @default "header"
   */
  sendIn?: "header" | "form";
}

/**
 * on behalf of
 *
 * As `exchange`, in the form of Microsoft Entra.
 */
export interface ManifestOnBehalfOf {
  /** URL of the token endpoint. */
  tokenUrl: ManifestSetting;
  /** Id of this client. */
  clientId: ManifestSetting;
  /** Secret of this client, which has this, `clientKey` or `clientCertificate`. */
  clientSecret?: ManifestSetting;
  /** Private key of this client, which signs instead of a secret (`private_key_jwt`, RFC 7523): a JWK, or PEM. `kid` and `alg` of a JWK are sent along, as are the thumbprints of a certificate in the same PEM text, by which Entra finds the key. */
  clientKey?: ManifestSetting;
  clientCertificate?: ManifestClientCertificate;
  /** Name of the key at the authorization server, if the key does not state it. */
  keyId?: ManifestSetting;
  /** Name of the authorization server in what the key signs, if it is not the `tokenUrl`. */
  assertionAudience?: ManifestSetting;
  /**
   * Scopes, with spaces between them.
   *
   * At least 1 character
   */
  scope: string;
  /**
   * Whether id and secret go into the header `Authorization` or into the form.
   * @default "form"
   */
  sendIn?: "header" | "form";
}

/**
 * signed for the caller
 *
 * As `exchange`, for an authorization server that knows nothing of the caller's token and trusts this server's key (RFC 7523): the server signs who calls. So do service accounts of Google with domain-wide delegation. Whoever has the key can be anybody there.
 */
export interface ManifestJwtBearer {
  /** URL of the token endpoint. */
  tokenUrl: ManifestSetting;
  /** Name of this server at the authorization server, such as that of a service account. */
  issuer: ManifestSetting;
  /** Private key that signs: a JWK, PEM, or the JSON file of a service account. */
  key: ManifestSetting;
  /** Name of the key at the authorization server, if the key does not state it. */
  keyId?: ManifestSetting;
  /** Name of the authorization server in what the key signs, if it is not the `tokenUrl`. */
  audience?: ManifestSetting;
  /** The caller's name there: that of the caller's token (`caller: subject`), or a claim, such as `email`. An `email` of which the token says that it is not verified is refused, as is the subject of a program. Every issuer of `auth.jwt` can name everybody. */
  subject: ManifestCallerValue;
  /**
   * Scopes, with spaces between them.
   *
   * At least 1 character
   */
  scope?: string;
  /** Id of this client, where the authorization server wants it, too. */
  clientId?: ManifestSetting;
  /** Secret of this client, where it has an id. */
  clientSecret?: ManifestSetting;
}

/**
 * account of the caller
 *
 * Each caller links an account of the upstream's own: for services that know nothing of the tokens of this server's callers. The first call asks the person to sign in on a page, which then shows a code, and asks for the code in the client: a link that was forwarded gives its sender nothing. Clients that cannot ask get the link in words. The tools `connect` and `disconnect` are added. Tokens are encrypted with `REQUEST_STATE_KEY`, kept in memory or, with `scale`, in Redis, and refreshed. The upstream's owner registers `auth.resource` followed by `/connect/NAME/callback` as the redirect URI, where NAME is that of the upstream.
 */
export interface ManifestPerCaller {
  /** URL at which people sign in. */
  authorizationUrl: ManifestSetting;
  /** URL of the token endpoint. */
  tokenUrl: ManifestSetting;
  /** Id of this client. */
  clientId: ManifestSetting;
  /** Secret of this client, which has this, `clientKey` or `clientCertificate`. */
  clientSecret?: ManifestSetting;
  /** Private key of this client, which signs instead of a secret (`private_key_jwt`, RFC 7523): a JWK, or PEM. */
  clientKey?: ManifestSetting;
  clientCertificate?: ManifestClientCertificate;
  /** Name of the key at the authorization server, if the key does not state it. */
  keyId?: ManifestSetting;
  /** Name of the authorization server in what the key signs, if it is not the `tokenUrl`. */
  assertionAudience?: ManifestSetting;
  /**
   * Scopes that people are asked to allow.
   *
   * No two items equal
   * @default []
   */
  scopes?: string[];
  /** Issuer that the authorization server names in its answers (`iss`, RFC 9207): answers without it are refused. Without this setting, an answer that names an issuer must be of the origin of `authorizationUrl`. */
  issuer?: ManifestSetting;
  /** Further parameters with which people are sent to sign in, such as `access_type: offline`, which Google wants for refresh tokens. Those of OAuth itself are set by the server. */
  parameters?: {
    [key: string]: string;
  };
  /**
   * Whether id and secret go into the header `Authorization` or into the form.
   * @default "header"
   */
  sendIn?: "header" | "form";
}

/** A method of HTTP, in capital or small letters. */
export type ManifestHttpMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/**
 * Audiences of tokens: a token must have one of these; by default `resource`.
 *
 * At least 1 item
 * @example ["https://books.example/mcp", "api://books"]
 */
export type ManifestAudience = ManifestSetting[];

/**
 * scopes of tokens
 *
 * Where tokens have the scopes of their callers.
 */
export interface ManifestTokenScopes {
  /**
   * The claim: a text with spaces between scopes, or a list. By default `scope`, or if it is absent, `scp`. A claim that begins with `/` is a JSON Pointer to one inside others; every other is an exact name, also with dots.
   *
   * At least 1 character
   * @example "roles"
   */
  claim?: string;
  /**
   * A prefix that scopes have in requests of clients for tokens. It is removed from the scopes of tokens.
   *
   * At least 1 character
   * @example "api://books/"
   */
  advertise?: string;
}

/**
 * path
 *
 * A path, and the styles of its values.
 */
export interface ManifestHttpPathTemplate {
  /** Path after the upstream's base URL. */
  template: string;
  /** Values by the names of their placeholders. */
  values: {
    [key: string]: ManifestHttpPathValue;
  };
}

/** A text with placeholders, a fixed value, or an argument with its style. */
export type ManifestHttpValue = string | number | boolean | ManifestHttpStyledValue;

/** A text with placeholders, or a fixed value. */
export type ManifestHttpText = string | number | boolean;

/**
 * result
 *
 * The part of an answer that becomes the result. JSON becomes structured content if the tool has an `outputSchema`, and otherwise text with all digits of its numbers. The result of HEAD is its status.
 */
export interface ManifestHttpResult {
  /**
   * JSON Pointer to the part.
   *
   * Pattern `^(?:/(?:[^~]|~[01])*)?$`
   */
  from?: string;
  /**
   * The only members that objects keep.
   *
   * At least 1 item
   */
  fields?: string[];
  /**
   * Instead of `from` and `fields`, for tools: what the result is made of, in JMESPath (https://jmespath.org). It picks, renames, nests, flattens, filters and counts. With `paginate`, it is made of the list of all items, and `from` may say where that list is in a page. The `outputSchema` is derived from it, unless the tool has one. What is not there is null. Functions: `contains`, `ends_with`, `join`, `keys`, `length`, `not_null`, `starts_with`, `sum`, `to_string`, `values`.
   *
   * At least 1 character
   * @example "items[].{id: id, owner: user.login}"
   */
  select?: string;
  /** JSON Schema of the answer before `select`, from which the `outputSchema` is derived. Without it, the derived schema has the names of the members and not their types. */
  answerSchema?: ManifestJsonSchema;
  /**
   * For tools: the statuses that say that there is nothing. The result is then an empty list, or null, whichever the `outputSchema` accepts; without one, a text that says so.
   *
   * At least 1 item, no two items equal
   * @example [404]
   */
  empty?: number[];
  /**
   * For tools: the result for an answer with the status 204, which has no content: a text, or with an `outputSchema` a value for it. `{{name}}` is an argument. Without it, a text says `204 No Content`.
   * @example "Removed {{id}}."
   */
  noContent?: JsonValue;
  /**
   * For tools: headers of the answer that are part of the result, by the names of their members there. The result is then an object with these members, as far as the answer has them, and with `body`: what it was without them, which the `outputSchema` and examples describe. With `paginate.expose`, it is `items` instead of `body`.
   *
   * At least 1 property
   * @example { etag: "ETag", location: "Location", total: "X-Total-Count" }
   */
  headers?: {
    [key: string]: ManifestHeaderName;
  };
  /**
   * Longest answer, in bytes.
   *
   * Integer, 1 to 33554432
   * @default 1048576
   */
  maxBytes?: number;
  /**
   * Whether a longer answer is cut, with a notice, instead of refused. A tool that is not `strict` always shows what a request that may have changed something (`POST`, `PUT`, `PATCH`, `DELETE`) was answered, cut, and as far as it came where an answer of success breaks off, since what was done is done.
   * @default false
   */
  truncate?: boolean;
}

/**
 * pagination
 *
 * How the next page of a list is found: one of `cursor`, `page` and `link`. The result is the list of all their items.
 * @example { link: true, maxPages: 5 }
 */
export interface ManifestHttpPages {
  cursor?: ManifestPageCursor;
  page?: ManifestPageNumber;
  /** Whether the header `Link` has the URL of the next page. */
  link?: true;
  /**
   * Most pages. If there are more, a text next to the result says so. By default 10, or 1 with `expose`.
   *
   * Integer, 1 to 1000
   */
  maxPages?: number;
  /** For tools: whether models ask for further pages. The tool gets the argument `cursor`, and its result is an object with `items`, which the `outputSchema` and examples describe, and `nextCursor` if there are more. A cursor is sealed: only the same caller with the same arguments can use it, for a day. `maxPages` is then the number of pages of one call, by default 1. Over HTTP, set `REQUEST_STATE_KEY`, so that cursors outlive the process. */
  expose?: true;
}

/**
 * retries of a request
 *
 * When this request is repeated, instead of what the upstream's `retries` say: after one of these statuses, or without an answer. It is then repeated whatever its method is.
 * @example { max: 3, on: [409, 503] }
 */
export interface ManifestHttpRetries {
  /**
   * Most retries; 0 for none.
   *
   * Integer, 0 to 10
   */
  max: number;
  /**
   * Statuses after which the request is repeated.
   * @default [429, 502, 503, 504]
   */
  on?: number[];
}

/**
 * role of the caller
 *
 * For Postgres: the role of the statement, which is a claim of the caller's token. It holds in the transaction of the statement alone. Callers without the claim, or with another role than these, are refused. The role with which the server connects must be a member of each.
 * @example { claim: "role", oneOf: ["reader", "writer"] }
 */
export interface ManifestCallerRole {
  /**
   * The claim with the role, a `string` of `auth.claims`.
   *
   * At least 1 character
   */
  claim: string;
  /**
   * All roles that callers can have. The server does not start if one of them is a superuser, has BYPASSRLS, or has the rights of the owner of a table with row-level security that has no FORCE; nor if this is so of the role with which it connects.
   *
   * At least 1 item, no two items equal
   */
  oneOf: string[];
}

/**
 * settings about the caller
 *
 * For Postgres: what policies of row-level security read of the caller, as `current_setting('app.user')`. Each is bound, and set in the transaction of the statement alone. Callers without a value are refused. Without this key, such a setting is missing or empty in the database, so that a policy must let nobody in then.
 *
 * At least 1 property
 * @example { "app.user": { caller: "subject" }, "app.tenant": { claim: "tenant" } }
 */
export interface ManifestCallerSettings {
  [key: string]: ManifestCallerValue;
}

/**
 * upstream's answer
 *
 * The upstream's answer in an example. Tests give this answer.
 */
export interface ManifestHttpExample {
  /**
   * Status.
   *
   * Integer, 200 to 599
   * @default 200
   */
  status?: number;
  /** Headers. */
  headers?: {
    [key: string]: string;
  };
  /** The body as JSON. */
  body?: JsonValue;
  /** The body as text. */
  text?: string;
}

/**
 * program's answer
 *
 * The behaviour of the program in an example. Tests run a program that behaves so.
 */
export interface ManifestExecExample {
  /**
   * Its output.
   * @default ""
   */
  stdout?: string;
  /**
   * Its output to stderr.
   * @default ""
   */
  stderr?: string;
  /**
   * Its exit status.
   *
   * Integer, 0 to 255
   * @default 0
   */
  status?: number;
}

/**
 * value matcher
 *
 * What holds for a value: one of `type`, `pattern` and `any`.
 */
export interface ManifestValueMatcher {
  /** The type that it has. */
  type?: ManifestJsonSchemaType;
  /**
   * The regular expression (ECMA-262) that it matches, as a text.
   * @example "^[0-9a-f]{8}$"
   */
  pattern?: string;
  /** Whether it is only there, with any value. */
  any?: true;
}

/**
 * elicitation
 *
 * A question to the user: a form (`requestedSchema`) or a page to open (`url`).
 */
export interface ManifestElicitation {
  /**
   * The text of the question; `{{name}}` is replaced by a value of the call.
   *
   * At least 1 character
   * @example "Deploy to {{env}}?"
   */
  message: string;
  /** The form: an object of flat fields (strings, numbers, booleans, choices). Instead of `url`. */
  requestedSchema?: ManifestJsonSchema;
  /**
   * The page to open, by http or https; `{{name}}` is replaced by a percent-encoded value, only after the host.
   *
   * At least 1 character, format url-template
   */
  url?: string;
}

/**
 * A version of the server that is or will be released, with three numbers.
 *
 * Pattern `^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$`
 */
export type ManifestReleasedVersion = string;

/**
 * Origins, each as `https://api.example.com`, or `https://*.example.com` for all below a name.
 *
 * No two items equal
 * @example ["https://api.example.com"]
 */
export type ManifestAppOrigins = string[];

/** `{}` asks for it. */
export interface ManifestAppPermission {
  [key: symbol]: never;
}

/**
 * sql source
 *
 * One SQL statement that only reads. `:name` is bound, and null if its value is not known.
 */
export interface ManifestSqlSource {
  /** The one of `databases` that runs the statement. */
  database: string;
  /**
   * One statement. In a completion, the argument's own name is the text that was typed so far.
   *
   * At least 1 character
   * @example "select name from cities where starts_with(name, :city) order by name"
   */
  query: string;
  role?: ManifestCallerRole;
  set?: ManifestCallerSettings;
  /**
   * Most rows. A completion leaves out further rows; a longer list is an error.
   *
   * Integer, 1 to 100000
   * @default 100
   */
  maxRows?: number;
  /**
   * Most bytes of the rows, as the database sends them. A longer answer is an error.
   *
   * Integer, 1 to 67108864
   * @default 1048576
   */
  maxBytes?: number;
}

/**
 * client certificate
 *
 * Certificate that the connection to the token endpoint shows instead of a secret (mutual TLS, RFC 8705). The upstream itself is shown its own `cert`.
 * @example { cert: "TOKEN_CERT", key: "TOKEN_KEY" }
 */
export interface ManifestClientCertificate {
  /** Variable with the path of a PEM file: the certificate. */
  cert: ManifestEnvironmentName;
  /** Variable with the path of a PEM file: the key of that certificate. */
  key: ManifestEnvironmentName;
}

/**
 * value of the caller
 *
 * Either the caller's name or a claim.
 */
export interface ManifestCallerValue {
  /** The caller's name: the `sub` of the token, or else the principal. */
  caller?: "subject";
  /**
   * A claim of the caller's token, which `auth.claims` declares.
   *
   * At least 1 character
   */
  claim?: string;
}

/**
 * value of a path
 *
 * How an argument is written in a path.
 */
export interface ManifestHttpPathValue {
  /** Name of the argument. */
  from: string;
  /**
   * Style of OpenAPI.
   * @default "simple"
   */
  style?: "simple" | "label" | "matrix";
  /**
   * Whether each entry is written separately.
   * @default false
   */
  explode?: boolean;
}

/**
 * styled value
 *
 * How a list or an object is written, as OpenAPI does.
 */
export interface ManifestHttpStyledValue {
  /** Name of the argument. */
  from: string;
  /**
   * Style of OpenAPI. `deepObject` may contain lists and objects; `json` writes one JSON text.
   * @default "form"
   */
  style?: "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";
  /** Whether each entry is a separate parameter; by default in the style `form`. */
  explode?: boolean;
  /**
   * Whether reserved characters are not percent-encoded, except those that end a value.
   * @default false
   */
  allowReserved?: boolean;
}

/**
 * Name of a header.
 *
 * Pattern `^[!#$%&'*+.^_`|~0-9A-Za-z-]+$`
 */
export type ManifestHeaderName = string;

/**
 * cursor
 *
 * A parameter with a value from the previous page.
 */
export interface ManifestPageCursor {
  /**
   * Name of the parameter.
   *
   * At least 1 character
   */
  query: string;
  /**
   * JSON Pointer to that value.
   *
   * Pattern `^(?:/(?:[^~]|~[01])*)?$`
   */
  from: string;
}

/**
 * page
 *
 * A parameter with the number of the page. The first empty page is the last.
 */
export interface ManifestPageNumber {
  /**
   * Name of the parameter.
   *
   * At least 1 character
   */
  query: string;
  /**
   * Number of the first page.
   *
   * Integer, 0 to 1000000
   * @default 1
   */
  first?: number;
}

/** A type of JSON. */
export type ManifestJsonSchemaType =
  | "string"
  | "number"
  | "integer"
  | "boolean"
  | "object"
  | "array"
  | "null";

/** Any JSON value. */
export type JsonValue = JsonPrimitive | JsonValue[] | JsonObject;

/** Any JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** A JSON value that holds no others. */
export type JsonPrimitive = string | number | boolean | null;
