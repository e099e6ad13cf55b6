import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";

/** What the server is for, or at least its name: catalogues want a description. */
export function publicDescription({ description = "", title = "", name }: ServerModel): string {
  return [description, title, name].find((text) => text.trim() !== "") ?? name;
}

/** A URL in the characters that RFC 3986 allows, as JSON Schema's format `uri` wants it. */
export function uriOf(url: string): string {
  const { href } = new URL(url);
  return href
    .replace(/%(?![0-9A-Fa-f]{2})/g, "%25")
    .replace(/[^\w!#$%&'()*+,\-./:;=?@[\]~]/g, (character) => encodeURIComponent(character));
}

export interface PublicRepository {
  /** An address that browsers open. */
  readonly url: string;
  /** The host that catalogues know by this name; absent for others. */
  readonly source?: "github" | "gitlab";
  /** Folder of the package in the repository. */
  readonly subfolder?: string;
}

const HOSTS = { github: "github.com", gitlab: "gitlab.com" } as const;

/** Where browsers find the repository that package.json names; undefined where that cannot be told. */
export function publicRepository(repository: JsonValue | undefined): PublicRepository | undefined {
  const named = isJsonObject(repository) ? repository["url"] : repository;
  const url = typeof named === "string" ? browserUrl(named) : undefined;
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

/** `github:acme/a`, `acme/a`, `git+https://…/a.git` and `git@…:acme/a.git`, which package.json all takes. */
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
