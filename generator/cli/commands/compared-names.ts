import type { Invocation } from "../options.js";

/** Of what a command line names, the manifest, and the server's address unless it is a command behind `--`. */
export interface ComparedNames {
  readonly manifest: string;
  readonly url?: string;
  /** Whether the server is the newer of the two. */
  readonly isServerNewer: boolean;
}

const isUrl = (name: string | undefined): name is string => /^https?:/i.test(name ?? "");

/** The manifest and the server that `diff` is to compare; `undefined` where no server is named. */
export function comparedNames({ positionals, passedOn }: Invocation): ComparedNames | undefined {
  const [first, second] = positionals;
  if (isUrl(first)) {
    return { manifest: second ?? "mcp.yaml", url: first, isServerNewer: second === undefined };
  }
  if (!isUrl(second) && passedOn.length === 0) return undefined;
  return {
    manifest: first ?? "mcp.yaml",
    ...(second !== undefined && { url: second }),
    isServerNewer: true,
  };
}
