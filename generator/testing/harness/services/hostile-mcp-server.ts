import { createInterface } from "node:readline";
import type { JsonObject, JsonValue } from "../../../model/json.js";

/** A server of the 2025 protocol over stdio. Its lists come from its command-line argument. */

const SOUND: JsonObject = {
  name: "find",
  description: "Finds something.",
  inputSchema: { type: "object", properties: { what: { type: "string" } } },
};

/** By kind, the answer to each request for tools; `undefined` where there is none. */
const ANSWERS: Readonly<Record<string, (count: number) => JsonValue | undefined>> = {
  sound: () => ({ tools: [SOUND] }),
  "endless pages": (count) => ({ tools: [], nextCursor: `page ${count}` }),
  "endless items": (count) => ({
    tools: Array.from({ length: 100 }, () => SOUND),
    nextCursor: `page ${count}`,
  }),
  "cyclic cursors": (count) => ({ tools: [], nextCursor: `page ${count % 3}` }),
  "huge answer": () => ({ tools: [{ ...SOUND, description: "x".repeat(2_000_000) }] }),
  "no answer": () => undefined,
  "a name that is code": () => ({ tools: [SOUND, { ...SOUND, name: '");process.exit(1);("' }] }),
  "a name twice": () => ({ tools: [SOUND, SOUND] }),
  "a bad icon": () => ({ tools: [{ ...SOUND, icons: [{ src: "javascript:alert(1)" }] }] }),
  "no list": () => ({ tools: { find: SOUND } }),
  "no result": () => [],
  "a cursor that is a number": () => ({ tools: [], nextCursor: 1 }),
};

const answerTo = ANSWERS[process.argv[2] ?? ""];
let count = 0;

// Stays until it is killed.
process.on("SIGTERM", () => undefined);
const kept = setInterval(() => undefined, 1_000);
if (process.argv[2]?.startsWith("a ") || process.argv[2] === "sound") kept.unref();
if (process.argv[2] === "dies") {
  process.stderr.write("no licence\n");
  process.exit(3);
}
if (process.argv[2] === "floods") flood();

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line) as { readonly id?: JsonValue; readonly method: string };
  if (id === undefined || answerTo === undefined) return;
  const result = resultOf(method);
  const answer = { jsonrpc: "2.0", id, ...result };
  if (result !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
});

function resultOf(method: string): JsonObject | undefined {
  if (method === "initialize") {
    const serverInfo = { name: "hostile", version: "1.0.0" };
    return { result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo } };
  }
  if (method !== "tools/list") return { error: { code: -32601, message: "not found" } };
  const result = answerTo?.(count++);
  return result === undefined ? undefined : { result };
}

/** Writes without a line end for as long as somebody reads, with pauses, since a client reads on until the program is killed. */
function flood(): void {
  process.stdout.write("x".repeat(100_000), () => setTimeout(flood, 10));
}
