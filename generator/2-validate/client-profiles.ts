/** A feature of tools that some clients, or the model APIs behind them, limit or do not support. */
export type ClientAspect =
  | "keywords at the root"
  | "depth"
  | "references"
  | "formats"
  | "const"
  | "length of names"
  | "dots in names"
  | "names of properties"
  | "length of descriptions"
  | "number of tools";

/** The known behaviour of one client, or of the API of one vendor's models, for one aspect. */
export interface ClientProfile {
  /** Its name in messages. */
  readonly client: string;
  readonly aspect: ClientAspect;
  /** What it does with a tool that it does not support. */
  readonly effect: string;
  /** The highest number that it accepts, if the aspect is a number. */
  readonly limit?: number;
  /** True if it takes the tool, and changes it before the model sees it. */
  readonly rewrites?: true;
  /** The keywords that it refuses, if the aspect is about keywords. */
  readonly keywords?: readonly string[];
  /** Year and month of the first report. */
  readonly since: string;
  /** The report: a page, or a repository with the number of an issue. */
  readonly source: string;
}

/** The profiles that rules warn of: one for each client and aspect. */
const CLIENT_PROFILES: readonly ClientProfile[] = [
  {
    client: "Anthropic's API",
    aspect: "keywords at the root",
    effect: "refuses the request with all of its tools",
    keywords: ["allOf", "anyOf", "oneOf"],
    since: "2025-03",
    source: "anthropics/claude-code#657, makenotion/notion-mcp-server#341",
  },
  {
    client: "Claude Code",
    aspect: "keywords at the root",
    effect: "drops the tool without a word",
    keywords: ["allOf", "anyOf", "oneOf"],
    since: "2026-08",
    source: "anthropics/claude-code#95504",
  },
  {
    client: "OpenAI's API",
    aspect: "keywords at the root",
    effect: "refuses the request with all of its tools",
    keywords: ["allOf", "anyOf", "oneOf", "not", "enum"],
    since: "2026-08",
    source: "makenotion/notion-mcp-server#340",
  },
  {
    client: "OpenAI's API",
    aspect: "depth",
    effect: "refuses the schema where it is strict",
    limit: 5,
    since: "2024-08",
    source: "tidyverse/ellmer#671",
  },
  {
    client: "Gemini's API",
    aspect: "references",
    effect: "refuses the request, or loses what is referred to",
    since: "2025-11",
    source: "google-gemini/gemini-cli#13326, anomalyco/opencode#12295",
  },
  {
    client: "Gemini's API",
    aspect: "formats",
    effect: "refuses other formats of texts than `enum` and `date-time`",
    since: "2025-03",
    source: "CherryHQ/cherry-studio#4153",
  },
  {
    client: "Gemini's API",
    aspect: "const",
    effect: "refuses the request",
    keywords: ["const"],
    since: "2026-02",
    source: "anomalyco/opencode#12911",
  },
  {
    client: "OpenAI's API",
    aspect: "length of names",
    effect: "refuses the request with all of its tools",
    limit: 64,
    since: "2025-03",
    source: "microsoft/vscode#243602, tadata-org/fastapi_mcp#161",
  },
  {
    client: "Claude Desktop",
    aspect: "length of names",
    effect: "refuses the tool",
    limit: 64,
    since: "2025-04",
    source: "harsha-iiiv/openapi-mcp-generator#4",
  },
  {
    client: "Claude Desktop",
    aspect: "dots in names",
    effect: "refuses the list of tools",
    since: "2026-03",
    source: "barryw/ImmichMCP#4, loomle/loomle#168",
  },
  {
    client: "Codex",
    aspect: "dots in names",
    effect: "has its request refused with all of its tools",
    since: "2025-12",
    source: "openai/codex#8174",
  },
  {
    client: "Copilot CLI",
    aspect: "dots in names",
    effect: "has its request refused with all of its tools",
    since: "2026-04",
    source: "github/copilot-cli#2581",
  },
  {
    client: "VS Code",
    aspect: "dots in names",
    effect: "writes an underscore for a dot, and calls the tool by its own name",
    rewrites: true,
    since: "2026-04",
    source: "github/copilot-cli#2581, microsoft/vscode#308463",
  },
  {
    client: "Anthropic's API",
    aspect: "names of properties",
    effect: "refuses the request with all of its tools, for a property at the root alone",
    since: "2026-02",
    source: "twilio-labs/mcp#58, ComposioHQ/composio#3500",
  },
  {
    client: "Claude Code",
    aspect: "names of properties",
    effect: "passes them on, so that its request is refused",
    since: "2026-01",
    source: "erikmaday/unusual-whales-mcp#57, beautyfree/appstore-connect-mcp#1",
  },
  {
    client: "Amazon Bedrock",
    aspect: "names of properties",
    effect: "refuses the request",
    since: "2026-08",
    source: "aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws#709",
  },
  {
    client: "deco studio",
    aspect: "names of properties",
    effect: "writes underscores, and calls the tool with the names of its own",
    rewrites: true,
    since: "2026-09",
    source: "decocms/studio#6874",
  },
  {
    client: "OpenAI's API",
    aspect: "length of descriptions",
    effect: "refuses the request with all of its tools",
    limit: 1024,
    since: "2025-03",
    source: "modelcontextprotocol/servers#799, getsentry/sentry-mcp#106",
  },
  {
    client: "OpenAI's API",
    aspect: "number of tools",
    effect: "refuses the request",
    limit: 128,
    since: "2024-05",
    source: "zed-industries/zed#32946",
  },
];

/** The clients that refuse one of some keywords at the root of an inputSchema, as a list in words. */
export function clientsRefusingAtRoot(keywords: readonly string[]): string {
  const clients = CLIENT_PROFILES.filter(
    ({ aspect, keywords: refused = [] }) =>
      aspect === "keywords at the root" && keywords.some((keyword) => refused.includes(keyword)),
  ).map(({ client }) => client);
  return inWords(clients);
}

/** The clients that refuse something, and those that rewrite it, each as a list in words. */
export function clientsMinding(aspect: ClientAspect): { refusing: string; rewriting: string } {
  const minding = CLIENT_PROFILES.filter((profile) => profile.aspect === aspect);
  const namesOf = (isRewritten: boolean): string =>
    inWords(
      minding
        .filter(({ rewrites = false }) => rewrites === isRewritten)
        .map(({ client }) => client),
    );
  return { refusing: namesOf(false), rewriting: namesOf(true) };
}

/** The lowest limit that any client has for an aspect, and that client. */
export function strictestLimit(aspect: ClientAspect): { limit: number; client: string } {
  const limits = CLIENT_PROFILES.filter((profile) => profile.aspect === aspect).map(
    ({ client, limit = Infinity }) => ({ client, limit }),
  );
  return limits.reduce((lowest, next) => (next.limit < lowest.limit ? next : lowest), {
    client: "",
    limit: Infinity,
  });
}

function inWords(names: readonly string[]): string {
  const [last = "", ...others] = [...new Set(names)].reverse();
  return others.length === 0 ? last : `${others.reverse().join(", ")} and ${last}`;
}
