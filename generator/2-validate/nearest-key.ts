import { nearestName } from "../text/nearest-name.js";

/** Names that other formats and older notations have for keys of manifests, in lower case and without signs. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  args: ["arguments"],
  additional: ["additionalProperties"],
  body: ["text"],
  bodylimit: ["bodyBytes"],
  choices: ["enum"],
  components: ["schemas"],
  content: ["text"],
  contents: ["content", "text"],
  contenttype: ["mimeType"],
  corsorigins: ["allowedOrigins"],
  definitions: ["schemas"],
  defs: ["schemas"],
  destructive: ["destructiveHint"],
  endpoint: ["path"],
  environment: ["env"],
  filepath: ["file"],
  hints: ["annotations"],
  homepage: ["websiteUrl"],
  idempotent: ["idempotentHint"],
  input: ["inputSchema", "arguments"],
  inputs: ["inputSchema", "arguments"],
  label: ["title"],
  mandatory: ["required"],
  maxage: ["ttlMs"],
  maxbodybytes: ["bodyBytes"],
  maxbodysize: ["bodyBytes"],
  maxconcurrency: ["concurrency"],
  maxdepth: ["depth"],
  maxelements: ["elements"],
  maxrequestsize: ["bodyBytes"],
  maxsessions: ["sessions"],
  mime: ["mimeType"],
  models: ["schemas"],
  operationid: ["name"],
  openworld: ["openWorldHint"],
  options: ["enum"],
  output: ["outputSchema", "result"],
  outputs: ["outputSchema"],
  parameters: ["inputSchema", "arguments"],
  params: ["inputSchema", "arguments"],
  path: ["file"],
  prompt: ["messages"],
  ratelimit: ["ratePerSecond"],
  readonly: ["readOnlyHint"],
  regex: ["pattern"],
  requesttimeout: ["timeoutMs"],
  requestspersecond: ["ratePerSecond"],
  response: ["outputSchema"],
  responses: ["outputSchema"],
  returns: ["outputSchema"],
  scope: ["scopes", "cacheScope"],
  schema: ["inputSchema", "requestedSchema", "schemas"],
  server: ["name"],
  summary: ["title"],
  template: ["uriTemplate", "messages"],
  templates: ["resourceTemplates"],
  timeout: ["timeoutMs"],
  ttl: ["ttlMs"],
  types: ["schemas"],
  uri: ["uriTemplate"],
  url: ["uri", "websiteUrl"],
  values: ["enum"],
};

const withoutSigns = (key: string): string => key.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The key that the author most likely meant: the same name in another notation, a synonym or a similar name. */
export function nearestKey(found: string, keys: readonly string[]): string | undefined {
  const letters = withoutSigns(found);
  const sameLetters = keys.find((key) => withoutSigns(key) === letters);
  if (sameLetters !== undefined) return sameLetters;
  const synonyms = Object.hasOwn(SYNONYMS, letters) ? (SYNONYMS[letters] ?? []) : [];
  return synonyms.find((synonym) => keys.includes(synonym)) ?? nearestName(found, keys);
}
