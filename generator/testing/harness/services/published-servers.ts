import { join } from "node:path";
import { installPackages } from "../runner/cached-package.js";
import { shortOrLong } from "../runner/test-length.js";

/**
 * Servers that others have published, in the versions that tests ask. They are installed together, which npm does in less
 * time.
 */
const USUAL = {
  "@modelcontextprotocol/server-everything": "2026.8.31",
  "@modelcontextprotocol/server-filesystem": "2026.8.31",
} as const;

/** Servers that offer no more kinds of items and answers. `npm test` does without them. */
const OTHERS = {
  "@modelcontextprotocol/server-memory": "2026.8.31",
  "@modelcontextprotocol/server-sequential-thinking": "2026.8.31",
  "@upstash/context7-mcp": "4.1.1",
} as const;

export type PublishedServer = keyof typeof USUAL | keyof typeof OTHERS;

const { folderName, versions } = shortOrLong<{
  readonly folderName: string;
  readonly versions: Partial<Record<PublishedServer, string>>;
}>(
  { folderName: "published-servers", versions: USUAL },
  { folderName: "more-published-servers", versions: { ...USUAL, ...OTHERS } },
);

/** Whether a server is one of those that this run tries. */
export function isTried(name: PublishedServer): boolean {
  return versions[name] !== undefined;
}

/** The programs of the published servers, and why tests are skipped without them. */
export interface PublishedPrograms {
  /** Why they are not there; undefined where they are. */
  readonly absence: string | undefined;
  /** The path of a server's program. */
  readonly programOf: (name: PublishedServer) => string;
}

/** Installs the published servers at their first use. */
export async function publishedServers(): Promise<PublishedPrograms> {
  const installed = await installPackages(folderName, versions).catch(() => undefined);
  return {
    absence: installed === undefined ? "the package registry cannot be reached" : undefined,
    programOf: (name) => join(installed ?? "", "node_modules", name, "dist/index.js"),
  };
}
