import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import { until } from "../../../../../templates/runtime/samples/until.js";
import {
  requestBody,
  type Answer,
  type DemoServer,
} from "../../../scenarios/attacks/hostile-requests/demo-server.js";
import type { RandomNumbers } from "../../../harness/runner/random-numbers.js";
import { SESSION_IDLE_MS } from "./soak-project.js";

/** What every text of an honest client begins with: no log line may hold it. */
export const textMark = "t3xt-";

/** What honest clients have seen. */
export class HonestRecord {
  /** The ids of the requests that were answered, each of them once. */
  readonly answered = new Set<string>();
  calls = 0;
  /** Sessions that gave way to others before they were used. */
  lostSessions = 0;
  /** The longest that an answer took, in milliseconds. */
  slowestMs = 0;
  readonly wrong: string[] = [];
  /** When the requests without an answer were made, by id. */
  readonly #started = new Map<string, number>();
  #lastId = 0;

  /** A new request's id, and a text that no other request has. */
  next(client: number): { readonly id: string; readonly text: string } {
    const number = ++this.#lastId;
    const id = `${client}-${number}`;
    this.#started.set(id, performance.now());
    return { id, text: `${textMark}${id}` };
  }

  /** Takes an answer down: it must be to this request, and hold its text and no other. */
  check(id: string, text: string, answer: string): void {
    this.calls += 1;
    this.answered.add(id);
    const now = performance.now();
    this.slowestMs = Math.max(this.slowestMs, now - (this.#started.get(id) ?? now));
    this.#started.delete(id);
    const texts = answer.match(/t3xt-\d+-\d+/g) ?? [];
    const isOwn = answer.includes(`"id":"${id}"`);
    if (isOwn && texts.length > 0 && texts.every((found) => found === text)) return;
    if (this.wrong.length < 20) this.wrong.push(`${id} got ${answer.slice(0, 300)}`);
  }
}

/** Whether a client is to go on. */
export type IsRunning = () => boolean;

interface Client {
  readonly server: DemoServer;
  readonly record: HonestRecord;
  readonly number: number;
  readonly random: RandomNumbers;
}

type Operation = readonly [method: string, params: Readonly<Record<string, unknown>>];

function operation(text: string, random: RandomNumbers): Operation {
  const call = (name: string, args: object = {}): Operation => [
    "tools/call",
    { name, arguments: { text, ...args } },
  ];
  switch (random(6)) {
    case 0:
      return call("shape");
    case 1:
      return call("late", { ms: random(50) });
    case 2:
      return ["resources/read", { uri: `soak://texts/${text}` }];
    case 3:
      return ["prompts/get", { name: "greet", arguments: { who: text } }];
    default:
      return call("echo");
  }
}

/** Calls over HTTP in the newest era, with and without progress, until it is stopped. */
export async function callOverHttp(client: Client, isRunning: IsRunning): Promise<void> {
  const { server, record, number, random } = client;
  while (isRunning()) {
    const { id, text } = record.next(number);
    const [method, params] = operation(text, random);
    const meta = random(4) === 0 ? '"progressToken":"p",' : "";
    const body = requestBody(method, params)
      .replace('"id":1', `"id":"${id}"`)
      .replace('"_meta":{', `"_meta":{${meta}`);
    const changes = { body, localAddress: `127.0.10.${number}` };
    await settle(record, id, text, server.send(method, params, changes));
    await delay(random(10));
  }
}

/** Opens sessions of an older era, calls in each a few times, and deletes some of them. */
export async function callInSessions(client: Client, isRunning: IsRunning): Promise<void> {
  const { server, record, number, random } = client;
  const localAddress = `127.0.11.${number}`;
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const initialize = JSON.stringify({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "soak", version: "1" },
    },
  });
  while (isRunning()) {
    const opened = await server
      .request({ headers, body: initialize, localAddress })
      .catch(() => undefined);
    const id = opened?.headers["mcp-session-id"];
    if (typeof id !== "string") {
      await delay(50);
      continue;
    }
    const session = { ...headers, "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
    let isUnused = true;
    let lastUsed = performance.now();
    for (let calls = 1 + random(8); calls > 0 && isRunning(); calls--) {
      const { id, text } = record.next(number);
      const [method, params] = operation(text, random);
      const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      const answer = server.request({ headers: session, body, localAddress });
      const { status } = (await answer.catch(() => undefined)) ?? {};
      const mayHaveEnded = performance.now() - lastUsed > SESSION_IDLE_MS;
      // Among too many sessions, one that was never used may give way, and silence ends one.
      if (status === 404 && (isUnused || mayHaveEnded)) {
        record.lostSessions += 1;
        break;
      }
      isUnused = false;
      lastUsed = performance.now();
      await settle(record, id, text, answer);
      await delay(random(10));
    }
    if (random(2) === 0) {
      await server
        .request({ method: "DELETE", headers: session, localAddress })
        .catch(() => undefined);
    }
  }
}

/** Calls over WebSocket, several at a time; takes up a new connection now and then. */
export async function callOverWebSocket(client: Client, isRunning: IsRunning): Promise<void> {
  const { server, record, number, random } = client;
  while (isRunning()) {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, "mcp", {
      localAddress: `127.0.12.${number}`,
    });
    const XX = await new Promise((resolve) => {
      socket.once("open", () => resolve(true)).once("error", () => resolve(false));
    });
    if (XX !== true) {
      await delay(50);
      continue;
    }
    const waiting = new Map<string, string>();
    socket.on("error", () => undefined);
    socket.on("message", (data: Buffer) => {
      const answer = data.toString();
      const { id } = JSON.parse(answer) as { readonly id?: string };
      const text = id === undefined ? undefined : waiting.get(id);
      // Notifications have no id; an answer to a request that is not waiting is a crossed one.
      if (id === undefined) return;
      waiting.delete(id);
      record.check(id, text ?? "nothing that this client asked", answer);
    });
    for (let calls = 10 + random(30); calls > 0 && isRunning(); calls--) {
      const { id, text } = record.next(number);
      const [method, params] = operation(text, random);
      waiting.set(id, text);
      socket.send(requestBody(method, params).replace('"id":1', `"id":"${id}"`));
      await delay(random(10));
    }
    await until(() => waiting.size === 0 || socket.readyState !== WebSocket.OPEN);
    socket.terminate();
  }
}

async function settle(
  record: HonestRecord,
  id: string,
  text: string,
  answer: Promise<Answer>,
): Promise<void> {
  const got = await answer.catch((error: Error) => ({ text: error.message }));
  record.check(id, text, got.text);
}
