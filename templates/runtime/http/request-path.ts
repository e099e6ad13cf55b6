import type { RequestHead } from "./request-head.js";

/** The path of a request, not decoded, without its query. */
export function pathOf({ url = "" }: Pick<RequestHead, "url">): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

/** The page at the path of a request. One slash at the end of the path changes nothing. */
export function pageAt<Page>(
  pages: ReadonlyMap<string, Page>,
  request: Pick<RequestHead, "url">,
): Page | undefined {
  const path = pathOf(request);
  return pages.get(path) ?? (path.endsWith("/") ? pages.get(path.slice(0, -1)) : undefined);
}
