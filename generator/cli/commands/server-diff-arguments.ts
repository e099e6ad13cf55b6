import type { Invocation } from "../options.js";

/** The arguments of a `diff` of a manifest with a running server. */
export interface ServerDiffArguments {
  readonly manifest: string;
  /** The server's URL. Absent if the server is a command after `--`. */
  readonly url?: string;
  /** True if the server is the newer of the two. */
  readonly isServerNewer: boolean;
}

const isUrl = (name: string | undefined): name is string => /^https?:/i.test(name ?? "");

/** The manifest and the server that `diff` compares. `undefined` if the command line names no server. */
export function serverDiffArguments({
  positionals,
  passedOn,
}: Invocation): ServerDiffArguments | undefined {
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
