import type { Readable, Writable } from "node:stream";
import { Lines } from "../../../templates/runtime/stdio/lines.js";
import { isJsonObject, parsedJson, type JsonObject, type JsonValue } from "../../model/json.js";

/** The id of the requests that the bridge itself sends. No client uses such an id. */
const HANDSHAKE_ID = "mcpwright-dev:initialize";
/** JSON-RPC: internal error. */
const INTERNAL_ERROR = -32603;
/** The error code of generated servers for a message that is too large. */
const TOO_LARGE = -32000;

/** The highest limit in bytes that a manifest can set for messages. A server with a lower limit applies it itself. */
const LONGEST_MESSAGE = 256 * 1024 * 1024;

/** The lists about whose changes a client of the protocol before 2026-07-28 can be notified. */
const LISTS = ["tools", "resources", "prompts"] as const;

/** The server's streams of the connection. */
export interface ServerEnds {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

/**
 * Connects one client on stdin and stdout with one server after the other. Messages that the client sends between
 * two servers wait for the next one. The bridge answers requests that the old server did not answer with an error.
 * In the eras of the protocol that have a handshake, it repeats the handshake with the new server, and it tells the
 * client that the lists have changed.
 */
export class StdioBridge {
  readonly #output: Writable;
  readonly #waiting: string[] = [];
  /** Ids of requests that the server has received and not answered yet, as JSON. */
  readonly #unanswered = new Set<string>();
  #server: ServerEnds | undefined;
  #initialize: JsonObject | undefined;
  #initialized: string | undefined;
  #isHandshaking = false;

  readonly #longest: number;

  /**
   * @param onEnd called when the client has closed its end; the server's stdin is then closed, too
   * @param longest length of the longest message that is passed on, in bytes
   */
  constructor(input: Readable, output: Writable, onEnd: () => void, longest = LONGEST_MESSAGE) {
    this.#output = output;
    this.#longest = longest;
    readLines(input, longest, {
      take: (line) => this.#fromClient(line),
      skip: (members) => this.#refuseFromClient(members),
    });
    input.once("end", () => {
      this.#server?.stdin.end();
      onEnd();
    });
  }

  /** Connects a new server. */
  connect(server: ServerEnds): void {
    this.#server = server;
    // The server may end while the bridge writes to it. `disconnect` then answers the open requests.
    server.stdin.on("error", () => undefined);
    readLines(server.stdout, this.#longest, {
      take: (line) => this.#fromServer(line),
      skip: (members) => this.#refuseFromServer(members, server),
    });
    if (this.#initialize === undefined || this.#initialized === undefined) return this.#flush();
    this.#isHandshaking = true;
    this.#toServer(JSON.stringify({ ...this.#initialize, id: HANDSHAKE_ID }));
  }

  /** From now on, messages of the client wait for the next server. The old server may still answer. */
  hold(): void {
    this.#server = undefined;
  }

  /** Call this when the server has ended. It answers all open requests with an error. */
  disconnect(): void {
    this.hold();
    this.#isHandshaking = false;
    for (const id of this.#unanswered) {
      const error = {
        code: INTERNAL_ERROR,
        message: "The server was restarted before it had answered",
      };
      this.#toClient(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`);
    }
    this.#unanswered.clear();
  }

  #fromClient(line: string): void {
    if (this.#server === undefined || this.#isHandshaking) this.#waiting.push(line);
    else this.#forward(line);
  }

  #forward(line: string): void {
    const message = parse(line);
    const { id, method } = message ?? {};
    if (message !== undefined && method === "initialize") this.#initialize = message;
    if (method === "notifications/initialized") this.#initialized = line;
    if (method !== undefined && id !== undefined) this.#unanswered.add(JSON.stringify(id));
    this.#toServer(line);
  }

  #fromServer(line: string): void {
    const message = parse(line);
    const isAnswer = message !== undefined && message["method"] === undefined;
    if (isAnswer && message["id"] === HANDSHAKE_ID) return this.#afterHandshake(message);
    if (!isAnswer) return this.#toClient(line);
    const id = JSON.stringify(message["id"] ?? null);
    this.#unanswered.delete(id);
    const isHandshake = JSON.stringify(this.#initialize?.["id"]) === id;
    this.#toClient(isHandshake ? JSON.stringify(withChangingLists(message)) : line);
  }

  /** Answers a request that is too large in place of the server. The server gets an error instead of an answer that is. */
  #refuseFromClient(members: JsonObject = {}): void {
    const { id, method } = members;
    const answer = this.#tooLarge("Message", TOO_LARGE, id);
    if (method === undefined && id !== undefined) this.#fromClient(answer);
    else if (method === undefined || id !== undefined) this.#toClient(answer);
  }

  #refuseFromServer(members: JsonObject = {}, { stdin }: ServerEnds): void {
    const { id, method } = members;
    if (id === undefined) return;
    const answer = this.#tooLarge("The server's message", INTERNAL_ERROR, id);
    if (method === undefined) this.#fromServer(answer);
    else stdin.write(`${answer}\n`);
  }

  #tooLarge(subject: string, code: number, id: JsonValue | undefined): string {
    const message = `${subject} too large: mcpwright dev passes on at most ${this.#longest} bytes`;
    return JSON.stringify({
      jsonrpc: "2.0",
      ...(id !== undefined && { id }),
      error: { code, message },
    });
  }

  #afterHandshake(answer: JsonObject): void {
    this.#isHandshaking = false;
    if (this.#initialized !== undefined) this.#toServer(this.#initialized);
    for (const list of listsOf(answer)) {
      this.#toClient(`{"jsonrpc":"2.0","method":"notifications/${list}/list_changed"}`);
    }
    this.#flush();
  }

  #flush(): void {
    for (const line of this.#waiting.splice(0)) this.#fromClient(line);
  }

  #toServer(line: string): void {
    this.#server?.stdin.write(`${line}\n`);
  }

  #toClient(line: string): void {
    this.#output.write(`${line}\n`);
  }
}

/** Handles the messages of a connection. Each line is a message. */
interface MessageHandler {
  take(line: string): void;
  /** @param members the top-level properties of a message that is too large, as far as they are known */
  skip(members: JsonObject | undefined): void;
}

function readLines(input: Readable, longest: number, handler: MessageHandler): void {
  const lines = new Lines(longest, {
    take: (line) => handler.take(line.toString().replace(/\r?\n$/, "")),
    skip: (outline) => handler.skip(outline.topLevelMembers() as JsonObject | undefined),
  });
  input.on("data", (chunk: Buffer) => lines.add(chunk));
}

function parse(line: string): JsonObject | undefined {
  const value = parsedJson(line);
  return isJsonObject(value) ? value : undefined;
}

function capabilitiesOf(answer: JsonObject): JsonObject {
  const result = answer["result"];
  const capabilities = isJsonObject(result) ? result["capabilities"] : undefined;
  return isJsonObject(capabilities) ? capabilities : {};
}

function listsOf(answer: JsonObject): string[] {
  const capabilities = capabilitiesOf(answer);
  return LISTS.filter((list) => isJsonObject(capabilities[list]));
}

/** Declares in an answer to `initialize` that lists change: they can change with the next server behind the bridge. */
function withChangingLists(answer: JsonObject): JsonObject {
  const result = answer["result"];
  if (!isJsonObject(result)) return answer;
  const capabilities = { ...capabilitiesOf(answer) };
  for (const list of listsOf(answer)) {
    capabilities[list] = { ...(capabilities[list] as JsonObject), listChanged: true };
  }
  return { ...answer, result: { ...result, capabilities } };
}
