import type { McpServerFactory } from "@modelcontextprotocol/server";
import { AnsweredError, Connection, eras } from "./connection.js";
import type { CacheContract, JsonObject, ListSettings } from "../contract.js";
import { expectEqual, expectThat, shown } from "../expectation.js";
import type { Era } from "./harness.js";

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

/** What can be changed while a server runs. */
export interface Controls {
  readonly tools: Switches;
  readonly resources: Switches;
  readonly prompts: Switches;
  readonly notify: { resourceUpdated(uri: string): void };
}

/** A list method, and the key of its items in an answer. */
interface List {
  readonly method: string;
  readonly key: string;
}

export interface HandledItem {
  /** As the runtime calls it: `tool`, `resourceTemplateList`. */
  readonly kind: string;
  readonly name: string;
  /** Of a completion: the argument or variable that it is for. */
  readonly argument?: string;
}

/** A call that reached a handler. */
interface ProbedCall extends HandledItem {
  readonly input: unknown;
}

/** `test` of uvu. */
export interface TestRegistry {
  (title: string, run: () => Promise<void>): void;
  after(run: () => Promise<void>): void;
}

export interface SkippingRegistry extends TestRegistry {
  skip(title: string): void;
}

type LogEntry = (message: string, data?: object) => void;

/** A log that goes nowhere but to this function, and only its errors. */
function errorLog(error: LogEntry): Record<"debug" | "info" | "warning" | "error", LogEntry> {
  const ignore = (): void => undefined;
  return { debug: ignore, info: ignore, warning: ignore, error };
}

/**
 * The project's server with every handler replaced by a probe, so that what happens before and after
 * a handler is tested without running anybody's code.
 */
export class ProbedServer {
  /** What the next handlers return. */
  returned: unknown;
  /** The only template that has instances, where code lists them. */
  listed: string | undefined;
  /** What they throw instead, where it is set. */
  thrown: Error | undefined;
  /** The calls of handlers that the last request led to. */
  calls: ProbedCall[] = [];
  /** The errors that it led to, as they were logged. */
  logged: string[] = [];
  readonly #server: ReturnType<CreateServer>;
  readonly #connections = new Map<Era, Promise<Connection>>();

  constructor(createServer: CreateServer, mock = false) {
    const replaceHandler = (item: HandledItem) => (input: unknown) => {
      this.calls.push({ ...item, input });
      if (this.thrown !== undefined) throw this.thrown;
      const isOtherList = item.kind === "resourceTemplateList" && item.name !== this.listed;
      return isOtherList ? [] : this.returned;
    };
    const log = errorLog((message, data) => {
      this.logged.push(`${message} ${JSON.stringify(data)}`);
    });
    this.#server = createServer({ replaceHandler, log, mock });
  }

  /** What can be changed while the server runs; absent where nothing can. */
  get controls(): Controls | undefined {
    return this.#server.controls;
  }

  /** Switches on what is not there from the start, so that it can be used. */
  enable(
    kind: "tools" | "resources" | "prompts",
    items: readonly { readonly name: string; readonly enabled?: boolean }[],
  ): void {
    for (const { name, enabled } of items)
      if (enabled === false) this.controls?.[kind].enable(name);
  }

  /** The result of a request. @throws AnsweredError when the server answers with an error */
  async request(method: string, params: JsonObject = {}, era: Era = "modern"): Promise<JsonObject> {
    const connection = await this.connection(era);
    this.calls = [];
    this.logged = [];
    return connection.request(method, params);
  }

  /** The client of an era. */
  connection(era: Era): Promise<Connection> {
    const opened = this.#connections.get(era) ?? Connection.open(this.#server.factory, era);
    this.#connections.set(era, opened);
    return opened;
  }

  /** Checks that both eras refuse a request as wrong in itself, before any handler runs; returns the error's data. */
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
   * @param inLegacy What of an item is compared on the older eras.
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

  /** Every item of a list. */
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

/** Checks the caching hints of an answer, which only clients of the newest era get. */
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

/** The items that are listed from the start. */
export function listedAtFirst(
  list: readonly JsonObject[],
  items: readonly { readonly name: string; readonly enabled?: boolean }[],
): JsonObject[] {
  const off = new Set(items.filter(({ enabled }) => enabled === false).map(({ name }) => name));
  return list.filter(({ name }) => !off.has(String(name)));
}
