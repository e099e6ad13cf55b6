import { isDeepStrictEqual } from "node:util";
import type { Awaitable } from "../engine/awaitable.js";
import { ToolError } from "../engine/errors.js";
import { defaultLimits } from "../engine/limits.js";
import { withDigitStrings } from "../backends/exact-json.js";
import { markedValueOf, type UpstreamAnswer } from "./answer.js";
import { valueAt } from "./pointer.js";

/** How to get the pages of a list. */
export interface Pages {
  /** The JSON Pointer to the list on each page. */
  readonly items: string;
  /** The query parameter of the cursor, and the JSON Pointer to its value on the page before. */
  readonly cursor?: { readonly query: string; readonly from: string };
  /** The query parameter with the page number, and the first number. The first empty page is the last. */
  readonly page?: { readonly query: string; readonly first: number };
  /** Whether the header `link` names the next page. */
  readonly link?: boolean;
  /** Most pages that are requested. If there are more, a notice follows the items. */
  readonly maxPages: number;
  /**
   * Lets the caller ask for more: the answer has a cursor for the next page, `nextCursor`, instead of a notice. With such
   * a cursor of the same request, the pages after it are requested.
   */
  readonly expose?: { readonly cursor?: string | undefined };
}

/** How to request a page: with query parameters, or with a URL reference that replaces path and query. */
export interface NextPage {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly reference?: string;
}

/** Most bytes of all pages of one call: as many as the longest result has. */
export const MAX_PAGES_BYTES = defaultLimits.resultLength;

/** The items of all pages. */
export interface PagedItems {
  /** The last answer. */
  readonly answer: UpstreamAnswer;
  /** The number of pages that were requested. */
  readonly count: number;
  /** Absent if the last answer has an error status. */
  readonly items?: readonly unknown[];
  /** The page that follows, if there are more than `maxPages`, or than {@link MAX_PAGES_BYTES} have room for. */
  readonly next?: NextPage;
}

/** How pages are requested and kept. */
export interface PageSource {
  fetch(next: NextPage): Promise<UpstreamAnswer>;
  /** Reserves memory for the bytes of all pages so far, which are kept until the last one is there. */
  hold?(bytes: number): Awaitable<void>;
}

/**
 * Gets the items of a list, page by page.
 *
 * @param start the page to begin with, by default the first
 * @throws ToolError if a page has no list at the pointer
 */
export async function itemsOfPages(
  pages: Pages,
  { fetch, hold }: PageSource,
  start = firstPage(pages),
): Promise<PagedItems> {
  const items: unknown[] = [];
  let page = start;
  let bytes = 0;
  for (let count = 1; ; count++) {
    const answer = await fetch(page);
    if (!answer.ok) return { answer, count };
    const value = markedValueOf(answer);
    const list = valueAt(value, pages.items);
    if (!Array.isArray(list)) {
      throw new ToolError(`A page of the upstream's answer has no list at "${pages.items}".`);
    }
    for (const item of list as unknown[]) items.push(item);
    const next = nextPage(pages, answer, value, list.length, page);
    // A page whose next page is itself is the last one.
    if (next === undefined || isDeepStrictEqual(next, page)) return { answer, count, items };
    bytes += answer.bytes().length;
    const isLast = count >= pages.maxPages || bytes >= MAX_PAGES_BYTES;
    if (isLast) return { answer, count, items, next };
    await hold?.(bytes);
    page = next;
  }
}

function firstPage({ page }: Pages): NextPage {
  return page === undefined ? {} : { query: { [page.query]: page.first } };
}

/**
 * How to request the next page; undefined if there is none.
 *
 * @param value the value of the last page
 * @param length the number of items on the last page
 * @param last how the last page was requested
 */
function nextPage(
  { cursor, page, link }: Pages,
  { headers }: UpstreamAnswer,
  value: unknown,
  length: number,
  last: NextPage,
): NextPage | undefined {
  if (page !== undefined) {
    const number = Number(last.query?.[page.query]);
    return length === 0 ? undefined : { query: { [page.query]: number + 1 } };
  }
  if (cursor !== undefined) {
    const nextCursor = withDigitStrings(valueAt(value, cursor.from));
    const isLast =
      nextCursor === undefined || nextCursor === null || nextCursor === "" || nextCursor === false;
    return isLast ? undefined : { query: { [cursor.query]: nextCursor } };
  }
  const reference = link === true ? nextLink(headers["link"] ?? "") : undefined;
  return reference === undefined ? undefined : { reference };
}

/** The target of the relation `next` in a `link` header (RFC 8288); undefined if there is none. */
export function nextLink(header: string): string | undefined {
  for (const [, target, parameters = ""] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, quoted, unquoted] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    const relations = (quoted ?? unquoted ?? "").toLowerCase().split(/\s+/);
    if (relations.includes("next")) return target;
  }
  return undefined;
}
