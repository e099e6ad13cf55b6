import type { ServerDefinition } from "../../../../../templates/runtime/engine/definition.js";
import type { RawRequest } from "./raw-client.js";

type Random = (below: number) => number;
type Json = unknown;
type JsonObject = Record<string, Json>;

/** A request before it is written, which mutations change. */
interface Draft {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  message: Json;
  chunked: boolean;
}

const protocol = "io.modelcontextprotocol/";

/** Requests that a server can get: half of them as the protocol wants them, the rest with something changed. */
export class RandomRequests {
  readonly #definition: ServerDefinition;
  readonly #random: Random;

  constructor(definition: ServerDefinition, random: Random) {
    this.#definition = definition;
    this.#random = random;
  }

  /** A request with nothing changed. */
  nextPlain(): RawRequest {
    const draft = this.#plain();
    return { ...draft, body: Buffer.from(JSON.stringify(draft.message)) };
  }

  next(): RawRequest {
    const draft = this.#plain();
    for (let left = this.#random(2) * (1 + this.#random(3)); left > 0; left--) {
      this.#pick([
        () => this.#changeHeader(draft),
        () => this.#changeHeader(draft),
        () => this.#changeMessage(draft),
        () => this.#changeMessage(draft),
        () => this.#changeEnvelope(draft),
        () => this.#changeTarget(draft),
      ])();
    }
    const text = this.#random(10) === 0 ? JSON.stringify(draft.message, null, 1) : undefined;
    const body = Buffer.from(text ?? JSON.stringify(draft.message) ?? "");
    return { ...draft, body: this.#random(6) === 0 ? this.#changeBytes(body) : body };
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#random(items.length)]!;
  }

  #plain(): Draft {
    const [method, params, name] = this.#operation();
    if (this.#random(3) === 0) return this.#ofOlderEra(method, params);
    const meta: JsonObject = {
      [`${protocol}protocolVersion`]: "2026-07-28",
      [`${protocol}clientCapabilities`]: this.#pick([{}, {}, { elicitation: {}, sampling: {} }]),
      ...this.#pick([{}, { [`${protocol}clientInfo`]: { name: "probe", version: "1" } }]),
    };
    const id = this.#pick<Json>([1, 0, -5, "a", "", "é✓", 2 ** 53, "\ud800"]);
    const headers: Draft["headers"] = [
      ["Host", this.#pick(["127.0.0.1:{port}", "localhost:{port}", "mcp.example.com"])],
      ["Content-Type", "application/json"],
      ["Accept", "application/json, text/event-stream"],
      ["MCP-Protocol-Version", "2026-07-28"],
      ["Mcp-Method", method],
      ...(name === undefined ? [] : [["Mcp-Name", encodedName(name)] as [string, string]]),
    ];
    const message = { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } };
    return { method: "POST", path: "/mcp", headers, message, chunked: false };
  }

  /** A request of an older era, without a session. */
  #ofOlderEra(method: string, params: JsonObject): Draft {
    const headers: Draft["headers"] = [
      ["Host", this.#pick(["127.0.0.1:{port}", "localhost:{port}", "mcp.example.com"])],
      ["Content-Type", "application/json"],
      ["Accept", this.#pick([both, both, both, "text/event-stream,application/json;q=0.9", "*/*"])],
      ...this.#pick<Draft["headers"]>([
        [],
        [["MCP-Protocol-Version", "2025-11-25"]],
        [["MCP-Protocol-Version", "2025-06-18"]],
      ]),
    ];
    const id = this.#pick<Json>([1, 0, "a", "é✓"]);
    const meta = this.#pick<JsonObject>([
      {},
      {},
      {},
      { _meta: {} },
      { _meta: { progressToken: this.#pick<Json>([1, "t", null]) } },
    ]);
    const request = { jsonrpc: "2.0", id, method, params: { ...params, ...meta } };
    const message = this.#pick<() => Json>([
      () => request,
      () => request,
      () => request,
      () => request,
      () => ({ jsonrpc: "2.0", id, method: "initialize", params: this.#handshake() }),
      () => ({ jsonrpc: "2.0", method: "notifications/initialized" }),
      () => ({ jsonrpc: "2.0", id, method: "ping" }),
      () => ({
        ...request,
        method: "tools/call",
        params: { name: this.#pick(["talkative", "grumbling"]), ...meta },
      }),
    ])();
    return { method: "POST", path: "/mcp", headers, message, chunked: false };
  }

  #handshake(): JsonObject {
    return {
      protocolVersion: this.#pick(["2025-11-25", "2025-03-26", "2026-07-28", "x"]),
      capabilities: this.#pick([{}, { roots: { listChanged: true }, elicitation: {} }, { a: 1 }]),
      clientInfo: this.#pick<JsonObject>([{ name: "probe", version: "1" }, { name: "probe" }]),
    };
  }

  /** A method with parameters, and the name that the header repeats. */
  #operation(): [method: string, params: JsonObject, name?: string] {
    const { tools, resources, resourceTemplates, prompts } = this.#definition;
    const named = (method: string, name: string): [string, JsonObject, string] => [
      method,
      { name, arguments: this.#arguments() },
      name,
    ];
    const read = (uri: string): [string, JsonObject, string] => ["resources/read", { uri }, uri];
    return this.#pick<() => [string, JsonObject, string?]>([
      () => [this.#pick(["tools/list", "prompts/list", "server/discover"]), {}],
      () => [this.#pick(["resources/list", "resources/templates/list"]), {}],
      () => named("tools/call", this.#pick(tools).definition.name),
      () => named("tools/call", this.#pick(tools).definition.name),
      () =>
        named(
          "tools/call",
          this.#pick(["forecast", "greet", "by_schema", "toString", "switched_alias", "asking"]),
        ),
      () => named("prompts/get", this.#pick([...prompts.map(nameOf), "nothing", "__proto__"])),
      () => ["tools/call", { name: "picture" }, "picture"],
      () => read(this.#pick(resources).definition.uri),
      () => read(this.#pick(["sample://cities/Bern", "sample://cities/Atlantis", "no://such"])),
      () => read(this.#pick(resourceTemplates).definition.uriTemplate),
      () => ["completion/complete", this.#completion()],
      () => [this.#pick(["ping", "initialize", "logging/setLevel", "tools/none"]), {}],
    ])();
  }

  #arguments(): JsonObject {
    return this.#pick<() => JsonObject>([
      () => ({ city: this.#pick(["Berlin", "Atlantis", "x".repeat(90)]) }),
      () => ({ city: "Bern", days: this.#pick<Json>([1, 14, 15, 0, "3", 2.5]) }),
      () => ({ who: this.#pick(["you", "é\u2028✓", ""]) }),
      () => ({ count: this.#random(4), region: "eu", how: this.#pick(["good", "bad"]) }),
      () => ({ count: this.#random(4) }),
      () => ({ region: "eu" }),
      () => ({ how: this.#pick(["good", "bad"]) }),
      () => ({ city: "Bern", style: "by train" }),
      () => ({ topic: "tea" }),
      () => ({}),
    ])();
  }

  #completion(): JsonObject {
    const ref = this.#pick<JsonObject>([
      { type: "ref/prompt", name: "plan_trip" },
      { type: "ref/prompt", name: "none" },
      { type: "ref/resource", uri: "sample://cities/{city}" },
      { type: "ref/resource", uri: "sample://counted/{number}" },
      { type: "ref/none" },
    ]);
    const argument = {
      name: this.#pick(["city", "style", "number", "none"]),
      value: this.#pick(["b", ""]),
    };
    return { ref, argument, ...this.#pick([{}, { context: { arguments: { city: "B" } } }]) };
  }

  #changeTarget(draft: Draft): void {
    this.#pick([
      () => (draft.method = this.#pick(["GET", "PUT", "DELETE", "OPTIONS"])),
      () => (draft.path = this.#pick(["/mcp?a=1", "/mcp/", "/", "/healthz", "//mcp", "/MCP"])),
      () => (draft.chunked = true),
    ])();
  }

  #changeHeader(draft: Draft): void {
    const { headers } = draft;
    const index = this.#random(headers.length);
    const header = headers[index];
    if (header === undefined) return;
    const [name, value] = header;
    this.#pick<() => unknown>([
      () => headers.splice(index, 1),
      () => headers.push([name, value]),
      () => headers.push([name, this.#pick(headerValues)]),
      () => (header[1] = this.#pick(headerValues)),
      () => (header[1] = `${value} `),
      () => (header[1] = value.toUpperCase()),
      () => (header[1] = `=?base64?${Buffer.from(value).toString("base64")}?=`),
      () => (header[0] = name.toLowerCase()),
      () => headers.push([...this.#pick(moreHeaders)]),
      () => headers.push([...this.#pick(moreHeaders)]),
    ])();
  }

  #changeEnvelope({ message }: Draft): void {
    const meta = at(at(message, "params"), "_meta");
    if (!isObject(meta)) return;
    const key = this.#pick([...Object.keys(meta), `${protocol}clientInfo`]);
    this.#pick<() => unknown>([
      () => delete meta[key],
      () => (meta[key] = structuredClone(this.#pick(values))),
      () => (meta["progressToken"] = this.#pick<Json>([1, "t", null])),
      () => (meta[`${protocol}logLevel`] = this.#pick(["debug", "error", "none"])),
      () => (meta["example.com/a"] = 1),
      () => (meta[`${protocol}protocolVersion`] = this.#pick(["2025-11-25", "2027-01-01", ""])),
      () => (meta[`${protocol}clientInfo`] = { name: "n", version: "1", title: "T", icons: [] }),
      () => (meta[`${protocol}clientCapabilities`] = { roots: 1 }),
      () => (meta[`${protocol}clientCapabilities`] = { unknown: {}, extensions: { "a.b/c": {} } }),
    ])();
  }

  #changeMessage(draft: Draft): void {
    const { message } = draft;
    const places = [...placesIn(message)];
    if (places.length === 0) return;
    const [parent, key] = this.#pick(places);
    this.#pick<() => unknown>([
      () => delete parent[key],
      () => (parent[key] = structuredClone(this.#pick(values))),
      () => (parent[key] = structuredClone(this.#pick(values))),
      () => (parent[this.#pick(moreKeys)] = structuredClone(this.#pick(values))),
      () => (draft.message = [message]),
      () => Object.defineProperty(parent, "__proto__", ownMember),
    ])();
  }

  #changeBytes(body: Buffer): Buffer {
    const place = this.#random(body.length + 1);
    const before = body.subarray(0, place);
    const after = body.subarray(place);
    return this.#pick<() => Buffer>([
      () => Buffer.concat([before, Buffer.from([this.#random(256)]), after]),
      () => Buffer.concat([before, after.subarray(1)]),
      () => Buffer.concat([before, Buffer.from([this.#random(256)]), after.subarray(1)]),
      () => before,
      () => Buffer.concat([body, Buffer.from(this.#pick([" \n", "}", "\0", "//"]))]),
      () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
      () => Buffer.concat([Buffer.from(" ".repeat(this.#random(25_000))), body]),
      () => Buffer.from(body.toString().replace('"id"', '"id":7,"id"')),
      () => Buffer.from(body.toString().replace('"Berlin"', '"\xc3\\u0041\\ud83d"'), "latin1"),
    ])();
  }
}

const both = "application/json, text/event-stream";

const headerValues = [
  "",
  "x",
  "tools/call",
  "tools/list",
  "resources/read",
  "forecast",
  "2025-11-25",
  "2026-07-28",
  "application/json; charset=utf-8",
  "application/json; charset=latin1",
  "text/plain",
  "evil.example.com",
  "null",
  "é".toString(),
];

const moreHeaders: readonly (readonly [string, string])[] = [
  ["Origin", "http://localhost:3000"],
  ["Origin", "https://app.example.com"],
  ["Origin", "https://evil.example.com"],
  ["Mcp-Session-Id", "abc"],
  ["Last-Event-ID", "1"],
  ["Content-Encoding", "gzip"],
  ["Content-Encoding", "identity"],
  ["Mcp-Param-Region", "eu"],
  ["Mcp-Param-Region", "us"],
  ["Authorization", "Bearer x"],
  ["Mcp-Name", "forecast"],
  ["Accept", "text/html"],
  ["X-Other", "1"],
];

const values: readonly Json[] = [
  null,
  true,
  0,
  -0,
  1.5,
  1e300,
  "",
  "x",
  "forecast",
  "2.0",
  Buffer.from("from 9").toString("base64url"),
  [],
  {},
  [[]],
  { a: { b: { c: {} } } },
  Array.from({ length: 250 }, () => 0),
  JSON.parse(`${"[".repeat(12)}${"]".repeat(12)}`) as Json,
];

/** As `JSON.parse` makes it of a `__proto__` key. */
const ownMember = { value: {}, enumerable: true, configurable: true, writable: true };

const moreKeys = ["extra", "cursor", "inputResponses", "requestState", "error", "result", "task"];

function nameOf({ definition }: { readonly definition: { readonly name: string } }): string {
  return definition.name;
}

/** A name as a header carries it: encoded where it is not plain ASCII, or looks as if it were encoded. */
function encodedName(name: string): string {
  if (/^[!-~]*$/.test(name) && !name.startsWith("=?")) return name;
  return `=?base64?${Buffer.from(name).toString("base64")}?=`;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function at(value: Json, key: string): Json {
  return isObject(value) ? value[key] : undefined;
}

/** Every member of every object inside a value. */
function* placesIn(value: Json): Generator<[JsonObject, string]> {
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    yield [value, key];
    yield* placesIn(value[key]);
  }
}
