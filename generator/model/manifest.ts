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
   * Name of the server (`serverInfo.name`) and of its npm package.
   *
   * At most 214 characters, format package-name, pattern `^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$`
   * @example "weather"
   */
  name: string;
  /**
   * Version of the server, as semantic versioning writes it, in quotes or with three parts. `package.json` leaves it to that file, which the server reads at start, for people who release with `npm version`.
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
   * Services that the server calls over HTTP, where `http` bodies go, as `ctx.upstreams` of handlers; and other MCP servers, where `mcp` bodies go, as `ctx.servers`.
   * @example { books: { baseUrl: { env: "BOOKS_URL" } } }
   */
  upstreams?: {
    [key: string]: ManifestUpstream;
  };
  /**
   * Databases that the server asks: where `sql` bodies go, and `ctx.databases` of handlers.
   * @example { shop: { type: "postgres", url: { env: "SHOP_DB" } } }
   */
  databases?: {
    [key: string]: ManifestDatabase;
  };
  auth?: ManifestAuth;
  audit?: ManifestAudit;
  /**
   * Whether requests, calls of upstreams and statements are spans of OpenTelemetry. The project depends on `@opentelemetry/api` alone: its SDK, which says where spans go, is started by whoever runs the server.
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
   * How schemas reach clients. `defs`: shared schemas as `$defs` in each tool's schema; `inline`: written out in place, for clients that cannot read `$defs` (a recursive shared schema cannot be). In both, what model APIs refuse at the root of an inputSchema (`$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `enum`) is said in another way, and arguments are checked against what is written here all the same. `verbatim`: as `defs`, with the root as it is written.
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
  /** Default caching hints of every list and read; an item may set its own. */
  cache?: ManifestCache;
  /**
   * Items on one page of a list. Without it, everything is on one page, since many clients never ask for the second.
   *
   * Integer, at least 1
   */
  pageSize?: number;
  exposure?: ManifestExposure;
  package?: ManifestPackage;
  deploy?: ManifestDeploy;
  page?: ManifestPage;
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
   * Whether the server answers clients of 2024-11-05 to 2025-11-25 beside those of 2026-07-28.
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
      /** What the variable is for; stands in `.env.example`. */
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
      /** Value that is used where the variable is not set. Not for secrets. */
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
    }
  | null;

/**
 * upstream
 *
 * A service that the server calls over HTTP (`baseUrl`), or another MCP server (`mcp`).
 */
export interface ManifestUpstream {
  /** Where the service is: an http or https URL. It fixes the host; what tools say only adds to its path. */
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
   * Time for a whole answer, in milliseconds. An MCP server has the time limit of the item without it.
   *
   * Integer, 1 to 2147483647
   * @default 10000
   */
  timeoutMs?: number;
  retries?: ManifestUpstreamRetries;
  /**
   * Most requests at the same time; no limit without it.
   *
   * Integer, 1 to 10000
   */
  concurrency?: number;
  /**
   * Whether addresses that are not public (loopback, private networks) may be connected to.
   * @default false
   */
  private?: boolean;
  /**
   * How many redirects are followed. Credentials go to no other origin.
   *
   * Integer, 0 to 20
   * @default 0
   */
  redirects?: number;
  /** URL of an HTTP proxy. It then resolves the names, so that it has to judge where requests may go. */
  proxy?: ManifestSetting;
  /** Variable with the path of a PEM file: the authorities whose certificates are taken. */
  ca?: ManifestEnvironmentName;
  /** Variable with the path of a PEM file: the certificate that the server shows. */
  cert?: ManifestEnvironmentName;
  /** Variable with the path of a PEM file: the key of that certificate. */
  key?: ManifestEnvironmentName;
}

/**
 * database
 *
 * A database that the server asks. In read-only transactions, unless a statement says `write: true`.
 */
export interface ManifestDatabase {
  /** `postgres`, or `sqlite` on Node.js 22.13 and newer. */
  type: "postgres" | "sqlite";
  /** Where a Postgres database is: a URL that begins with `postgres://`. Its role must be no superuser, and no member of a role that reads or writes files of the database's machine. */
  url?: ManifestSetting;
  /** The file of a SQLite database: a path from the project's folder. */
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
   * A file of SQL statements, by its path from the project's folder, which makes what the examples with `database` read. Generated tests run it before each test, so that it also drops what it made before: in a new file for SQLite, and for Postgres in the database that the variable of `url` names with `TEST_` before it.
   *
   * At least 1 character, format project-path
   * @example "test/shop.sql"
   */
  testSetup?: string;
}

/**
 * auth
 *
 * Who may call over the network, and how they show it: tokens of authorization servers, keys for machines. Whoever shows nothing that is valid gets 401. Where `src/context.ts` exports `authenticate`, that decides, and may call `verify`, which is what is said here.
 * @example { resource: { env: "PUBLIC_URL" }, jwt: [{ issuer: "https://idp.example" }] }
 */
export interface ManifestAuth {
  /** Public URL of the server, which clients use. It is the `resource` of RFC 9728, and the audience that tokens must be meant for. Needed with `jwt` and `introspection`. */
  resource?: ManifestSetting;
  /**
   * Issuers of tokens that are JWTs.
   *
   * At least 1 item
   */
  jwt?: ManifestJwtIssuer[];
  introspection?: ManifestIntrospection;
  /** Where the keys of machines stand. */
  apiKeys?: string | ManifestApiKeys;
  /**
   * Methods that need no token. They are those of requests of 2026-07-28 without `Authorization`; older clients show who they are with every request. Whoever shows nothing has no scopes.
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
   * What lists show to a caller over the network: `all` items, so that clients can ask for scopes that they lack, or with `filter` those that the caller has the scopes for.
   * @default "all"
   */
  lists?: "all" | "filter";
}

/**
 * audit
 *
 * A line of JSON for each use of a tool, a resource, a prompt or a completion, written before it is answered, and for each request that is refused: who, what, when, from where, how long, and what came of it.
 */
export interface ManifestAudit {
  /** The variable with the path of the file that lines are added to. Without it, they go to stderr. */
  to?: ManifestEnvironmentReference;
  /**
   * What of the arguments stands in a line: nothing, their names, or their values. Values are without those of secret variables and of properties whose schema says `writeOnly` or `format: password`.
   * @default "none"
   */
  arguments?: "none" | "names" | "values";
  /**
   * Whether each answer waits until its line is on the disk. A call that cannot be written down is refused then; else it is answered, and the log says that lines are lost.
   * @default false
   */
  durable?: boolean;
}

/**
 * scale
 *
 * Several processes that serve the same behind a load balancer, and share through Redis (or Valkey) what each would otherwise know alone. Without it a process keeps everything in its memory.
 * @example { redis: { env: "REDIS_URL" } }
 */
export interface ManifestScale {
  /** Where Redis is. */
  redis: {
    /**
     * The environment variable, declared under `env`, that holds the URL: `redis://` or, with TLS, `rediss://`. A process without it stands alone.
     * @example "REDIS_URL"
     */
    env: string;
    [key: string]: unknown;
  };
  /**
   * What is shared. `events`: `notify` reaches the clients of all processes. `switches`: `enable` and `disable` hold in all, also in one that starts later. `rates`: `limits.ratePerSecond` is one budget over all. By default all that the manifest has a use for.
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
 * What a model can call: the item of `tools/list`, and how it is made.
 */
export interface ManifestTool {
  name: ManifestToolName;
  /** Name for people. */
  title?: string;
  /**
   * What the tool does and when to use it: what models read.
   *
   * At least 1 character
   */
  description: string;
  /**
   * JSON Schema of the arguments; an object. Without it, the tool takes no arguments.
   * @example { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false }
   */
  inputSchema?: ManifestJsonSchema;
  /** JSON Schema of the result (`structuredContent`). Clients before 2026-07-28 get a result that is no object as `{ result: … }`. */
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
  /** Calls with their answers: documentation, tests, and what the server answers in mock mode. */
  examples?: ManifestToolExample[];
  uses?: ManifestUses;
  /** Other names that still answer but are not listed, for callers of a renamed tool. Each belongs to one tool, and is no tool's own name. */
  aliases?: ManifestToolName[];
  elicitations?: ManifestElicitations;
  timeoutMs?: ManifestTimeoutMs;
  scopes?: ManifestScopes;
  enabled?: ManifestEnabled;
  /**
   * An HTML file of the project that shows the result, as an MCP App.
   *
   * Format project-path
   * @example "ui/forecast.html"
   */
  ui?: string;
}

/**
 * resource
 *
 * What clients can read under one URI: the item of `resources/list`, and how it is made.
 */
export interface ManifestResource {
  uri: ManifestUri;
  /** @example "help" */
  name: ManifestItemName;
  /** Name for people. */
  title?: string;
  /** What the resource holds. */
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
   * A file of the project that is read at each request, as a path from the folder of package.json.
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
  enabled?: ManifestEnabled;
}

/**
 * resource template
 *
 * What clients can read under URIs of a common form: the item of `resources/templates/list`, and how it is made.
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
  /** What the resources hold. */
  description?: string;
  /** MIME type, where it is the same for all of them. */
  mimeType?: ManifestMimeType;
  annotations?: ManifestAnnotations;
  icons?: ManifestIcons;
  _meta?: ManifestMeta;
  /**
   * Values that clients may offer, by variable of the template.
   * @example { city: ["Berlin", "Paris"] }
   */
  complete?: {
    [key: string]: ManifestCompletion;
  };
  http?: ManifestHttpBody;
  sql?: ManifestSqlBody;
  directory?: ManifestDirectoryBody;
  mcp?: ManifestMcpResourceTemplate;
  /** What lists the instances: `code` for a function of your own, or a request or a statement. */
  list?: "code" | ManifestSource;
  /** Whether handlers get values of the path that some file systems take for another place: with a colon or a backslash, with a percent-escape that is still there after decoding (`%2e`, `%2f`, `%5c`), with a dot or a space at the end, or named as a device of Windows (`CON`). Without it, a URI with such a value is not found. */
  raw?: boolean;
  subscribe?: ManifestSubscribe;
  cache?: ManifestCache;
  renamedFrom?: ManifestRenamedFrom;
  uses?: ManifestUses;
  elicitations?: ManifestElicitations;
  timeoutMs?: ManifestTimeoutMs;
  scopes?: ManifestScopes;
  enabled?: ManifestEnabled;
}

/**
 * prompt
 *
 * A prompt that people can pick: the item of `prompts/list`, and how it is made.
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
   * What the prompt asks for.
   *
   * At most 1000 items
   */
  arguments?: ManifestPromptArgument[];
  icons?: ManifestIcons;
  _meta?: ManifestMeta;
  /**
   * The messages of the prompt: no handler is made. `{{argument}}` is replaced, `{{#argument}}…{{/argument}}` shows its body only when the argument is given, `{{^argument}}…{{/argument}}` only when it is not.
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
  enabled?: ManifestEnabled;
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
  /** Who may share a cached answer. Where callers must say who they are (`auth`, or items with `scopes`), it is `private` whatever stands here. */
  cacheScope?: "public" | "private";
}

/** Which tools clients are shown. Without it, all. `search`: three tools that find and call all others (`search_tools`, `read_tool`, `call_tool`), for servers with more tools than a model chooses well among. A mapping lists some tools beside these three. */
export type ManifestExposure =
  | "search"
  | {
      /**
       * Names of the tools that are listed.
       *
       * At least 1 item
       */
      list: string[];
      /** All others are found by searching. */
      search: true;
      [key: string]: unknown;
    };

/**
 * package
 *
 * What people get the server by, beside its npm package. Each key adds files to the project; without them there are none.
 * @example { registry: { name: "io.github.acme/weather" } }
 */
export interface ManifestPackage {
  registry?: ManifestRegistry;
  /**
   * Whether `npm run mcpb` makes a bundle for desktop clients, `dist/NAME.mcpb`, which they install with one click. It serves over stdio, names its `author`, and asks its user for the variables of `env` that are required or secret.
   * @default false
   */
  mcpb?: boolean;
  /**
   * Whether SERVER.md has links by which clients install the server, and `npm run install:client -- NAME` adds this checkout to the settings of a client on this machine: `vscode`, `cursor`, `claude-desktop` or `claude-code`.
   * @default false
   */
  clients?: boolean;
  /**
   * Whether the project begins with workflows for GitHub, in `.github/workflows/`: `check.yml` checks each change, `release.yml` publishes the version that a tag names, to npm with its provenance, to GitHub with the bundle and to the MCP registry, where there is one. They are yours from then on.
   * @default false
   */
  github?: boolean;
}

/**
 * deployment files
 *
 * Files that run the server in containers, which follow the manifest at each generation. Without it there are none. In a container the server listens on every address, whatever `host` its transports have.
 * @example { docker: true, compose: true, kubernetes: true }
 */
export interface ManifestDeploy {
  /**
   * Whether there are a `Dockerfile` and a `.dockerignore`. `false` for projects that have their own.
   * @default true
   */
  docker?: boolean;
  /**
   * Whether there is a `compose.yaml`, which builds the image and runs it on this machine, with Redis where `scale` needs one. It serves the transport `http`.
   * @default false
   */
  compose?: boolean;
  /**
   * Whether `deploy/kubernetes/` has a Deployment, a Service, a kustomization and, with `scale`, a PodDisruptionBudget, which an overlay of your own can change. Variables come from a Secret and a ConfigMap with the name of the server. It serves the transport `http`.
   * @default false
   */
  kubernetes?: boolean;
}

/** A web page for people at the address of the transport `http`: what the server offers, to read and to try in a browser. It is one file without requests to anywhere else, and speaks MCP to its own server, with the token of whoever uses it where the server asks for one. Off without it. Where the server listens beyond this machine, it is served with `public: true` only. */
export type ManifestPage =
  | boolean
  | {
      /**
       * Serve it where the server listens beyond this machine too.
       * @default false
       */
      public?: boolean;
      [key: string]: unknown;
    };

/**
 * diagnostics setting
 *
 * How diagnostics are judged: severity by code, and the tool budget.
 * @example { MW2302: "off", toolBudget: 60 }
 */
export interface ManifestDiagnostics {
  /**
   * Number of tools above which there is a warning, since models choose worse among many; 0 is none.
   *
   * Integer, at least 0
   * @default 40
   */
  toolBudget?: number;
}

/**
 * limits setting
 *
 * Limits of the running server; every one has a safe default.
 */
export interface ManifestLimits {
  /**
   * Longest message from a client, in bytes. A longer body of an HTTP request is answered with 413, a longer line on stdio with an error, and a longer WebSocket message closes its connection.
   *
   * Integer, 1 to 268435456
   * @default 4194304
   */
  bodyBytes?: number;
  /**
   * Deepest nesting of a tool call's arguments.
   *
   * Integer, 1 to 512
   * @default 64
   */
  depth?: number;
  /**
   * Most array items and object members in a tool call's arguments, all levels together.
   *
   * Integer, at least 1
   * @default 50000
   */
  elements?: number;
  /**
   * Longest URI that can be read, in characters.
   *
   * Integer, at least 1
   * @default 2048
   */
  uriLength?: number;
  /**
   * Time that a handler has, in milliseconds; then `ctx.signal` fires and the call fails.
   *
   * Integer, 1 to 2147483647
   * @default 30000
   */
  timeoutMs?: number;
  /**
   * Most handlers that run at the same time; a call beyond them is refused at once. It also bounds the questions that wait for the answers of clients of the older eras over a network: beyond it, whoever has the most open questions loses the oldest one.
   *
   * Integer, at least 1
   * @default 1000
   */
  concurrency?: number;
  /**
   * Most requests a second from one client over the network, with bursts of one second's worth. An HTTP request beyond them is answered with 429 and Retry-After, a WebSocket message with the error 429, whose `data.retryAfter` says after how many seconds to try again.
   *
   * At most 1000000, above 0
   * @default 1000
   */
  ratePerSecond?: number;
  /**
   * Most subscriptions that are open at a time, and most URIs that clients of older protocols watch.
   *
   * Integer, at least 0
   * @default 1024
   */
  subscriptions?: number;
  /**
   * Clients that are connected at the same time by HTTP sessions; as many by SSE, and as many by WebSocket.
   *
   * Integer, at least 1
   * @default 1000
   */
  sessions?: number;
  /**
   * Time after which an idle session is closed, in milliseconds.
   *
   * Integer, 1 to 2147483647
   * @default 1800000
   */
  sessionIdleMs?: number;
  /**
   * Most connections that a listener has open; beyond them, whoever has most of them gives one up, the one that waited longest.
   *
   * Integer, at least 1
   * @default 1024
   */
  connections?: number;
  /**
   * Time that a client has to send the headers of a request, in milliseconds; then its connection is closed.
   *
   * Integer, 1 to 2147483647
   * @default 8000
   */
  headersTimeoutMs?: number;
  /**
   * Time that it has after that to send the body, in milliseconds.
   *
   * Integer, 1 to 2147483647
   * @default 17000
   */
  bodyTimeoutMs?: number;
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
   * Whether a broken stream can be taken up again; needs sessions.
   * @default false
   */
  resumable?: boolean;
  allowedHosts?: ManifestAllowedHosts;
  allowedOrigins?: ManifestAllowedOrigins;
  allowPublicBind?: ManifestAllowPublicBind;
  /** Whether browsers on `allowedOrigins` get CORS headers, preflight included; on where `allowedOrigins` is set. */
  cors?: boolean;
  trustProxy?: ManifestTrustProxy;
  tls?: ManifestTls;
  /**
   * Path that answers 200 while the server is up.
   * @default "/healthz"
   */
  health?: ManifestHttpPath;
  /**
   * Path that answers 200 while the server can be sent requests, and 503 where it is stopping, cannot reach Redis or a database, or `ready()` of `src/context.ts` says no. `/readyz` with `scale`; off without it.
   * @example "/readyz"
   */
  ready?: ManifestHttpPath;
  /**
   * Path of a page of metrics in the text format of Prometheus: requests by method, name and outcome, connections, memory and the like. Off without it. Whoever may call the server sees it: the rules for Host and Origin hold, and where callers must say who they are (the manifest has `auth`, items have `scopes`, or `src/context.ts` exports `authenticate`), it asks for a token. The health check asks for none.
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

/** A text, or the environment variable that holds it. */
export type ManifestSetting = string | ManifestEnvironmentReference;

/**
 * MCP server
 *
 * Another MCP server, of either era: at a URL, or a program that is started at the first call. The connection is kept, and opened again after it was lost. What that server asks its client for is refused.
 */
export interface ManifestMcpServer {
  /** Where it is: an http or https URL. The keys of the upstream say how it is asked. */
  url?: ManifestSetting;
  /**
   * The program and its arguments, one by one, without a shell. It and all that it starts end when the server stops.
   *
   * At least 1 item
   * @example ["npx", "-y", "@modelcontextprotocol/server-filesystem", "data"]
   */
  command?: ManifestSetting[];
  /** The folder that the program runs in, from the project's folder, which it is without it. */
  cwd?: ManifestSetting;
  /**
   * All environment variables that the program gets, beside `PATH` and `HOME`.
   * @example { API_TOKEN: { env: "API_TOKEN" } }
   */
  env?: {
    [key: string]: ManifestSetting;
  };
}

/**
 * upstream's auth
 *
 * How the server says who it is; one of these.
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
}

/**
 * retries
 *
 * When a request is tried again: after one of these statuses, or where no answer came. `Retry-After` is honoured, within the time limit of the call.
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
   * Statuses that are worth another try.
   * @default [429, 502, 503, 504]
   */
  on?: number[];
  /**
   * Methods that may be sent twice; by default those that may by their meaning.
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
 * An authorization server whose tokens are JWTs.
 */
export interface ManifestJwtIssuer {
  /** Its URL: the claim `iss` of its tokens. Its metadata (RFC 8414, OpenID Connect Discovery) says where its keys are. */
  issuer: ManifestSetting;
  /** URL of its keys, or a file of the project that holds them, in place of the metadata's. */
  jwks?: ManifestSetting;
  audience?: ManifestAudience;
  /**
   * Algorithms of signatures that are taken, of asymmetric keys.
   *
   * At least 1 item
   * @default ["ES256", "RS256"]
   * @example ["ES256"]
   */
  algorithms?: string[];
  scopes?: ManifestTokenScopes;
  /**
   * Claims that must have this value, or a list that holds it.
   * @example { tenant: "acme" }
   */
  require?: {
    [key: string]: string | number | boolean;
  };
  /**
   * Whether only tokens are taken whose `typ` is `at+jwt` (RFC 9068); otherwise `JWT` or none will do as well.
   * @default false
   */
  strict?: boolean;
}

/**
 * introspection
 *
 * An authorization server that is asked whether a token is valid (RFC 7662). It is asked about every token that no issuer under `jwt` has made.
 */
export interface ManifestIntrospection {
  /** URL of the page that is asked. */
  url: ManifestSetting;
  /** What the server calls itself there. */
  client: ManifestSetting;
  /** Its password there. */
  secret: ManifestSetting;
  /** URL of the authorization server, for clients that look for it. */
  issuer?: ManifestSetting;
  audience?: ManifestAudience;
  scopes?: ManifestTokenScopes;
  /**
   * How long an answer is taken for true, in milliseconds: so long does a token go on working that was revoked.
   *
   * Integer, 0 to 3600000
   * @default 10000
   */
  cacheMs?: number;
}

/**
 * API keys
 *
 * Keys of machines, a line each: `name:sha256:scopes`, the digest in lower-case hex, the scopes separated by spaces. A key is sent as `Authorization: Bearer KEY`. `npm start -- --new-key NAME` makes one. The lines stand in a variable, which is read when the server starts, or in a file, which is read again within a second after it changed.
 * @example { env: "API_KEYS" }
 */
export interface ManifestApiKeys {
  /** The variable with the lines. */
  env?: ManifestEnvironmentName;
  /** Path of the file with the lines, from the project's folder, or the variable that holds the path. */
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

/** Data for clients that know it, under keys with an optional prefix: `com.example/key`. Sent as it stands. */
export type ManifestMeta = JsonObject;

/** Earlier names, so that the handler's file follows the rename. */
export type ManifestRenamedFrom = string | string[];

/** A block of content. */
export type ManifestContentBlock = JsonObject;

/**
 * http body
 *
 * The item is one HTTP request, which the compiler writes. `{{name}}` is an argument of the tool, or a variable of the template: a value that is nothing else passes the argument itself, and is left out where that is absent.
 */
export interface ManifestHttpBody {
  /** Which of `upstreams` it asks. */
  upstream: string;
  /** @default "GET" */
  method?: ManifestHttpMethod;
  /**
   * Path behind the upstream's base URL. Values are percent-encoded.
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
   * What is sent as JSON: a value with placeholders in it, or one placeholder.
   * @example { title: "{{title}}" }
   */
  body?: JsonValue;
  /** What is sent as an HTML form sends it. */
  form?: {
    [key: string]: ManifestHttpValue;
  };
  /** What is sent as an HTML form for files sends it, as `multipart/form-data`: each field is a text. Lists are a part for each item, and what has the style `json` is a part of JSON. Binary parts have no place in it. */
  multipart?: {
    [key: string]: ManifestHttpValue;
  };
  /** What is sent as plain text. */
  text?: string;
  result?: ManifestHttpResult;
  paginate?: ManifestHttpPages;
  /**
   * Texts for statuses that are errors, instead of what the upstream says.
   * @example { "404": "There is no shelf {{shelf}}." }
   */
  errors?: {
    [key: string]: string;
  };
}

/**
 * sql body
 *
 * The item is one SQL statement, which the compiler writes. `:name` is an argument of the tool, or a variable of the template: it is bound, and null where it is absent. A resource is the rows as JSON.
 */
export interface ManifestSqlBody {
  /** Which of `databases` it asks. */
  database: string;
  /**
   * One statement. A list is an array in Postgres (`= any(:ids)`), and JSON in SQLite (`in (select value from json_each(:ids))`). Columns that JSON has no type for are texts: `int8` and `numeric` (numbers where the `outputSchema` says so), dates and times as ISO 8601; `bytea` and blobs are base64.
   *
   * At least 1 character
   * @example "select id, total from orders where customer = :customer order by id"
   */
  query: string;
  /**
   * Most rows. More are cut off with a notice; with an `outputSchema`, and in resources, they are an error.
   *
   * Integer, 1 to 100000
   * @default 100
   */
  maxRows?: number;
  /**
   * Whether the answer is one row instead of a list. Where there is none, a tool answers null, and a resource is not found.
   * @default false
   */
  row?: boolean;
  /**
   * Whether the statement may change something; only of tools.
   * @default false
   */
  write?: boolean;
}

/**
 * exec body
 *
 * The tool runs one program, without a shell; the compiler writes the code. `{{name}}` is an argument of the tool. The program and all that it starts end with the call, at a time-out, when the caller cancels, and when the server stops.
 */
export interface ManifestExecBody {
  /**
   * The program and its arguments, one by one. A value that is nothing but a placeholder passes the argument itself: a list is as many as it has items, and what is absent is none. The program is named, or an argument with an `enum`. A value that may begin with `-` stands behind `--`, or has a `pattern` that excludes it.
   *
   * At least 1 item
   * @example ["grep", "--max-count=50", "--", "{{pattern}}", "logs/app.log"]
   */
  command: string[];
  /** The folder that it runs in, from the project's folder, which it is without it. */
  cwd?: ManifestSetting;
  /**
   * All environment variables that it gets, beside `PATH`.
   * @example { LANG: "C", API_TOKEN: { env: "API_TOKEN" } }
   */
  env?: {
    [key: string]: ManifestSetting;
  };
  /**
   * What it reads: a text with placeholders. One placeholder passes a list or an object as JSON.
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
   * Most bytes of its output. More are cut, and a notice says so; cut JSON is an error.
   *
   * Integer, 1 to 67108864
   * @default 1048576
   */
  maxBytes?: number;
  /**
   * Exit statuses that are no error. With any other the call fails, and tells what the program wrote to stderr.
   *
   * At least 1 item, no two items equal
   * @default [0]
   */
  okStatus?: number[];
  /**
   * What its output is: a text, a value of JSON, or the list of its lines.
   * @default "text"
   */
  output?: "text" | "json" | "lines";
}

/**
 * mcp body
 *
 * Another MCP server answers: the call is passed on to it, with its progress, its messages for the log, its errors and its cancellation.
 */
export interface ManifestMcpCall {
  /** Which of `upstreams` it asks, one with `mcp`. */
  upstream: string;
  /**
   * What that server calls the item; the item's own name without it.
   *
   * At least 1 character
   */
  name?: string;
  /**
   * The arguments that it gets. `{{name}}` is an argument of the item: a value that is nothing but a placeholder is the argument itself, left out where it is absent. Without the key, all arguments of the item are passed on.
   * @example { path: "{{path}}", head: 100 }
   */
  arguments?: JsonObject;
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
  /** Arguments of the call; none without it. */
  arguments?: JsonObject;
  http?: ManifestHttpExample;
  exec?: ManifestExecExample;
  /** Database that the call asks, as its `testSetup` has made it: generated tests call the tool with it. */
  database?: string;
  /** The structured result; it must fit the `outputSchema`. */
  result?: JsonValue;
  /** The text of the answer. */
  text?: string;
  /** The text of an error answer. */
  error?: string;
}

/** Client features that the handler calls; `ctx` has only those that are named. */
export type ManifestUses = ("sampling" | "roots")[];

/** Questions that the handler may ask the user, by key: `ctx.elicit.<key>(values)`. */
export interface ManifestElicitations {
  [key: string]: ManifestElicitation;
}

/**
 * Time limit of one call, in milliseconds.
 *
 * Integer, 1 to 2147483647
 */
export type ManifestTimeoutMs = number;

/** OAuth scopes that a caller over the network needs, all of them. `auth`, or `authenticate` in `src/context.ts`, says which scopes a caller has; without either, every request over the network is refused. Lists show items whatever their scopes, unless `auth.lists` is `filter`. On stdio nobody is asked, nor on a custom transport. */
export type ManifestScopes = string[];

/**
 * Whether it is there from the start. Stating it, true or false, lets handlers and services switch the item with `enable` and `disable`, and tells clients that the list may change.
 * @default true
 */
export type ManifestEnabled = boolean;

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
  /** Which of `upstreams` it asks, one with `mcp`. */
  upstream: string;
  /**
   * The URI that the resource has there; the item's own without it.
   *
   * At least 1 character
   * @example "demo://help"
   */
  uri?: string;
}

/**
 * Whether clients may ask to be told of changes, with `notify.resourceUpdated(uri)`.
 * @default false
 */
export type ManifestSubscribe = boolean;

/** Values that clients may offer, what finds them, or `code` for a function of your own. */
export type ManifestCompletion = "code" | string[] | ManifestSource;

/**
 * directory body
 *
 * The template is a folder whose files clients read: its one variable is `{+path}` or a trailing `{/path*}`. Links that lead out of the folder, devices and pipes are not there, nor are names that some file systems take for another place. A file has the MIME type of its extension, or that of the template; it is a text where it is one, or else bytes.
 */
export interface ManifestDirectoryBody {
  /**
   * The folder, from the project's folder.
   * @example "docs"
   */
  root: ManifestSetting;
  /**
   * Whether files and folders are there whose names begin with a dot.
   * @default false
   */
  hidden?: boolean;
  /**
   * Largest file, in bytes; larger ones are not there.
   *
   * Integer, 1 to 16777216
   * @default 16777216
   */
  maxBytes?: number;
  /**
   * Whether the list of resources has the files, at most 10,000, and clients are offered their paths for `{+path}`. With it, the template has no `list` of its own.
   * @default true
   */
  list?: boolean;
  /**
   * Whether clients can subscribe to files, and are told when some come or go.
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
  /** Which of `upstreams` it asks, one with `mcp`. */
  upstream: string;
  /**
   * The URIs that the resources have there, made of the variables of the item's own template, which it is without it.
   *
   * At least 1 character
   * @example "demo://orders/{id}"
   */
  uriTemplate?: string;
}

/**
 * source
 *
 * A request or a statement that finds values: `http` or `sql`. In a completion, the name of the argument is what was typed so far, and the values of the others are known as far as the client says them. A statement has to bind what was typed, and offers the first column of its rows. A request offers a list of texts and numbers, or the one member that `result.fields` names of each object; it is not sent while a value in its path is missing, and where it does not say what was typed, the values that begin with that are offered. At most 100 are sent. In a list, each row, or each object of a list in JSON, is an instance: its columns or members are the values of the variables, by their names, and what is listed: `name` (else the values of the variables), `title`, `description`, `mimeType` and `size`.
 */
export interface ManifestSource {
  http?: ManifestHttpBody;
  sql?: ManifestSqlSource;
}

/**
 * prompt argument
 *
 * A text that the prompt asks for.
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
  /** What to give. */
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
  /** Who speaks. */
  role: "user" | "assistant";
  content: ManifestContentBlock;
}

/**
 * registry entry
 *
 * The entry in the MCP registry: `server.json`, and `mcpName` in package.json, by which the registry knows that the npm package is yours.
 */
export interface ManifestRegistry {
  /**
   * Name of the server in the registry: a namespace that you own, in reverse, and a name. Its case counts: `io.github.` is followed by the account as GitHub writes it.
   *
   * 3 to 200 characters, pattern `^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`
   * @example "io.github.acme/weather"
   */
  name: string;
  /**
   * The https URL at which everyone reaches the server over the transport `http`. By default `auth.resource`, where that is a text; without either, the entry names no running server.
   *
   * Format registry-url, pattern `^https://`
   * @example "https://weather.example/mcp"
   */
  url?: string;
  /**
   * Whether the entry names the npm package. `false` for a server that people reach by its URL only.
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
 * Host names, without port, that the Host header may carry beside the loopback names and `host`.
 * @default []
 */
export type ManifestAllowedHosts = string[];

/**
 * Origins that web pages may call from: scheme, host, and port where it is not the usual one.
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
 * OAuth's grant for clients: a token is fetched, and kept until it expires.
 */
export interface ManifestClientCredentials {
  /** Where tokens are had. */
  tokenUrl: ManifestSetting;
  /** Id of this client. */
  clientId: ManifestSetting;
  /** Secret of this client. */
  clientSecret: ManifestSetting;
  /**
   * Scopes, with spaces between them.
   *
   * At least 1 character
   */
  scope?: string;
  /**
   * For whom the token is.
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

/** A method of HTTP. */
export type ManifestHttpMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/**
 * Whom tokens must be meant for: one of these; by default `resource`.
 *
 * At least 1 item
 * @example ["https://books.example/mcp", "api://books"]
 */
export type ManifestAudience = ManifestSetting[];

/**
 * scopes of tokens
 *
 * Where tokens say what their callers may do.
 */
export interface ManifestTokenScopes {
  /**
   * The claim: a text with spaces between scopes, or a list. By default `scope`, or else `scp`.
   *
   * At least 1 character
   * @example "roles"
   */
  claim?: string;
  /**
   * What stands before scopes where clients ask for them. It is cut where a token has it.
   *
   * At least 1 character
   * @example "api://books/"
   */
  advertise?: string;
}

/**
 * path
 *
 * A path, and how its values are written.
 */
export interface ManifestHttpPathTemplate {
  /** Path behind the upstream's base URL. */
  template: string;
  /** Values by the names of their placeholders. */
  values: {
    [key: string]: ManifestHttpPathValue;
  };
}

/** A text with placeholders, a fixed value, or an argument with the style that it is written in. */
export type ManifestHttpValue = string | number | boolean | ManifestHttpStyledValue;

/** A text with placeholders, or a fixed value. */
export type ManifestHttpText = string | number | boolean;

/**
 * result
 *
 * What of an answer becomes the result. JSON becomes structured content where the tool has an `outputSchema`, else text with all digits of its numbers. The result of HEAD is its status.
 */
export interface ManifestHttpResult {
  /**
   * JSON Pointer to the part that is wanted.
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
   * Longest answer, in bytes.
   *
   * Integer, 1 to 33554432
   * @default 1048576
   */
  maxBytes?: number;
  /**
   * Whether a longer answer is cut, with a notice, instead of refused.
   * @default false
   */
  truncate?: boolean;
}

/**
 * pagination
 *
 * How the pages of a list follow each other: one of `cursor`, `page` and `link`. The result is the list of all their items.
 * @example { link: true, maxPages: 5 }
 */
export interface ManifestHttpPages {
  cursor?: ManifestPageCursor;
  page?: ManifestPageNumber;
  /** Whether the header `Link` names the next page. */
  link?: true;
  /**
   * Most pages. Where there are more, a text beside the result says so.
   *
   * Integer, 1 to 1000
   * @default 10
   */
  maxPages?: number;
}

/**
 * upstream's answer
 *
 * What the upstream answers in an example; tests play it.
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
  /** What it answers, as JSON. */
  body?: JsonValue;
  /** What it answers, as text. */
  text?: string;
}

/**
 * program's answer
 *
 * What the program does in an example; tests run a program that does it.
 */
export interface ManifestExecExample {
  /**
   * Its output.
   * @default ""
   */
  stdout?: string;
  /**
   * What it writes to stderr.
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
 * elicitation
 *
 * A question to the user: a form (`requestedSchema`) or a page to open (`url`).
 */
export interface ManifestElicitation {
  /**
   * What the user is asked; `{{name}}` is filled from the values of the call.
   *
   * At least 1 character
   * @example "Deploy to {{env}}?"
   */
  message: string;
  /** The form: an object of flat fields (strings, numbers, booleans, choices). Instead of `url`. */
  requestedSchema?: ManifestJsonSchema;
  /**
   * The page to open, by http or https; `{{name}}` is filled percent-encoded, after the host only.
   *
   * At least 1 character, format url-template
   */
  url?: string;
}

/**
 * sql source
 *
 * One SQL statement that only reads. `:name` is bound, and null where its value is not known.
 */
export interface ManifestSqlSource {
  /** Which of `databases` it asks. */
  database: string;
  /**
   * One statement. Of a completion, the argument's own name is what was typed so far.
   *
   * At least 1 character
   * @example "select name from cities where starts_with(name, :city) order by name"
   */
  query: string;
  /**
   * Most rows. A completion leaves out what is over; a list of more is an error.
   *
   * Integer, 1 to 100000
   * @default 100
   */
  maxRows?: number;
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
   * Whether each entry stands for itself.
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
   * Style of OpenAPI, which in `deepObject` may hold lists and objects; `json` writes one text of JSON.
   * @default "form"
   */
  style?: "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";
  /** Whether each entry stands for itself; by default in the style `form`. */
  explode?: boolean;
  /**
   * Whether reserved characters stand as they are, but for those that end a value.
   * @default false
   */
  allowReserved?: boolean;
}

/**
 * cursor
 *
 * A parameter that takes what the page before says.
 */
export interface ManifestPageCursor {
  /**
   * Name of the parameter.
   *
   * At least 1 character
   */
  query: string;
  /**
   * JSON Pointer to what it takes.
   *
   * Pattern `^(?:/(?:[^~]|~[01])*)?$`
   */
  from: string;
}

/**
 * page
 *
 * A parameter that counts pages, up to one that is empty.
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

/** Any JSON value. */
export type JsonValue = JsonPrimitive | JsonValue[] | JsonObject;

/** Any JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** A JSON value that holds no others. */
export type JsonPrimitive = string | number | boolean | null;
