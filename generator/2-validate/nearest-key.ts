import { nearestName } from "../text/nearest-name.js";

/** Words of other formats and older notations for keys of this one; each is tried where it is a key. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
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

/** The key that was most likely meant: the same letters in another notation, another word for it, or close by. */
export function nearestKey(found: string, keys: readonly string[]): string | undefined {
  const wanted = withoutSigns(found);
  const same = keys.find((key) => withoutSigns(key) === wanted);
  if (same !== undefined) return same;
  const words = Object.hasOwn(OTHER_WORDS, wanted) ? (OTHER_WORDS[wanted] ?? []) : [];
  return words.find((word) => keys.includes(word)) ?? nearestName(found, keys);
}
