import type { McpServerFactory } from "@modelcontextprotocol/server";
import type { Era } from "../../context/context.js";
import { AnsweredError, Connection, eras } from "./connection.js";
import type { CacheContract, JsonObject, ListSettings } from "../contract.js";
import { expectEqual, expectThat, shown } from "../expectation.js";

/** The part of `createServer` that these tests use. */
export type CreateServer = (options: {
  readonly replaceHandler: (item: HandledItem) => (input: unknown) => unknown;
  readonly log: ReturnType<typeof errorLog>;
  readonly mock: boolean;
}) => {
  readonly factory: McpServerFactory;
  readonly controls?: Controls;
  close(): Promise<void>;
};

interface Switches {
  enable(name: string): void;
  disable(name: string): void;
}

/** The functions that change a server while it runs. */
export interface Controls {
  readonly tools: Switches;
  readonly resources: Switches;
  readonly prompts: Switches;
  readonly notify: { resourceUpdated(uri: string): void };
}

/** A list method, with the member of its results that has the items. */
interface List {
  readonly method: string;
  readonly key: string;
}

export interface HandledItem {
  /** The runtime's name for its kind, such as `tool` or `resourceTemplateList`. */
  readonly kind: string;
  readonly name: string;
}

/** A call of a handler. */
interface ProbedCall extends HandledItem {
  readonly input: unknown;
}

/** The `test` function of uvu. */
export interface TestRegistry {
  (title: string, run: () => Promise<void>): void;
  after(run: () => Promise<void>): void;
}

export interface SkippingRegistry extends TestRegistry {
  skip(title: string): void;
}

type LogEntry = (message: string, data?: object) => void;

/** Makes a log that passes its errors to a function and drops everything else. */
function errorLog(error: LogEntry): Record<"debug" | "info" | "warning" | "error", LogEntry> {
  const ignore = (): void => undefined;
  return { debug: ignore, info: ignore, warning: ignore, error };
}

/**
 * The project's server, in which probes replace all handlers. Tests check what the server does before and after a
 * handler, without running the project's code.
 */
export class ProbedServer {
  /** The result that the next handlers return. */
  returned: unknown;
  /** Returns what the handler of an item returns. At first, templates list no instances. */
  resultOf = ({ kind }: HandledItem): unknown =>
    kind === "resourceTemplateList" ? [] : this.returned;
  /** The error that they throw instead, if any. */
  thrown: Error | undefined;
  /** The calls of handlers during the last request. */
  calls: ProbedCall[] = [];
  /** The errors that were logged during the last request. */
  logged: string[] = [];
  readonly #server: ReturnType<CreateServer>;
  readonly #connections = new Map<Era, Promise<Connection>>();

  constructor(createServer: CreateServer, mock = false) {
    const replaceHandler = (item: HandledItem) => (input: unknown) => {
      this.calls.push({ ...item, input });
      if (this.thrown !== undefined) throw this.thrown;
      return this.resultOf(item);
    };
    const log = errorLog((message, data) => {
      this.logged.push(`${message} ${JSON.stringify(data)}`);
    });
    this.#server = createServer({ replaceHandler, log, mock });
  }

  /** The functions that change the server; absent if nothing can change. */
  get controls(): Controls | undefined {
    return this.#server.controls;
  }

  /** Switches on the items that are off at the start. */
  enable(
    kind: "tools" | "resources" | "prompts",
    items: readonly { readonly name: string; readonly enabled?: boolean }[],
  ): void {
    for (const { name, enabled } of items)
      if (enabled === false) this.controls?.[kind].enable(name);
  }

  /** Returns the result of a request. @throws AnsweredError if the server answers with an error */
  async request(method: string, params: JsonObject = {}, era: Era = "modern"): Promise<JsonObject> {
    const connection = await this.connection(era);
    this.calls = [];
    this.logged = [];
    return connection.request(method, params);
  }

  /** Like {@link request}, but the user answers no question whether a tool may run. */
  async requestOnce(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const connection = await this.connection("modern");
    this.calls = [];
    this.logged = [];
    return connection.requestOnce(method, params);
  }

  /** Returns the client of an era. */
  connection(era: Era): Promise<Connection> {
    const opened = this.#connections.get(era) ?? Connection.open(this.#server.factory, era);
    this.#connections.set(era, opened);
    return opened;
  }

  /** Checks that both eras refuse a request with -32602 before a handler runs. Returns the error's data. */
  async expectInvalid(method: string, params: JsonObject, what: string): Promise<unknown> {
    let data: unknown;
    for (const era of eras) {
      const error = await this.request(method, params, era).then(
        (result) => new Error(`answered ${shown(result)}`),
        (thrown: unknown) => thrown,
      );
      expectThat(error instanceof AnsweredError, `${what}: expected an error, ${String(error)}`);
      expectEqual(error.code, -32602, `${what}: code of the error`);
      expectEqual(this.calls, [], `${what}: calls that reached a handler`);
      data = error.data;
    }
    return data;
  }

  /**
   * Checks that both eras list exactly these items, page by page.
   * @param inLegacy Returns the part of an item that clients of the older eras get.
   */
  async expectList(
    list: List,
    expected: readonly JsonObject[],
    settings: ListSettings,
    inLegacy: (item: JsonObject) => JsonObject = (item) => item,
  ): Promise<void> {
    const { method } = list;
    const modern = await this.#expectPages(list, expected.length, settings, "modern");
    expectEqual(modern, expected, `${method} (modern)`);
    const legacy = await this.#expectPages(list, expected.length, settings, "legacy");
    expectEqual(legacy.map(inLegacy), expected.map(inLegacy), `${method} (legacy)`);
    await this.expectInvalid(method, { cursor: "no such cursor" }, "a cursor of nobody");
  }

  async #expectPages(
    { method, key }: List,
    count: number,
    { pageSize = Infinity, cache }: ListSettings,
    era: Era,
  ): Promise<JsonObject[]> {
    const pages = await this.#pages(method, era);
    for (const page of pages) expectCacheHints(page, cache, era, method);
    const lengths = pages.map((page) => (page[key] as JsonObject[]).length);
    const full = Math.max(Math.ceil(count / pageSize) - 1, 0);
    const expected = [...Array<number>(full).fill(pageSize), count - (full && full * pageSize)];
    expectEqual(lengths, expected, `items on each page of ${method} (${era})`);
    return pages.flatMap((page) => page[key] as JsonObject[]);
  }

  /** Returns all items of a list. */
  async listAll({ method, key }: List, era: Era): Promise<JsonObject[]> {
    return (await this.#pages(method, era)).flatMap((page) => page[key] as JsonObject[]);
  }

  async #pages(method: string, era: Era): Promise<JsonObject[]> {
    const pages: JsonObject[] = [];
    let cursor: JsonObject = {};
    do {
      const page = await this.request(method, cursor, era);
      pages.push(page);
      cursor = page["nextCursor"] === undefined ? {} : { cursor: page["nextCursor"] };
    } while ("cursor" in cursor);
    return pages;
  }

  async close(): Promise<void> {
    for (const connection of this.#connections.values()) await (await connection).close();
    await this.#server.close();
  }
}

/** Checks the caching hints of an answer. Only clients of the newest era get them. */
export function expectCacheHints(
  answer: JsonObject,
  { ttlMs = 0, cacheScope = "private" }: CacheContract = {},
  era: Era,
  what: string,
): void {
  const hints = [answer["ttlMs"], answer["cacheScope"]];
  const expected = era === "modern" ? [ttlMs, cacheScope] : [undefined, undefined];
  expectEqual(hints, expected, `caching hints of ${what} (${era})`);
}

/** Returns the items that are switched on at the start. */
export function listedAtFirst(
  list: readonly JsonObject[],
  items: readonly { readonly name: string; readonly enabled?: boolean }[],
): JsonObject[] {
  const off = new Set(items.filter(({ enabled }) => enabled === false).map(({ name }) => name));
  return list.filter(({ name }) => !off.has(String(name)));
}
