import type { ServerDefinition } from "../../../../../templates/runtime/engine/definition.js";
import { RandomRequests } from "./random-requests.js";

type Random = (below: number) => number;
type JsonObject = Record<string, unknown>;

/** A message with the end of its line. */
type Line = Buffer;

/** What one client sends over a lasting connection: of one era, of the other, or of both. */
export class RandomSessions {
  readonly #random: Random;
  readonly #requests: RandomRequests;
  #id = 0;
  /** Whether the client sends nothing that is wrong. */
  #isNeat = false;
  /** The last id of the groups before: those requests are answered. */
  #before = 0;

  constructor(definition: ServerDefinition, random: Random) {
    this.#random = random;
    this.#requests = new RandomRequests(definition, random);
  }

  /** The lines of a new client, in groups that are sent at once. */
  *next(groups: number): Generator<Line[]> {
    this.#id = 0;
    this.#isNeat = this.#random(2) === 0;
    const era = this.#pick(["modern", "legacy", "legacy", "mixed"] as const);
    const opening = !this.#isNeat && this.#random(8) === 0 ? [] : this.#opening(era);
    yield opening;
    for (let left = groups; left > 0; left--) {
      this.#before = this.#id;
      const lines = Array.from({ length: 1 + this.#random(3) }, () => this.#lines(era)).flat();
      // What a call logs before and after another says which levels it wants is a matter of moments.
      const isApart = lines.some((line) => line.includes("talkative"));
      if (isApart) for (const line of lines) yield [line];
      else yield lines;
    }
  }

  #opening(era: "modern" | "legacy" | "mixed"): Line[] {
    if (era === "modern") return this.#random(2) === 0 ? [this.#modern("server/discover")] : [];
    if (this.#isNeat) return this.#neatOpening();
    const info = this.#pick<unknown>([
      { name: "probe", version: "1" },
      { name: "probe", version: "1", title: "Probe", websiteUrl: "https://example.com" },
      { name: "probe", version: "1", icons: [] },
      { name: "probe" },
    ]);
    const params = {
      protocolVersion: this.#pick<unknown>([
        "2025-11-25",
        "2025-06-18",
        "2024-11-05",
        "2026-07-28",
        "1999-01-01",
        7,
      ]),
      capabilities: this.#pick<unknown>([
        {},
        { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } },
        { elicitation: {} },
        { roots: 1 },
        { experimental: { a: {} }, tasks: {} },
      ]),
      clientInfo: info,
      ...this.#pick([{}, {}, {}, { _meta: {} }]),
    };
    const lines = [this.#legacy("initialize", params)];
    if (era === "mixed" && this.#random(2) === 0) lines.unshift(this.#modern("server/discover"));
    if (this.#random(6) > 0) {
      lines.push(this.#notification("notifications/initialized", this.#pick([undefined, {}])));
    }
    return lines;
  }

  #neatOpening(): Line[] {
    const params = {
      protocolVersion: this.#pick(["2025-11-25", "2025-06-18"]),
      capabilities: this.#pick([{}, { roots: { listChanged: true }, elicitation: {} }]),
      clientInfo: { name: "probe", version: "1" },
    };
    const initialize = this.#legacy("initialize", params);
    return [initialize, this.#notification("notifications/initialized")];
  }

  #lines(era: "modern" | "legacy" | "mixed"): Line[] {
    const isModern = era === "mixed" ? this.#random(2) === 0 : era === "modern";
    if (this.#random(12) === 0) return this.#takenBack(isModern);
    const draw = this.#pick<() => Line>([
      () => (isModern ? this.#request() : this.#ofOlderEra()),
      () => (isModern ? this.#request() : this.#ofOlderEra()),
      () => (isModern ? this.#request() : this.#ofOlderEra()),
      () => (isModern ? this.#request() : this.#ofSession()),
      () => (this.#isNeat ? (isModern ? this.#request() : this.#ofOlderEra()) : this.#odd()),
    ]);
    return [draw()];
  }

  /** A call, and the word that its answer is not wanted any more. */
  #takenBack(isModern: boolean): Line[] {
    const _meta = isModern ? envelope : undefined;
    const call = this.#legacy("tools/call", { name: "slow", ...(_meta && { _meta }) });
    const { id } = JSON.parse(call.toString()) as { id: string | number };
    const taken = { requestId: id, ...(_meta && { _meta }) };
    return [call, this.#notification("notifications/cancelled", taken)];
  }

  /** A request of the newest era, changed or not, with an id of its own. */
  #request(): Line {
    return this.#numbered(this.#text(), (message) => message);
  }

  /** The same without its envelope. */
  #ofOlderEra(): Line {
    return this.#numbered(this.#text(), (message) => {
      const { params } = message;
      if (typeof params !== "object" || params === null) return message;
      const { _meta: meta, ...rest } = params as JsonObject;
      const wanted = this.#pick<JsonObject>([
        {},
        {},
        {},
        {},
        {},
        {},
        { _meta: {} },
        { _meta: { progressToken: this.#pick<unknown>([1, "t", null]) } },
        { _meta: { "example.com/a": 1 } },
        { _meta: meta },
      ]);
      return { ...message, params: { ...rest, ...wanted } };
    });
  }

  #text(): string {
    const { body } = this.#isNeat ? this.#requests.nextPlain() : this.#requests.next();
    return body.toString().replaceAll("\n", " ");
  }

  #ofSession(): Line {
    return this.#pick<() => Line>([
      () => this.#legacy("ping", this.#pick([undefined, {}])),
      () =>
        this.#legacy("logging/setLevel", {
          level: this.#pick(["debug", "error", "loud"]),
          ...this.#pick([{}, {}, {}, { _meta: { progressToken: 1 } }, { other: 1 }]),
        }),
      () => this.#legacy("tools/call", { name: "talkative", arguments: {} }),
      () => this.#legacy("tools/call", { name: "talkative", _meta: { progressToken: "t" } }),
      () => this.#legacy("resources/subscribe", { uri: "sample://help" }),
      () => this.#legacy("initialize", {}),
      () => this.#notification("notifications/initialized"),
    ])();
  }

  #odd(): Line {
    return this.#pick<() => Line>([
      () =>
        this.#notification("notifications/cancelled", {
          requestId: this.#random(this.#before + 1),
        }),
      () => this.#notification("notifications/roots/list_changed"),
      () => this.#notification("notifications/none"),
      () => Buffer.from(this.#pick(["", " ", "{}", "[]", "null", "{", "\ufeff{}", "x"]) + "\n"),
      () => Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} }) + "\n"),
      () => Buffer.concat([Buffer.from('{"jsonrpc":"2.0","method":"x\xff"}\n', "latin1")]),
      () => this.#modern("server/discover"),
      () => this.#modern("tools/list"),
      () => this.#legacy("tools/list"),
    ])();
  }

  /** A JSON text with an id that no other message has; where it is no object, as it is. */
  #numbered(text: string, change: (message: JsonObject) => JsonObject): Line {
    try {
      const message = JSON.parse(text) as unknown;
      if (typeof message === "object" && message !== null && "id" in message) {
        const { id } = message;
        const isId = typeof id === "string" || Number.isSafeInteger(id);
        const own = { ...(message as JsonObject), ...(isId ? { id: this.#next() } : {}) };
        return Buffer.from(JSON.stringify(change(own)) + "\n");
      }
    } catch {
      // Broken JSON goes out as it is.
    }
    return Buffer.from(`${text}\n`);
  }

  #legacy(method: string, params?: JsonObject): Line {
    return line({ jsonrpc: "2.0", id: this.#next(), method, ...(params && { params }) });
  }

  #modern(method: string): Line {
    return this.#legacy(method, { _meta: envelope });
  }

  #notification(method: string, params?: JsonObject): Line {
    return line({ jsonrpc: "2.0", method, ...(params && { params }) });
  }

  #next(): number | string {
    this.#id += 1;
    return this.#random(4) === 0 ? `id ${this.#id}` : this.#id;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#random(items.length)]!;
  }
}

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

function line(message: object): Line {
  return Buffer.from(JSON.stringify(message) + "\n");
}
