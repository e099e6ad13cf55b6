import type { BaseUrl } from "./connection.js";

/** Where a request goes. */
export interface Place {
  /** The origin of the URL, such as `https://api.example`. */
  readonly origin: string;
  /** The path with the query. */
  readonly path: string;
}

/** A path that a URL keeps as it is: no character that is encoded, and no segment that begins with a dot. */
const PLAIN_PATH = /^(?:\/(?:(?!\.|%2e)[A-Za-z0-9\-._~!$&'()*+,;=:@%]+)?)+$/i;

/** A query that a URL keeps as it is. */
const PLAIN_QUERY = /^(?!\?)[A-Za-z0-9\-._~!$&()*+,;=:@/?%]*$/;

/**
 * The place of a path below a base URL. Most paths and queries need no URL to be made of them.
 *
 * @param path may have a query of its own
 * @param query a further query
 * @returns undefined if the path leads outside of the base URL
 */
export function placeBelow(base: BaseUrl, path: string, query: string): Place | undefined {
  const [pathname = ""] = path.split(/[?#]/, 1);
  const pathSearch = path.slice(pathname.length);
  const fullPathname = base.pathname + pathname;
  const search = [pathSearch.slice(1), base.search, query].filter((part) => part !== "").join("&");
  const isPlain = PLAIN_PATH.test(pathname) && PLAIN_QUERY.test(search);
  if (isPlain && !pathSearch.includes("#")) {
    return {
      origin: base.origin,
      path: search === "" ? fullPathname : `${fullPathname}?${search}`,
    };
  }
  const url = new URL(base.origin + (path.startsWith("/") ? fullPathname : "/"));
  if (!path.startsWith("/") || pathSearch.includes("#") || url.pathname !== fullPathname) {
    return undefined;
  }
  url.search = search;
  return placeAt(url);
}

/** The URL that a reference means in an answer from a place; undefined if it means none. */
export function referredUrl({ origin, path }: Place, reference: string): URL | undefined {
  return URL.canParse(reference, origin + path) ? new URL(reference, origin + path) : undefined;
}

export function placeAt({ origin, pathname, search }: URL): Place {
  return { origin, path: pathname + search };
}
