import { lettersOf, nearestName } from "../text/nearest-name.js";

/** Names that neighbours have for keys and values of manifests, in lower case and without signs. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  // OpenAPI and JSON Schema
  components: ["schemas"],
  definitions: ["schemas"],
  defs: ["schemas"],
  operationid: ["name"],
  parameters: ["inputSchema", "arguments"],
  response: ["outputSchema", "result"],
  responses: ["outputSchema"],
  schema: ["inputSchema", "requestedSchema", "schemas"],
  summary: ["title"],
  uri: ["uriTemplate", "baseUrl", "url"],
  url: ["uri", "websiteUrl", "baseUrl", "tokenUrl"],
  // SDKs of MCP with Zod, and functions that models call
  content: ["text"],
  desc: ["description"],
  destructive: ["destructiveHint"],
  id: ["name"],
  idempotent: ["idempotentHint"],
  input: ["inputSchema", "arguments"],
  kind: ["type"],
  openworld: ["openWorldHint"],
  output: ["outputSchema", "result"],
  params: ["inputSchema", "arguments", "query"],
  readonly: ["readOnlyHint"],
  regex: ["pattern"],
  returns: ["outputSchema"],
  server: ["upstream", "name"],
  streamablehttp: ["http"],
  template: ["uriTemplate", "messages"],
  tool: ["name"],
  // clients of HTTP
  contenttype: ["mimeType"],
  data: ["body"],
  json: ["body"],
  timeout: ["timeoutMs"],
  ttl: ["ttlMs"],
  verb: ["method"],
  ws: ["websocket"],
  // Docker Compose and the settings of MCP clients
  args: ["arguments"],
  cmd: ["command"],
  environment: ["env"],
  workingdir: ["cwd"],
  // drivers of databases
  connectionstring: ["url"],
  db: ["database"],
  dsn: ["url"],
  sql: ["query"],
  statement: ["query"],
  limit: ["maxRows"],
  // OAuth and OpenID Connect
  aud: ["audience"],
  clientid: ["client"],
  clientsecret: ["secret"],
  iss: ["issuer"],
  jwksuri: ["jwks"],
  pass: ["password"],
  scope: ["scopes", "cacheScope"],
  security: ["auth"],
  tokenendpoint: ["tokenUrl"],
  user: ["username"],
  // types of programming languages
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
