import { test } from "uvu";
import * as assert from "uvu/assert";
import type { LogData } from "./log.js";
import { until } from "../samples/until.js";
import { countRefusals } from "./refusals.js";
import { requestLog, type ObservedRequest } from "./request-observer.js";

function collectingLog(): {
  readonly lines: (LogData & { message: string })[];
  readonly log: never;
} {
  const lines: (LogData & { message: string })[] = [];
  const info = (message: string, data: LogData = {}): void => void lines.push({ message, ...data });
  return { lines, log: { debug: info, info, warning: info, error: info } as never };
}

const refusal = (status: number, reason: string): ObservedRequest => ({
  transport: "http",
  outcome: "refused",
  durationMs: 0,
  status,
  reason,
});

test("repeated refusals are logged once at first, then once per period with their count", async () => {
  const { lines, log } = collectingLog();
  const listen = requestLog(log, countRefusals(log, 50).isCounted);
  for (let sent = 0; sent < 1_000; sent += 1) listen(refusal(404, "Not found"));
  assert.is(lines.length, 1);
  assert.is(lines[0]?.message, "request");
  await until(() => lines.length === 2);
  const { message, ...data } = lines[1] ?? { message: "" };
  assert.is(message, "requests refused");
  assert.equal(JSON.parse(JSON.stringify(data)), {
    transport: "http",
    status: 404,
    reason: "Not found",
    count: 999,
    withinMs: 50,
  });
});

test("each kind of refusal is counted separately, and each answered request has its own line", () => {
  const { lines, log } = collectingLog();
  const listen = requestLog(log, countRefusals(log).isCounted);
  listen(refusal(404, "Not found"));
  listen(refusal(401, "Unauthorized"));
  listen(refusal(401, "Unauthorized"));
  for (let sent = 0; sent < 3; sent += 1) {
    listen({ transport: "http", outcome: "ok", durationMs: 1, method: "tools/list" });
  }
  assert.is(lines.length, 5);
});

test("the number of kinds that are counted is bounded", () => {
  const { lines, log } = collectingLog();
  const listen = requestLog(log, countRefusals(log).isCounted);
  for (let kind = 0; kind < 1_000; kind += 1) listen(refusal(400, `reason ${kind}`));
  listen(refusal(400, "reason 0"));
  assert.is(lines.length, 1_000);
});

test.run();
