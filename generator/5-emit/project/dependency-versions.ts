/** Exact versions of the dependencies of a new project. mcpwright's tests use the same versions. */
export const dependencyVersions = {
  "@anthropic-ai/mcpb": "2.1.2",
  "@modelcontextprotocol/client": "2.4.0",
  "@modelcontextprotocol/inspector": "2.12.0",
  "@modelcontextprotocol/server": "2.4.0",
  "@opentelemetry/api": "1.9.1",
  "@redis/client": "6.3.1",
  "@types/node": "20.19.43",
  "@types/pg": "8.23.1",
  "@types/ws": "8.18.2",
  "ipaddr.js": "2.5.0",
  "jsonc-parser": "3.3.1",
  jose: "6.2.18",
  mime: "4.1.2",
  pg: "8.23.1",
  "rate-limiter-flexible": "11.4.0",
  stemmer: "2.0.1",
  undici: "7.30.2",
  // The version that tsx depends on, so that esbuild is installed once.
  esbuild: "0.28.2",
  tsx: "4.23.15",
  typescript: "7.0.2",
  uvu: "0.5.6",
  ws: "8.23.0",
} as const;

export type PackageName = keyof typeof dependencyVersions;

/**
 * The packages whose own scripts need not run when they are installed, as npm writes it. Where a project says nothing of such a
 * script, npm warns since 11.16, and pnpm fails since 11. That of esbuild only makes its command start faster.
 */
export const unneededScripts = { esbuild: false };

/** The oldest Node.js that a generated project runs on. */
export const nodeVersion = "20.19.0";

/** The oldest Node.js that has SQLite. */
export const sqliteNodeVersion = "22.13.0";

/** The oldest Node.js that the MCP Inspector of that version runs on. */
export const inspectorNodeVersion = "22.19";
