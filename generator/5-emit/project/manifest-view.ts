/** The manifest of a project, as its README and AGENTS.md refer to it. */
export interface ManifestPlace {
  /** Relative to the project. */
  readonly path: string;
  /** Target of a Markdown link. */
  readonly link: string;
}

/** The manifest and the commands that read it, as both show them. */
export interface ManifestView {
  /** Absent if the path would reveal the machine's folders instead of describing the project. */
  readonly place?: ManifestPlace;
  readonly validateCommand: string;
  readonly planCommand: string;
  readonly generateCommand: string;
  readonly devCommand: string;
  readonly checkCommand: string;
}

/** Paths at most two folders up, without characters that mean something to a shell or to Markdown. */
const SHOWABLE = /^(\.\.\/){0,2}[\w@][\w@ .+-]*(\/[\w@][\w@ .+-]*)*$/;

/** @param path path of the manifest, relative to the project, with `/` */
export function manifestView(path: string): ManifestView {
  const isShowable = SHOWABLE.test(path);
  const named = path === "mcp.yaml" ? "" : ` ${path.includes(" ") ? `"${path}"` : path}`;
  const manifest = isShowable ? named : " path/to/the/manifest";
  const options = manifest.includes("/") ? `${manifest} --out .` : manifest;
  return {
    ...(isShowable && { place: { path, link: path.replaceAll(" ", "%20") } }),
    validateCommand: `mcpwright validate${manifest}`,
    planCommand: `mcpwright plan${options}`,
    generateCommand: `mcpwright generate${options}`,
    checkCommand: `mcpwright check${options}`,
    devCommand: `mcpwright dev${options}`,
  };
}
