import { imported } from "../../../../../templates/runtime/asking/imported.js";
import type { HttpDefinition } from "../../../../../templates/runtime/http/definition.js";
import {
  createServer,
  type RunningServer,
} from "../../../../../templates/runtime/server/create-server.js";
import { holdTimers } from "../../../../../templates/runtime/samples/held-timers.js";
import { withReplacedHandlers } from "../../../../../templates/runtime/server/replaced-handlers.js";
import type { AnyHandler } from "../../../../../templates/runtime/engine/item.js";
import { listen } from "../../../../../templates/runtime/http/listener.js";
import { httpEndpoint } from "../../../../../templates/runtime/http/endpoint.js";
import { momentMs } from "../../../../../templates/runtime/http/slow-answers.js";
import { createLog } from "../../../../../templates/runtime/observe/log.js";
import type { RunningHttp } from "../../../../../templates/runtime/http/transport.js";
import { randomNumbers } from "../../../harness/runner/random-numbers.js";
import { oddServer } from "./odd-server.js";
import { RandomRequests } from "./random-requests.js";
import { RawClient, type RawRequest, type RawResponse } from "./raw-client.js";

/** What was tried, and how much of it the fast path answered by itself. */
export interface DifferentialCounts {
  requests: number;
  /** Answered with a result. */
  answered: number;
  /** Of those, answered without the SDK. */
  fast: number;
  /** Went through the SDK after the handler had run. */
  replayedOutcomes: number;
}

const lanes = 8;

/**
 * Rounds of the property "the fast path answers as the SDK does": two servers that differ in nothing
 * but their fast path get the same requests.
 */
export class DifferentialRounds {
  readonly #fast: Side;
  readonly #slow: Side;
  /** On a busy machine, either answer may take long. The form of a slow answer has its own tests. */
  readonly #moments = holdTimers(momentMs);
  #requests = 0;
  #answered = 0;

  private constructor(fast: Side, slow: Side) {
    this.#fast = fast;
    this.#slow = slow;
  }

  static async start(): Promise<DifferentialRounds> {
    return new DifferentialRounds(await Side.start(true), await Side.start(false));
  }

  get counts(): DifferentialCounts {
    const { answeredBySdk, replayedOutcomes } = this.#fast;
    const answered = this.#answered;
    return { requests: this.#requests, answered, fast: answered - answeredBySdk, replayedOutcomes };
  }

  /**
   * Tries a number of requests, which are the same for the same seed.
   * @throws Error at the first difference, with the request and both answers
   */
  async run(seed: number, requests: number): Promise<void> {
    const random = new RandomRequests(oddServer, randomNumbers(seed));
    for (let left = requests; left > 0; left -= lanes) {
      if (left % (5 * lanes) === 0) for (const side of [this.#fast, this.#slow]) side.toggle();
      const drawn = Array.from({ length: Math.min(lanes, left) }, () => random.next());
      await Promise.all(drawn.map((request, lane) => this.#try(request, lane, seed)));
      if (this.#fast.handled !== this.#slow.handled) {
        throw new Error(`seed ${seed}: handlers ran more often on one side${drawn.map(show)}`);
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#fast.close(), this.#slow.close()]);
    this.#moments.release();
  }

  async #try(request: RawRequest, lane: number, seed: number): Promise<void> {
    const [fast, slow] = await Promise.all([
      this.#fast.send(request, lane),
      this.#slow.send(request, lane),
    ]);
    const [left, right] = [comparable(fast), comparable(slow)];
    if (left !== right) {
      throw new Error(`seed ${seed}: ${show(request)}\n\nfast: ${left}\n\nSDK:  ${right}`);
    }
    this.#requests++;
    if (slow.status === 200 && slow.body.includes("jsonrpc")) this.#answered++;
  }
}

/** One of the two servers, and the connections to it. */
class Side {
  handled = 0;
  answeredBySdk = 0;
  replayedOutcomes = 0;
  #server: RunningServer | undefined;
  #http: RunningHttp | undefined;
  #clients: readonly RawClient[] = [];

  static async start(fastPath: boolean): Promise<Side> {
    const side = new Side();
    const definition = oddServer.transports.find((one) => one.type === "http") as HttpDefinition;
    const server = side.#observed(side.#createServer(fastPath));
    const http = await listen(server, [httpEndpoint(server, definition)]);
    const port = Number(new URL(http.url).port);
    side.#server = server;
    side.#http = http;
    side.#clients = Array.from({ length: lanes }, () => new RawClient(port));
    return side;
  }

  /** Switches a tool on or off, so that lists change. */
  toggle(): void {
    const tools = this.#server?.controls.tools;
    if (tools?.isEnabled("switched")) tools.disable("switched");
    else tools?.enable("switched");
  }

  send(request: RawRequest, lane: number): Promise<RawResponse> {
    return this.#clients[lane]!.send(request);
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.#http?.close();
  }

  #createServer(fastPath: boolean): RunningServer {
    const handlers = handlersByName();
    const counted = withReplacedHandlers(oddServer, ({ kind, name }) => {
      const handler = handlers.get(`${kind} ${name}`);
      // What completes and lists has no effects that could be doubled.
      if (handler === undefined) return undefined;
      return (input: never, context: never) => {
        this.handled++;
        return handler(input, context);
      };
    });
    const log = createLog({ write: () => undefined });
    return createServer(counted, { root: process.cwd(), log, fastPath });
  }

  #observed(server: RunningServer): RunningServer {
    return {
      ...server,
      fetch: async (request, options) => {
        const response = await server.fetch(request, options);
        if (response.status === 200) this.answeredBySdk++;
        if (options?.outcome !== undefined) this.replayedOutcomes++;
        return response;
      },
    };
  }
}

function handlersByName(): Map<string, AnyHandler<unknown>> {
  const { tools, resources, resourceTemplates, prompts } = oddServer;
  const lists = {
    tool: tools,
    resource: resources,
    resourceTemplate: resourceTemplates,
    prompt: prompts,
  };
  const all = Object.entries(lists).flatMap(([kind, entries]) =>
    entries.map(({ definition, handler }) => ({ kind, name: definition.name, handler })),
  );
  return new Map(
    all.flatMap(({ kind, name, handler }) =>
      handler === undefined ? [] : [[`${kind} ${name}`, imported(handler)] as const],
    ),
  );
}

/** Removes the parts of an answer that may differ between two runs: dates, references to log entries, encrypted state. */
function comparable({ status, headers, body }: RawResponse): string {
  // How a body is framed says nothing of it: the client has read it to its end.
  const {
    date: _date,
    "content-length": _length,
    "transfer-encoding": _framing,
    ...rest
  } = headers;
  const text = body
    .replaceAll(/\(reference [0-9a-f]{8}\)/g, "(reference)")
    .replaceAll(/"requestState":"[^"]*"/g, '"requestState":""');
  return JSON.stringify({ status, headers: Object.entries(rest).sort(), text }, null, 1);
}

function show({ method, path, headers, chunked, body }: RawRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return ["", `${method} ${path}${chunked ? ", chunked" : ""}`, ...lines, "", body.toString()].join(
    "\n",
  );
}
