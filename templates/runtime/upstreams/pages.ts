import { isDeepStrictEqual } from "node:util";
import { ToolError } from "../engine/errors.js";
import { withDigits } from "../backends/exact-json.js";
import type { UpstreamAnswer } from "./answer.js";
import { valueAt } from "./pointer.js";

/** How the pages of a list follow each other. */
export interface Pages {
  /** JSON Pointer to the list on each page. */
  readonly items: string;
  /** The parameter of the query that takes what stands on the page before at a JSON Pointer. */
  readonly cursor?: { readonly query: string; readonly from: string };
  /** The parameter of the query that counts pages, up to one that is empty. */
  readonly page?: { readonly query: string; readonly first: number };
  /** Whether the header `link` names the next page. */
  readonly link?: boolean;
  readonly maxPages: number;
}

/** Where the next page is: parameters of the query, or a reference that replaces path and query. */
export interface NextPage {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly reference?: string;
}

/** What pages came to. */
export interface PagedItems {
  /** The last answer. */
  readonly answer: UpstreamAnswer;
  /** Absent where it is an error. */
  readonly items?: readonly unknown[];
  /** Whether there are more pages than may be asked for. */
  readonly isCut?: boolean;
}

/** All items of a list, page by page. @param fetch gets a page */
export async function itemsOfPages(
  pages: Pages,
  fetch: (next: NextPage) => Promise<UpstreamAnswer>,
): Promise<PagedItems> {
  const items: unknown[] = [];
  let next = firstPage(pages);
  for (let count = 1; ; count++) {
    const answer = await fetch(next);
    if (!answer.ok) return { answer };
    const value = answer.marked();
    const list = valueAt(value, pages.items);
    if (!Array.isArray(list)) {
      throw new ToolError(`A page of the upstream's answer has no list at "${pages.items}".`);
    }
    items.push(...(list as unknown[]));
    const further = nextPage(pages, answer, value, list.length, count);
    // A page that leads to itself is the last one.
    if (further === undefined || isDeepStrictEqual(further, next)) return { answer, items };
    if (count >= pages.maxPages) return { answer, items, isCut: true };
    next = further;
  }
}

function firstPage({ page }: Pages): NextPage {
  return page === undefined ? {} : { query: { [page.query]: page.first } };
}

/** @param count of the pages that are there */
function nextPage(
  { cursor, page, link }: Pages,
  { headers }: UpstreamAnswer,
  value: unknown,
  length: number,
  count: number,
): NextPage | undefined {
  if (page !== undefined) {
    return length === 0 ? undefined : { query: { [page.query]: page.first + count } };
  }
  if (cursor !== undefined) {
    const found = withDigits(valueAt(value, cursor.from));
    const isEnd = found === undefined || found === null || found === "" || found === false;
    return isEnd ? undefined : { query: { [cursor.query]: found } };
  }
  const reference = link === true ? nextLink(headers["link"] ?? "") : undefined;
  return reference === undefined ? undefined : { reference };
}

/** The target of `rel="next"` in a `link` header. */
export function nextLink(header: string): string | undefined {
  for (const [, target, parameters = ""] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, quoted, unquoted] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    const relations = (quoted ?? unquoted ?? "").toLowerCase().split(/\s+/);
    if (relations.includes("next")) return target;
  }
  return undefined;
}
