import type { McpServerFactory } from "@modelcontextprotocol/server";
import { AnsweredError, Connection, eras } from "./connection.js";
import type { JsonObject } from "./contract.js";
import { expectEqual, expectThat, shown } from "./expectation.js";
import type { Era } from "./harness.js";

/** The part of `createServer` that these tests use. */
export type CreateServer = (options: {
  readonly replaceHandler: (item: HandledItem) => (input: unknown) => unknown;
  readonly log: ReturnType<typeof errorLog>;
  readonly mock: boolean;
}) => { readonly factory: McpServerFactory; close(): Promise<void> };

interface HandledItem {
  readonly kind: "tool" | "resource" | "resourceTemplate" | "prompt";
  readonly name: string;
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
      return this.returned;
    };
    const log = errorLog((message, data) => {
      this.logged.push(`${message} ${JSON.stringify(data)}`);
    });
    this.#server = createServer({ replaceHandler, log, mock });
  }

  /** The result of a request. @throws AnsweredError when the server answers with an error */
  async request(method: string, params: JsonObject = {}, era: Era = "modern"): Promise<JsonObject> {
    const opened = this.#connections.get(era) ?? Connection.open(this.#server.factory, era);
    this.#connections.set(era, opened);
    this.calls = [];
    this.logged = [];
    return (await opened).request(method, params);
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
    method: string,
    key: string,
    expected: readonly JsonObject[],
    inLegacy: (item: JsonObject) => JsonObject = (item) => item,
  ): Promise<void> {
    const modern = await this.#listAll(method, key, "modern");
    expectEqual(modern, expected, `${method} (modern)`);
    const legacy = await this.#listAll(method, key, "legacy");
    expectEqual(legacy.map(inLegacy), expected.map(inLegacy), `${method} (legacy)`);
  }

  async #listAll(method: string, key: string, era: Era): Promise<JsonObject[]> {
    const items: JsonObject[] = [];
    let cursor: JsonObject = {};
    do {
      const page = await this.request(method, cursor, era);
      items.push(...(page[key] as JsonObject[]));
      cursor = page["nextCursor"] === undefined ? {} : { cursor: page["nextCursor"] };
    } while ("cursor" in cursor);
    return items;
  }

  /** Checks what is offered for one argument before anything is typed. */
  async expectCompletion(
    ref: JsonObject,
    { argument, values, total }: { argument: string; values: readonly string[]; total: number },
  ): Promise<void> {
    const asked = { ref, argument: { name: argument, value: "" } };
    const { completion } = await this.request("completion/complete", asked);
    const expected = { values, total, hasMore: total > values.length };
    expectEqual(completion, expected, `completion of ${argument}`);
  }

  async close(): Promise<void> {
    for (const connection of this.#connections.values()) await (await connection).close();
    await this.#server.close();
  }
}
