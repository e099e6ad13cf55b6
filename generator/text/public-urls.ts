import { isJsonObject, type JsonValue } from "../model/json.js";

/** A URL with only characters that RFC 3986 allows, as JSON Schema's format `uri` requires. */
export function uriOf(url: string): string {
  const { href } = new URL(url);
  return href
    .replace(/%(?![0-9A-Fa-f]{2})/g, "%25")
    .replace(/[^\w!#$%&'()*+,\-./:;=?@[\]~]/g, (character) => encodeURIComponent(character));
}

/** The source repository of a server. */
export interface PublicRepository {
  /** URL for browsers. */
  readonly url: string;
  /** Name of the host in catalogues; absent for hosts that they do not know. */
  readonly source?: "github" | "gitlab";
  /** Folder of the package in the repository, unless it is the root. */
  readonly subfolder?: string;
}

const HOSTS = { github: "github.com", gitlab: "gitlab.com" } as const;

/** The repository that package.json names; undefined if its URL for browsers is unknown. */
export function publicRepository(repository: JsonValue | undefined): PublicRepository | undefined {
  const address = isJsonObject(repository) ? repository["url"] : repository;
  const url = typeof address === "string" ? browserUrl(address) : undefined;
  if (url === undefined) return undefined;
  const { host } = new URL(url);
  const source = (["github", "gitlab"] as const).find((name) => HOSTS[name] === host);
  const directory = isJsonObject(repository) ? repository["directory"] : undefined;
  const folder = typeof directory === "string" ? directory.replace(/^\.?\/|\/$/g, "") : "";
  return {
    url,
    ...(source !== undefined && { source }),
    ...(folder !== "" && !folder.split("/").includes("..") && { subfolder: folder }),
  };
}

/**
 * The `https` URL for any form that package.json allows: `github:acme/a`, `acme/a`, `git+https://…/a.git`,
 * `git@…:acme/a.git`.
 */
function browserUrl(repository: string): string | undefined {
  const short = /^(?:(github|gitlab):)?([\w.-]+\/[\w.-]+)$/.exec(repository);
  const host = HOSTS[short?.[1] === "gitlab" ? "gitlab" : "github"];
  const long = short === null ? repository : `https://${host}/${short[2]}`;
  const url = long
    .replace(/^git\+/, "")
    .replace(/^(?:ssh:\/\/)?git@([\w.-]+)[:/]/, "https://$1/")
    .replace(/^git:/, "https:")
    .replace(/\.git$/, "");
  return URL.canParse(url) && new URL(url).protocol === "https:" ? uriOf(url) : undefined;
}
