/** The manifest of a project, as its README refers to it. */
export interface ManifestPlace {
  /** Relative to the project. */
  readonly path: string;
  /** Target of a Markdown link. */
  readonly link: string;
}

/** The manifest and the commands that read it, as the README shows them. */
export interface ManifestView {
  /** Absent if the path would reveal the machine's folders instead of describing the project. */
  readonly place?: ManifestPlace;
  /** The commands are padded to one width, so that the comments after them are aligned. */
  readonly planCommand: string;
  readonly generateCommand: string;
  readonly devCommand: string;
  /** Not padded. */
  readonly checkCommand: string;
}

/** Paths at most two folders up, without characters that mean something to a shell or to Markdown. */
const SHOWABLE = /^(\.\.\/){0,2}[\w@][\w@ .+-]*(\/[\w@][\w@ .+-]*)*$/;

/** @param path path of the manifest, relative to the project, with `/` */
export function manifestView(path: string): ManifestView {
  const isShowable = SHOWABLE.test(path);
  const options = isShowable ? argumentsFor(path) : " path/to/the/manifest --out .";
  const width = `generate${options}`.length;
  return {
    ...(isShowable && { place: { path, link: path.replaceAll(" ", "%20") } }),
    planCommand: `mcpwright ${`plan${options}`.padEnd(width)}`,
    generateCommand: `mcpwright generate${options}`,
    checkCommand: `mcpwright check${options}`,
    devCommand: `mcpwright ${`dev${options}`.padEnd(width)}`,
  };
}

/** The arguments that commands need if they run in the project's folder. */
function argumentsFor(path: string): string {
  if (path === "mcp.yaml") return "";
  const quotedPath = path.includes(" ") ? `"${path}"` : path;
  return path.includes("/") ? ` ${quotedPath} --out .` : ` ${quotedPath}`;
}
