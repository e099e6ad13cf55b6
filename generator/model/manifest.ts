// Made from schemas/manifest.schema.json by `npm run manifest-language`. Do not edit.
// The schema and its page, schemas/REFERENCE.md, say what each key means.

export interface Manifest {
  manifestVersion?: 1;
  include?: string[];
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: ManifestIcons;
  instructions?: string;
  license?: string;
  author?: string | ManifestPerson;
  repository?: string | ManifestRepository;
  keywords?: string[];
  transports?: ManifestTransport[];
  protocol?: ManifestProtocol;
  env?: {
    [key: string]: ManifestEnvironmentVariable;
  };
  upstreams?: {
    [key: string]: ManifestUpstream;
  };
  databases?: {
    [key: string]: ManifestDatabase;
  };
  auth?: ManifestAuth;
  audit?: ManifestAudit;
  telemetry?: boolean;
  scale?: ManifestScale;
  schemas?: {
    [key: string]: ManifestJsonSchema;
  };
  schemaRefs?: "defs" | "inline" | "verbatim";
  tools?: ManifestTool[];
  resources?: ManifestResource[];
  resourceTemplates?: ManifestResourceTemplate[];
  prompts?: ManifestPrompt[];
  skills?: ManifestSkillFolder[];
  cache?: ManifestCache;
  pageSize?: number;
  extensions?: ManifestExtensions;
  exposure?: ManifestExposure;
  restrict?: ManifestRestrict;
  resourceTools?: boolean;
  package?: ManifestPackage;
  deploy?: ManifestDeploy;
  page?: ManifestPage;
  card?: ManifestCard;
  diagnostics?: ManifestDiagnostics;
  limits?: ManifestLimits;
}

export type ManifestIcons = ManifestIcon[];

export type ManifestPerson = JsonObject;

export type ManifestRepository = JsonObject;

export type ManifestTransport =
  | ManifestStdioTransport
  | ManifestHttpTransport
  | ManifestSseTransport
  | ManifestWebsocketTransport
  | ManifestCustomTransport;

export interface ManifestProtocol {
  legacy?: "serve" | "reject";
}

export type ManifestEnvironmentVariable =
  | {
      description?: string;
      required?: boolean;
      secret?: boolean;
      default?: string | number | boolean;
      type?: "string" | "number" | "boolean" | "url";
      enum?: (string | number)[];
      ask?: "file" | "directory" | boolean;
    }
  | null;

export interface ManifestUpstream {
  baseUrl?: ManifestSetting;
  mcp?: ManifestMcpServer;
  auth?: ManifestUpstreamAuth;
  headers?: {
    [key: string]: ManifestSetting;
  };
  timeoutMs?: number;
  retries?: ManifestUpstreamRetries;
  concurrency?: number;
  private?: boolean;
  redirects?: number;
  strict?: boolean;
  proxy?: ManifestSetting;
  ca?: ManifestEnvironmentName;
  cert?: ManifestEnvironmentName;
  key?: ManifestEnvironmentName;
}

export interface ManifestDatabase {
  type: "postgres" | "sqlite";
  url?: ManifestSetting;
  file?: ManifestSetting;
  poolSize?: number;
  timeoutMs?: number;
  testSetup?: string;
  strict?: boolean;
}

export interface ManifestAuth {
  resource?: ManifestSetting;
  jwt?: ManifestJwtIssuer[];
  introspection?: ManifestIntrospection;
  apiKeys?: ManifestApiKeys;
  claims?: {
    [key: string]: "string" | "number" | "integer" | "boolean";
  };
  public?: (
    | "server/discover"
    | "tools/list"
    | "resources/list"
    | "resources/templates/list"
    | "prompts/list"
  )[];
  initialScopes?: string[];
  lists?: "all" | "filter";
}

export interface ManifestAudit {
  to?: ManifestEnvironmentReference;
  arguments?: "none" | "names" | "values";
  durable?: boolean;
}

export interface ManifestScale {
  redis: {
    env: string;
    [key: string]: unknown;
  };
  share?: ("events" | "switches" | "rates")[];
}

export type ManifestJsonSchema = boolean | JsonObject;

export interface ManifestTool {
  name: ManifestToolName;
  title?: string;
  description: string;
  inputSchema?: ManifestJsonSchema;
  outputSchema?: ManifestJsonSchema;
  annotations?: ManifestToolAnnotations;
  icons?: ManifestIcons;
  _meta?: ManifestMeta;
  execution?: JsonObject;
  renamedFrom?: ManifestRenamedFrom;
  content?: ManifestContentBlock[];
  structuredContent?: JsonValue;
  isError?: boolean;
  http?: ManifestHttpBody;
  sql?: ManifestSqlBody;
  exec?: ManifestExecBody;
  mcp?: ManifestMcpCall;
  examples?: ManifestToolExample[];
  result?: ManifestToolResult;
  uses?: ManifestUses;
  aliases?: ManifestToolName[];
  intents?: string[];
  elicitations?: ManifestElicitations;
  confirm?: ManifestConfirm;
  task?: boolean | ManifestTask;
  timeoutMs?: ManifestTimeoutMs;
  scopes?: ManifestScopes;
  groups?: ManifestGroups;
  deprecated?: ManifestDeprecation;
  enabled?: ManifestEnabled;
  ui?: ManifestAppFile | ManifestApp;
}

export interface ManifestResource {
  uri: ManifestUri;
  name: ManifestItemName;
  title?: string;
  description?: string;
  mimeType?: ManifestMimeType;
  size?: ManifestSize;
  annotations?: ManifestAnnotations;
  icons?: ManifestIcons;
  _meta?: ManifestMeta;
  text?: string;
  blob?: ManifestBase64;
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

export interface ManifestResourceTemplate {
  uriTemplate: string;
  name: ManifestItemName;
  title?: string;
  description?: string;
  mimeType?: ManifestMimeType;
  annotations?: ManifestAnnotations;
  icons?: ManifestIcons;
  _meta?: ManifestMeta;
  complete?: {
    [key: string]: ManifestCompletion;
  };
  http?: ManifestHttpBody;
  sql?: ManifestSqlBody;
  directory?: ManifestDirectoryBody;
  mcp?: ManifestMcpResourceTemplate;
  list?: "code" | ManifestSource;
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

export interface ManifestPrompt {
  name: ManifestItemName;
  title?: string;
  description?: string;
  arguments?: ManifestPromptArgument[];
  icons?: ManifestIcons;
  _meta?: ManifestMeta;
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

export interface ManifestSkillFolder {
  root: string;
  description?: string;
  watch?: boolean;
  scopes?: ManifestScopes;
  groups?: ManifestGroups;
}

export interface ManifestCache {
  ttlMs?: number;
  cacheScope?: "public" | "private";
}

export interface ManifestExtensions {
  [key: string]: JsonObject;
}

export type ManifestExposure =
  | "search"
  | {
      list: string[];
      search: true;
      [key: string]: unknown;
    };

export interface ManifestRestrict {
  groups?: {
    env?: ManifestEnvironmentName;
    scopePrefix?: string;
    [key: string]: unknown;
  };
  readOnly?: {
    env?: ManifestEnvironmentName;
    scope?: string;
    [key: string]: unknown;
  };
}

export interface ManifestPackage {
  registry?: ManifestRegistry;
  mcpb?: boolean;
  clients?: boolean;
  github?: boolean;
}

export interface ManifestDeploy {
  docker?: boolean;
  compose?: boolean;
  kubernetes?: boolean;
  workers?: boolean;
  lambda?: boolean;
  vercel?: boolean;
  bun?: boolean;
  deno?: boolean;
}

export type ManifestPage =
  | boolean
  | {
      public?: boolean;
      [key: string]: unknown;
    };

export type ManifestCard =
  | boolean
  | {
      name?: string;
      url?: string;
      [key: string]: unknown;
    };

export interface ManifestDiagnostics {
  toolBudget?: number;
  tokenBudget?: number;
}

export interface ManifestLimits {
  bodyBytes?: number | ManifestEnvironmentReference;
  depth?: number | ManifestEnvironmentReference;
  elements?: number | ManifestEnvironmentReference;
  uriLength?: number | ManifestEnvironmentReference;
  timeoutMs?: number | ManifestEnvironmentReference;
  concurrency?: number | ManifestEnvironmentReference;
  ratePerSecond?: number | ManifestEnvironmentReference;
  subscriptions?: number | ManifestEnvironmentReference;
  tasks?: number | ManifestEnvironmentReference;
  sessions?: number | ManifestEnvironmentReference;
  sessionIdleMs?: number | ManifestEnvironmentReference;
  connections?: number | ManifestEnvironmentReference;
  headersTimeoutMs?: number | ManifestEnvironmentReference;
  bodyTimeoutMs?: number | ManifestEnvironmentReference;
}

export type ManifestIcon = JsonObject;

export interface ManifestStdioTransport {
  type: "stdio";
}

export interface ManifestHttpTransport {
  type: "http";
  host?: ManifestHost;
  port?: ManifestPort;
  path?: ManifestHttpPath;
  sessions?: "none" | "memory";
  resumable?: boolean;
  allowedHosts?: ManifestAllowedHosts;
  allowedOrigins?: ManifestAllowedOrigins;
  allowPublicBind?: ManifestAllowPublicBind;
  cors?: boolean;
  trustProxy?: ManifestTrustProxy;
  tls?: ManifestTls;
  health?: ManifestHttpPath;
  ready?: ManifestHttpPath;
  metrics?: ManifestHttpPath;
}

export interface ManifestSseTransport {
  type: "sse";
  host?: ManifestHost;
  port?: ManifestPort;
  path?: ManifestHttpPath;
  messagesPath?: ManifestHttpPath;
  allowedHosts?: ManifestAllowedHosts;
  allowedOrigins?: ManifestAllowedOrigins;
  allowPublicBind?: ManifestAllowPublicBind;
  trustProxy?: ManifestTrustProxy;
}

export interface ManifestWebsocketTransport {
  type: "websocket";
  host?: ManifestHost;
  port?: ManifestPort;
  path?: ManifestHttpPath;
  allowedHosts?: ManifestAllowedHosts;
  allowedOrigins?: ManifestAllowedOrigins;
  allowPublicBind?: ManifestAllowPublicBind;
  trustProxy?: ManifestTrustProxy;
}

export interface ManifestCustomTransport {
  type: "custom";
  name: string;
}

export type ManifestSetting = string | ManifestEnvironmentReference;

export interface ManifestMcpServer {
  url?: ManifestSetting;
  command?: ManifestSetting[];
  cwd?: ManifestSetting;
  env?: {
    [key: string]: ManifestSetting;
  };
}

export interface ManifestUpstreamAuth {
  bearer?: ManifestSetting;
  basic?: ManifestBasicAuth;
  header?: ManifestNamedCredential;
  query?: ManifestNamedCredential;
  cookie?: ManifestNamedCredential;
  clientCredentials?: ManifestClientCredentials;
  exchange?: ManifestTokenExchange;
  onBehalfOf?: ManifestOnBehalfOf;
  jwtBearer?: ManifestJwtBearer;
  perCaller?: ManifestPerCaller;
}

export interface ManifestUpstreamRetries {
  max: number;
  on?: number[];
  methods?: ManifestHttpMethod[];
}

export type ManifestEnvironmentName = string;

export interface ManifestJwtIssuer {
  preset?: "entra" | "auth0" | "keycloak" | "okta" | "cognito" | "google" | "workos" | "zitadel";
  domain?: string;
  tenant?: string;
  realm?: string;
  region?: string;
  userPool?: string;
  server?: string;
  client?: string;
  issuer?: ManifestSetting;
  jwks?: ManifestSetting;
  audience?: ManifestAudience;
  algorithms?: string[];
  scopes?: ManifestTokenScopes;
  require?: {
    [key: string]: string | number | boolean;
  };
  strict?: boolean;
}

export interface ManifestIntrospection {
  url: ManifestSetting;
  client: ManifestSetting;
  secret: ManifestSetting;
  issuer?: ManifestSetting;
  audience?: ManifestAudience;
  scopes?: ManifestTokenScopes;
  cacheMs?: number;
}

export interface ManifestApiKeys {
  env?: ManifestEnvironmentName;
  file?: ManifestSetting;
}

export interface ManifestEnvironmentReference {
  env: ManifestEnvironmentName;
}

export type ManifestToolName = string;

export type ManifestToolAnnotations = JsonObject;

export type ManifestMeta = JsonObject;

export type ManifestRenamedFrom = string | string[];

export type ManifestContentBlock = JsonObject;

export interface ManifestHttpBody {
  upstream: string;
  method?: ManifestHttpMethod;
  path: string | ManifestHttpPathTemplate;
  query?: {
    [key: string]: ManifestHttpValue;
  };
  headers?: {
    [key: string]: ManifestHttpText;
  };
  cookies?: {
    [key: string]: ManifestHttpText;
  };
  body?: JsonValue;
  form?: {
    [key: string]: ManifestHttpValue;
  };
  multipart?: {
    [key: string]: ManifestHttpValue;
  };
  text?: string;
  result?: ManifestHttpResult;
  strict?: boolean;
  paginate?: ManifestHttpPages;
  retries?: ManifestHttpRetries;
  errors?: {
    [key: string]: string;
  };
}

export interface ManifestSqlBody {
  database: string;
  query: string;
  role?: ManifestCallerRole;
  set?: ManifestCallerSettings;
  maxRows?: number;
  maxBytes?: number;
  row?: boolean;
  write?: boolean;
  select?: string;
  answerSchema?: ManifestJsonSchema;
  strict?: boolean;
}

export interface ManifestExecBody {
  command: string[];
  trusted?: string[];
  cwd?: ManifestSetting;
  env?: {
    [key: string]: ManifestSetting;
  };
  stdin?: string;
  timeoutMs?: number;
  maxBytes?: number;
  okStatus?: number[];
  output?: "text" | "json" | "lines";
  strict?: boolean;
}

export interface ManifestMcpCall {
  upstream: string;
  name?: string;
  arguments?: JsonObject;
  select?: string;
  answerSchema?: ManifestJsonSchema;
  strict?: boolean;
}

export interface ManifestToolExample {
  name?: string;
  arguments?: JsonObject;
  http?: ManifestHttpExample;
  exec?: ManifestExecExample;
  database?: string;
  result?: JsonValue;
  text?: string;
  error?: string;
  matches?: {
    [key: string]: ManifestValueMatcher;
  };
}

export interface ManifestToolResult {
  text?: "none" | "summary" | "json";
}

export type ManifestUses = ("sampling" | "roots")[];

export interface ManifestElicitations {
  [key: string]: ManifestElicitation;
}

export type ManifestConfirm = string;

export interface ManifestTask {
  ttlMs?: number;
  pollIntervalMs?: number;
  required?: boolean;
  asks?: "during" | "before";
}

export type ManifestTimeoutMs = number;

export type ManifestScopes = string[];

export type ManifestGroups = string[];

export interface ManifestDeprecation {
  since?: ManifestReleasedVersion;
  use?: string;
  until?: ManifestReleasedVersion;
}

export type ManifestEnabled = boolean;

export type ManifestAppFile = string;

export interface ManifestApp {
  file: ManifestAppFile;
  csp?: {
    connectDomains?: ManifestAppOrigins;
    resourceDomains?: ManifestAppOrigins;
    frameDomains?: ManifestAppOrigins;
    baseUriDomains?: ManifestAppOrigins;
    [key: string]: unknown;
  };
  permissions?: {
    camera?: ManifestAppPermission;
    microphone?: ManifestAppPermission;
    geolocation?: ManifestAppPermission;
    clipboardWrite?: ManifestAppPermission;
    [key: string]: unknown;
  };
  domain?: string;
  prefersBorder?: boolean;
}

export type ManifestUri = string;

export type ManifestItemName = string;

export type ManifestMimeType = string;

export type ManifestSize = number;

export type ManifestAnnotations = JsonObject;

export type ManifestBase64 = string;

export interface ManifestMcpResource {
  upstream: string;
  uri?: string;
}

export type ManifestSubscribe = boolean;

export type ManifestCompletion = "code" | string[] | ManifestSource;

export interface ManifestDirectoryBody {
  root: ManifestSetting;
  hidden?: boolean;
  maxBytes?: number;
  list?: boolean;
  watch?: boolean;
}

export interface ManifestMcpResourceTemplate {
  upstream: string;
  uriTemplate?: string;
}

export interface ManifestSource {
  http?: ManifestHttpBody;
  sql?: ManifestSqlSource;
}

export interface ManifestPromptArgument {
  name: ManifestItemName;
  title?: string;
  description?: string;
  required?: boolean;
  complete?: ManifestCompletion;
}

export interface ManifestPromptMessage {
  role: "user" | "assistant";
  content: ManifestContentBlock;
}

export interface ManifestRegistry {
  name: string;
  url?: string;
  npm?: boolean;
}

export type ManifestHost = string;

export type ManifestPort = number;

export type ManifestHttpPath = string;

export type ManifestAllowedHosts = string[];

export type ManifestAllowedOrigins = string[];

export type ManifestAllowPublicBind = boolean;

export type ManifestTrustProxy = number;

export interface ManifestTls {
  cert: ManifestEnvironmentName;
  key: ManifestEnvironmentName;
}

export interface ManifestBasicAuth {
  username: ManifestSetting;
  password: ManifestSetting;
}

export interface ManifestNamedCredential {
  name: string;
  value: ManifestSetting;
}

export interface ManifestClientCredentials {
  tokenUrl: ManifestSetting;
  clientId: ManifestSetting;
  clientSecret?: ManifestSetting;
  clientKey?: ManifestSetting;
  clientCertificate?: ManifestClientCertificate;
  keyId?: ManifestSetting;
  assertionAudience?: ManifestSetting;
  scope?: string;
  audience?: string;
  sendIn?: "header" | "form";
}

export interface ManifestTokenExchange {
  tokenUrl: ManifestSetting;
  clientId: ManifestSetting;
  clientSecret?: ManifestSetting;
  clientKey?: ManifestSetting;
  clientCertificate?: ManifestClientCertificate;
  keyId?: ManifestSetting;
  assertionAudience?: ManifestSetting;
  scope?: string;
  audience?: string;
  resource?: string;
  sendIn?: "header" | "form";
}

export interface ManifestOnBehalfOf {
  tokenUrl: ManifestSetting;
  clientId: ManifestSetting;
  clientSecret?: ManifestSetting;
  clientKey?: ManifestSetting;
  clientCertificate?: ManifestClientCertificate;
  keyId?: ManifestSetting;
  assertionAudience?: ManifestSetting;
  scope: string;
  sendIn?: "header" | "form";
}

export interface ManifestJwtBearer {
  tokenUrl: ManifestSetting;
  issuer: ManifestSetting;
  key: ManifestSetting;
  keyId?: ManifestSetting;
  audience?: ManifestSetting;
  subject: ManifestCallerValue;
  scope?: string;
  clientId?: ManifestSetting;
  clientSecret?: ManifestSetting;
}

export interface ManifestPerCaller {
  authorizationUrl: ManifestSetting;
  tokenUrl: ManifestSetting;
  clientId: ManifestSetting;
  clientSecret?: ManifestSetting;
  clientKey?: ManifestSetting;
  clientCertificate?: ManifestClientCertificate;
  keyId?: ManifestSetting;
  assertionAudience?: ManifestSetting;
  scopes?: string[];
  issuer?: ManifestSetting;
  parameters?: {
    [key: string]: string;
  };
  sendIn?: "header" | "form";
}

export type ManifestHttpMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

export type ManifestAudience = ManifestSetting[];

export interface ManifestTokenScopes {
  claim?: string;
  advertise?: string;
}

export interface ManifestHttpPathTemplate {
  template: string;
  values: {
    [key: string]: ManifestHttpPathValue;
  };
}

export type ManifestHttpValue = string | number | boolean | ManifestHttpStyledValue;

export type ManifestHttpText = string | number | boolean;

export interface ManifestHttpResult {
  from?: string;
  fields?: string[];
  select?: string;
  answerSchema?: ManifestJsonSchema;
  empty?: number[];
  noContent?: JsonValue;
  headers?: {
    [key: string]: ManifestHeaderName;
  };
  maxBytes?: number;
  truncate?: boolean;
}

export interface ManifestHttpPages {
  cursor?: ManifestPageCursor;
  page?: ManifestPageNumber;
  link?: true;
  maxPages?: number;
  expose?: true;
}

export interface ManifestHttpRetries {
  max: number;
  on?: number[];
}

export interface ManifestCallerRole {
  claim: string;
  oneOf: string[];
}

export interface ManifestCallerSettings {
  [key: string]: ManifestCallerValue;
}

export interface ManifestHttpExample {
  status?: number;
  headers?: {
    [key: string]: string;
  };
  body?: JsonValue;
  text?: string;
}

export interface ManifestExecExample {
  stdout?: string;
  stderr?: string;
  status?: number;
}

export interface ManifestValueMatcher {
  type?: ManifestJsonSchemaType;
  pattern?: string;
  any?: true;
}

export interface ManifestElicitation {
  message: string;
  requestedSchema?: ManifestJsonSchema;
  url?: string;
}

export type ManifestReleasedVersion = string;

export type ManifestAppOrigins = string[];

export interface ManifestAppPermission {
  [key: symbol]: never;
}

export interface ManifestSqlSource {
  database: string;
  query: string;
  role?: ManifestCallerRole;
  set?: ManifestCallerSettings;
  maxRows?: number;
  maxBytes?: number;
}

export interface ManifestClientCertificate {
  cert: ManifestEnvironmentName;
  key: ManifestEnvironmentName;
}

export interface ManifestCallerValue {
  caller?: "subject";
  claim?: string;
}

export interface ManifestHttpPathValue {
  from: string;
  style?: "simple" | "label" | "matrix";
  explode?: boolean;
}

export interface ManifestHttpStyledValue {
  from: string;
  style?: "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";
  explode?: boolean;
  allowReserved?: boolean;
}

export type ManifestHeaderName = string;

export interface ManifestPageCursor {
  query: string;
  from: string;
}

export interface ManifestPageNumber {
  query: string;
  first?: number;
}

export type ManifestJsonSchemaType =
  | "string"
  | "number"
  | "integer"
  | "boolean"
  | "object"
  | "array"
  | "null";

export type JsonValue = JsonPrimitive | JsonValue[] | JsonObject;

export type JsonObject = { [key: string]: JsonValue };

export type JsonPrimitive = string | number | boolean | null;
