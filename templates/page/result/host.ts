/** The client that shows this page, as the extension MCP Apps has it: JSON-RPC with the window around the page. */

/** The version of the extension that the page speaks. */
const PROTOCOL_VERSION = "2026-01-26";

type Json = Readonly<Record<string, unknown>>;

/** What the page does with the messages of the host. */
export interface HostListener {
  readonly onInput: (values: Json) => void;
  readonly onResult: (result: unknown) => void;
  readonly onCancelled: () => void;
  readonly onTheme: (theme: unknown) => void;
}

/** The side of the host, as the page sees it. */
export interface Host {
  /** Whether the host passes calls of tools on. */
  readonly canCall: boolean;
  /** Calls a tool. @throws Error if the host or the server refuses */
  readonly call: (name: string, values: Json) => Promise<unknown>;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Greets the host, and listens to it from then on. @throws Error if the host refuses */
export async function connectHost(listener: HostListener): Promise<Host> {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const send = (message: Json): void => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const request = (method: string, params: Json): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      send({ id: last, method, params });
    });
  addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    const message = asObject(data);
    if (source !== parent || message["jsonrpc"] !== "2.0") return;
    if (typeof message["method"] !== "string") return settle(waiting, message);
    if (message["id"] === undefined) return hear(message["method"], message, listener);
    send({ id: message["id"], ...answerTo(message["method"]) });
  });
  const greeting = { protocolVersion: PROTOCOL_VERSION, appCapabilities: {} };
  const appInfo = { name: "mcpwright", version: "1" };
  const host = asObject(await request("ui/initialize", { ...greeting, appInfo }));
  listener.onTheme(asObject(host["hostContext"])["theme"]);
  send({ method: "ui/notifications/initialized", params: {} });
  tellSizes((size) => send({ method: "ui/notifications/size-changed", params: size }));
  return {
    canCall: asObject(host["hostCapabilities"])["serverTools"] !== undefined,
    call: (name, values) => request("tools/call", { name, arguments: values }),
  };
}

function settle(waiting: Map<number, Waiting>, { id, result, error }: Json): void {
  const one = waiting.get(id as number);
  waiting.delete(id as number);
  if (error === undefined) one?.resolve(result);
  else one?.reject(new Error(String(asObject(error)["message"])));
}

function hear(method: string, message: Json, listener: HostListener): void {
  const params = asObject(message["params"]);
  if (method === "ui/notifications/tool-input") listener.onInput(asObject(params["arguments"]));
  if (method === "ui/notifications/tool-result") listener.onResult(params);
  if (method === "ui/notifications/tool-cancelled") listener.onCancelled();
  if (method === "ui/notifications/host-context-changed") listener.onTheme(params["theme"]);
}

/** The page keeps nothing that would have to be saved before it is taken down. */
function answerTo(method: string): Json {
  const isKnown = method === "ping" || method === "ui/resource-teardown";
  return isKnown ? { result: {} } : { error: { code: -32601, message: "Method not found" } };
}

/** Tells the height that the page needs, now and whenever it changes. */
function tellSizes(tell: (size: Json) => void): void {
  const { documentElement: page, body } = document;
  const observer = new ResizeObserver(() =>
    tell({ width: page.clientWidth, height: Math.ceil(body.getBoundingClientRect().height) }),
  );
  observer.observe(body);
}

/** A value as an object; empty if it is none. */
export function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}
