import { setTimeout as delay } from "node:timers/promises";
import { patience } from "../../../../../templates/runtime/samples/until.js";
import { randomNumbers } from "../../../harness/runner/random-numbers.js";
import { requestBody, SECRET, type DemoServer } from "./demo-server.js";

/** What became of mutated requests. */
export interface MutationRun {
  /** How often each HTTP status was answered; 0 where the connection was closed without an answer. */
  readonly statuses: ReadonlyMap<number, number>;
  /** The first requests with wrong answers, with a description of the mistake. */
  readonly wrong: readonly string[];
}

type Random = (below: number) => number;

/** Requests that are right, as their bytes: the head's lines and the body. */
interface Original {
  readonly head: readonly string[];
  readonly body: string;
}

const originals: readonly Original[] = [
  modern("tools/list"),
  modern("tools/call", { name: "echo", arguments: { text: "hello", times: 2 } }),
  modern("tools/call", { name: "count", arguments: { items: [1, 2, 3] } }),
  modern("resources/list"),
  modern("resources/read", { uri: "demo://plain" }),
  modern("resources/read", { uri: "demo://parts/a%20b/c" }),
  modern("prompts/get", { name: "greet", arguments: { who: "Ada" } }),
  modern("completion/complete", {
    ref: { type: "ref/prompt", name: "greet" },
    argument: { name: "from", value: "A" },
  }),
  modern("server/discover"),
  legacy("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "mutated", version: "1" },
  }),
  legacy("tools/call", { name: "echo", arguments: { text: "hello" } }),
  legacy("ping"),
];

const answered = new Set([
  200, 202, 204, 400, 403, 404, 405, 406, 408, 411, 413, 414, 415, 417, 426, 431, 501, 505,
]);
const forbidden = [SECRET, "hunter2", "/dist/", "node:internal", "    at ", "node_modules"];

function headOf(...headers: readonly string[]): readonly string[] {
  return [
    "POST /mcp HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    ...headers,
  ];
}

function modern(method: string, params: Readonly<Record<string, unknown>> = {}): Original {
  const name = params["name"] ?? params["uri"];
  const named = typeof name === "string" ? [`Mcp-Name: ${name}`] : [];
  const head = headOf("MCP-Protocol-Version: 2026-07-28", `Mcp-Method: ${method}`, ...named);
  return { head, body: requestBody(method, params) };
}

function legacy(method: string, params: Readonly<Record<string, unknown>> = {}): Original {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return { head: headOf("MCP-Protocol-Version: 2025-11-25"), body };
}

/** What is put in the place of a piece of a request. */
const pieces: readonly string[] = [
  "",
  "null",
  "-1",
  "1e999",
  "9007199254740993",
  '""',
  "[]",
  "{}",
  "[[[[",
  "}}",
  ",,",
  ":",
  '"',
  "\\",
  "\\u0000",
  "\\ud800",
  "__proto__",
  "constructor",
  "tools/call",
  "subscriptions/listen",
  "notifications/cancelled",
  "logging/setLevel",
  "initialize",
  "2024-11-05",
  "9999-01-01",
  "\r\n",
  "\n",
  "\0",
  "\u001b[2J",
  "\u2028",
  "é",
  "../",
  "%2e%2e%2f",
  "%00",
  "{{who}}",
  "$ref",
  "a".repeat(5_000),
  "[".repeat(2_000),
  '{"a":'.repeat(500),
];

function mutate(text: string, random: Random): string {
  const at = random(text.length + 1);
  const length = random(3) === 0 ? random(40) : random(4);
  const cut = text.slice(at, at + length);
  switch (random(8)) {
    case 0:
      return text.slice(0, at) + String.fromCharCode(random(256)) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + text.slice(at + length);
    case 2:
      return text.slice(0, at) + cut + cut + text.slice(at + length);
    case 3:
    case 4:
    case 5:
      return replaceToken(text, at, pieces[random(pieces.length)] ?? "");
    default:
      return text.slice(0, at) + (pieces[random(pieces.length)] ?? "") + text.slice(at + length);
  }
}

/** Puts another value in the place of the string, number or word that starts after this place. */
function replaceToken(text: string, at: number, piece: string): string {
  const rest = text.slice(at);
  const token = /"(?:[^"\\]|\\.)*"|-?\d+|\w+/.exec(rest);
  if (token === null) return text + piece;
  return text.slice(0, at) + rest.replace(token[0], () => piece);
}

/** A request with one to four mutations in its head, its body, or both; its length is right or as it was. */
function mutatedRequest(random: Random): Buffer {
  const { head, body } = originals[random(originals.length)] ?? modern("ping");
  let [lines, json] = [head.join("\r\n"), body];
  for (let count = 1 + random(4); count > 0; count--) {
    if (random(4) === 0) lines = mutate(lines, random);
    else json = mutate(json, random);
  }
  const bytes = Buffer.from(json, random(8) === 0 ? "latin1" : "utf8");
  const length = random(10) === 0 ? Buffer.byteLength(body) : bytes.length;
  const start = `${lines}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(start, "latin1"), bytes]);
}

/** Sends a number of mutated requests, many at a time, each from another client. */
export async function sendMutated(
  server: DemoServer,
  requests: number,
  firstSeed = 1,
): Promise<MutationRun> {
  const statuses = new Map<number, number>();
  const wrong: string[] = [];
  let next = 0;
  const sender = async (): Promise<void> => {
    for (let index = next++; index < requests; index = next++) {
      const request = mutatedRequest(randomNumbers(firstSeed + index));
      const answer = await sendOne(server, request, index);
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const problem = problemOf(status, answer);
      if (problem !== undefined && wrong.length < 10) {
        wrong.push(`seed ${firstSeed + index}: ${problem}: ${answer.slice(0, 500)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 24 }, sender));
  return { statuses, wrong };
}

async function sendOne(server: DemoServer, request: Buffer, index: number): Promise<string> {
  const address = `127.${2 + ((index >> 16) % 200)}.${(index >> 8) % 256}.${1 + (index % 250)}`;
  const socket = await server.open(address);
  const received = server.received(socket, false);
  socket.end(request);
  const late = new AbortController();
  const answer = await Promise.race([
    received,
    delay(patience, "late", { signal: late.signal, ref: false }).catch(() => "late"),
  ]);
  late.abort();
  socket.destroy();
  return answer;
}

function problemOf(status: number, answer: string): string | undefined {
  if (answer === "late") return "no answer";
  if (status !== 0 && !answered.has(status)) return `status ${status}`;
  const found = forbidden.find((text) => answer.includes(text));
  if (found !== undefined) return `it holds ${found}`;
  return status >= 400 && answer.length > 10_000 ? "a long error" : undefined;
}
