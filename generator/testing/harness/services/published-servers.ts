import { join } from "node:path";
import { installPackages } from "../runner/cached-package.js";

/** Servers that others have published, in the versions that tests ask. They are installed together, which npm does in less time. */
const VERSIONS = {
  "@modelcontextprotocol/server-everything": "2026.8.31",
  "@modelcontextprotocol/server-filesystem": "2026.8.31",
  "@modelcontextprotocol/server-memory": "2026.8.31",
  "@modelcontextprotocol/server-sequential-thinking": "2026.8.31",
  "@upstash/context7-mcp": "4.1.1",
} as const;

export type PublishedServer = keyof typeof VERSIONS;

/** The programs of the published servers, and why tests are skipped without them. */
export interface PublishedPrograms {
  /** Why they are not there; undefined where they are. */
  readonly absence: string | undefined;
  /** The path of a server's program. */
  readonly programOf: (name: PublishedServer) => string;
}

/** Installs the published servers at their first use. */
export async function publishedServers(): Promise<PublishedPrograms> {
  const installed = await installPackages("published-servers", VERSIONS).catch(() => undefined);
  return {
    absence: installed === undefined ? "the package registry cannot be reached" : undefined,
    programOf: (name) => join(installed ?? "", "node_modules", name, "dist/index.js"),
  };
}
