/** What is tried with each client, in the order of the columns of the page. */
export const STEPS = [
  "initialize",
  "list tools",
  "call",
  "error of a tool",
  "read a resource",
  "get a prompt",
] as const;
export type Step = (typeof STEPS)[number];

/** What came of a step: `ok`, or why it failed. A step that is absent is one that the client has no call for. */
export type Outcomes = Readonly<Partial<Record<Step, string>>>;

/** A client that was driven against the server of examples/conformance over one transport. */
export interface Trial {
  readonly client: string;
  readonly version: string;
  readonly transport: "stdio" | "http";
  /** The version of Node.js that ran it. */
  readonly node: string;
  readonly outcomes: Outcomes;
}

/** The page `examples/CLIENTS.md`, made from the results that the last run recorded. */
export function clientsPage(trials: readonly Trial[]): string {
  const rows = trials.map(({ client, version, transport, node, outcomes }) => {
    const cells = STEPS.map((step) => cellOf(outcomes[step]));
    return `| \`${client}\` | ${version} | ${transport} | ${node} | ${cells.join(" | ")} |`;
  });
  const failures = trials.flatMap(({ client, version, transport, outcomes }) =>
    STEPS.flatMap((step) => {
      const outcome = outcomes[step];
      const isFailure = outcome !== undefined && outcome !== "ok";
      return isFailure ? [`- \`${client}\` ${version}, ${transport}, ${step}: ${outcome}`] : [];
    }),
  );
  const head = ["client", "version", "transport", "Node.js", ...STEPS];
  return [
    "# Clients",
    "",
    "Clients from npm that have spoken to the server of [conformance](conformance), as",
    "`npm run measure:clients` has recorded it, where nothing but the loopback could be reached. A dash is a step that is",
    "no call of its own in the client. `mcp-proxy`, `mcp-remote` and `supergateway` stand between the server and the SDK's",
    "client. Claude Code, Codex and Gemini CLI run with a model that stands in for theirs and asks for the calls.",
    "`fastmcp` of npm has no client, and npm does not carry those of Python.",
    "",
    `| ${head.join(" | ")} |`,
    `|${head.map(() => " --- ").join("|")}|`,
    ...rows,
    "",
    ...(failures.length === 0 ? [] : ["What failed:", "", ...failures, ""]),
  ].join("\n");
}

function cellOf(outcome: string | undefined): string {
  if (outcome === undefined) return "–";
  return outcome === "ok" ? "ok" : "failed";
}
