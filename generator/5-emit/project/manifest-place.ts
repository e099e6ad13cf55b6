/** How the README of a project speaks of the manifest that it was generated from. */
export interface ManifestPlace {
  readonly path: string;
  /** Target of a Markdown link. */
  readonly link: string;
}

export interface ManifestView {
  /** Absent where a path would say more of the machine than of the project. */
  readonly place?: ManifestPlace;
  /** The commands, of one width, so that the comments behind them stand below each other. */
  readonly planCommand: string;
  readonly generateCommand: string;
  readonly devCommand: string;
  /** Not padded. */
  readonly checkCommand: string;
}

/** At most two folders up, and nothing that a shell or a document could take for something else. */
const NAMEABLE = /^(\.\.\/){0,2}[\w@][\w@ .+-]*(\/[\w@][\w@ .+-]*)*$/;

/** @param path of the manifest, from the project's folder, with `/` */
export function manifestView(path: string): ManifestView {
  const isNameable = NAMEABLE.test(path);
  const words = isNameable ? argumentsFor(path) : " path/to/the/manifest --out .";
  const width = `generate${words}`.length;
  return {
    ...(isNameable && { place: { path, link: path.replaceAll(" ", "%20") } }),
    planCommand: `mcpwright ${`plan${words}`.padEnd(width)}`,
    generateCommand: `mcpwright generate${words}`,
    checkCommand: `mcpwright check${words}`,
    devCommand: `mcpwright ${`dev${words}`.padEnd(width)}`,
  };
}

/** What the commands need to be told when they run in the project's folder. */
function argumentsFor(path: string): string {
  if (path === "mcp.yaml") return "";
  const word = path.includes(" ") ? `"${path}"` : path;
  return path.includes("/") ? ` ${word} --out .` : ` ${word}`;
}
