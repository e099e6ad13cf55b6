import { lettersOf, nearestName } from "../text/nearest-name.js";

/** Names that neighbours have for keys and values of manifests, in lower case and without signs. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  // OpenAPI, Swagger 2 and JSON Schema
  components: ["schemas"],
  definitions: ["schemas"],
  defs: ["schemas"],
  operationid: ["name"],
  parameters: ["inputSchema", "arguments"],
  responses: ["outputSchema"],
  schema: ["inputSchema", "requestedSchema", "schemas"],
  summary: ["title"],
  url: ["uri", "websiteUrl", "baseUrl", "tokenUrl"],
  // Fastify: `schema: { response: … }`
  response: ["outputSchema", "result"],
  // resources of MCP, and drivers of MongoDB
  uri: ["uriTemplate", "baseUrl", "url"],
  // `content` of `configs` in Compose files
  content: ["text"],
  // tasks of Taskfile
  desc: ["description"],
  // `[McpServerTool(Destructive = false, Idempotent = true, OpenWorld = false, ReadOnly = true)]` of the C# SDK
  destructive: ["destructiveHint"],
  idempotent: ["idempotentHint"],
  openworld: ["openWorldHint"],
  readonly: ["readOnlyHint"],
  // steps of GitHub Actions
  id: ["name"],
  // calls and their results in Anthropic's and OpenAI's APIs
  input: ["inputSchema", "arguments"],
  output: ["outputSchema", "result"],
  // Kubernetes, and `tools.yaml` of MCP Toolbox
  kind: ["type"],
  // JSON-RPC, and axios
  params: ["inputSchema", "arguments", "query"],
  // Pydantic 1: `constr(regex=…)`
  regex: ["pattern"],
  // functions of Convex
  returns: ["outputSchema"],
  // `mcp_tool_call` in the events of Codex
  server: ["upstream", "name"],
  tool: ["name"],
  // settings of MCP clients, and `server.json` of its registry
  streamablehttp: ["http"],
  ws: ["websocket"],
  // prompts of LangChain
  template: ["uriTemplate", "messages"],
  // clients of HTTP: fetch, axios and requests
  contenttype: ["mimeType"],
  data: ["body"],
  json: ["body"],
  timeout: ["timeoutMs"],
  // tasks of MCP's revision 2025-11-25
  ttl: ["ttlMs"],
  // Docker Compose, Dockerfiles and the settings of MCP clients
  args: ["arguments"],
  cmd: ["command"],
  environment: ["env"],
  workingdir: ["cwd"],
  // drivers of databases: pg, mysql2, PDO and PyMySQL; `statement` of MCP Toolbox; SQL's LIMIT
  connectionstring: ["url"],
  db: ["database"],
  dsn: ["url"],
  limit: ["maxRows"],
  sql: ["query"],
  statement: ["query"],
  user: ["username"],
  // OAuth, OpenID Connect and claims of JWTs; nodemailer's `pass`; OpenAPI's `security`
  aud: ["audience"],
  clientid: ["client"],
  clientsecret: ["secret"],
  iss: ["issuer"],
  jwksuri: ["jwks"],
  pass: ["password"],
  scope: ["scopes", "cacheScope"],
  security: ["auth"],
  tokenendpoint: ["tokenUrl"],
  // a trial of coding agents: settings of HTTP clients (axios-retry, p-retry, got), OpenAPI's `security`, and words of MCP
  apikey: ["header"],
  category: ["groups"],
  dir: ["root"],
  folder: ["root"],
  maxbodysize: ["bodyBytes"],
  path: ["root", "from"],
  ratelimit: ["ratePerSecond"],
  tags: ["groups"],
  attempts: ["max"],
  autocomplete: ["complete"],
  completion: ["complete"],
  completions: ["complete"],
  contents: ["text"],
  endpoint: ["baseUrl", "path"],
  engine: ["type"],
  enum: ["complete"],
  maxattempts: ["max"],
  maxretries: ["max", "retries"],
  next: ["from"],
  oauth: ["clientCredentials", "jwt"],
  oauth2: ["clientCredentials", "jwt"],
  param: ["query"],
  parameter: ["query"],
  retry: ["retries"],
  statuscodes: ["on"],
  statuses: ["on"],
  subscriptions: ["subscribe"],
  // types of Python, C, Go and Java
  bool: ["boolean"],
  dict: ["object"],
  double: ["number"],
  float: ["number"],
  int: ["integer", "number"],
  integer: ["number"],
  list: ["array"],
  none: ["null"],
  str: ["string"],
};

/** The key or value that the author most likely meant: the same in another notation, a synonym or a similar name. */
export function meantName(found: string, names: readonly string[]): string | undefined {
  const letters = lettersOf(found);
  const sameLetters = names.find((name) => lettersOf(name) === letters);
  if (sameLetters !== undefined) return sameLetters;
  const synonyms = Object.hasOwn(SYNONYMS, letters) ? (SYNONYMS[letters] ?? []) : [];
  return synonyms.find((synonym) => names.includes(synonym)) ?? nearestName(found, names);
}
