/** The maximum number of characters of a title or a description in the MCP registry. */
export const REGISTRY_TEXT_LENGTH = 100;

/**
 * True if the MCP registry accepts the URL of a running server, and everyone may read it. The registry reads curly brackets as
 * variables, and refuses this machine.
 */
export function isRegistryUrl(url: string): boolean {
  if (!URL.canParse(url) || /[\s{}]/.test(url)) return false;
  const { protocol, hostname, username, password, hash } = new URL(url);
  if (username !== "" || password !== "" || hash !== "") return false;
  return protocol === "https:" && !/^(?:(?:.*\.)?localhost|127\.0\.0\.1)$/.test(hostname);
}

/** What the registry requires of a URL of a repository, by its host, without a slash at the end. */
const REPOSITORIES: Readonly<Record<string, RegExp>> = {
  github: /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/?$/,
  gitlab: /^https:\/\/gitlab\.com\/[\w.-]+(?:\/[\w.-]+)+\/?$/,
};

/** True if the registry accepts the URL of a repository. */
export function isRegistryRepository(source: string, url: string): boolean {
  return REPOSITORIES[source]?.test(url) === true;
}

/** True if the registry accepts the folder of a package in its repository. */
export function isRegistryFolder(folder: string): boolean {
  return folder.split("/").every((part) => /^[\w.-]+$/.test(part) && !/^\.\.?$/.test(part));
}

/** True if the registry takes a version for a range: it reads any `x` of `1.0.0-next.1` as a wildcard. */
export function looksLikeRange(version: string): boolean {
  return /^v?\d+(?:\.\d+){1,2}-[0-9A-Za-z.-]*[xX][0-9A-Za-z.-]*$/.test(version);
}
