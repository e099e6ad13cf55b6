import { test } from "uvu";
import * as assert from "uvu/assert";
import { defaultLimits } from "../engine/limits.js";
import { until } from "../samples/until.js";
import { createLog } from "./log.js";
import { Refusals } from "./refusals.js";

interface Line {
  readonly level: string;
  readonly limit: string;
  readonly address?: string;
  readonly principal?: string;
  readonly count?: number;
}

function collecting(periodMs?: number): { readonly lines: Line[]; readonly refusals: Refusals } {
  const lines: Line[] = [];
  const log = createLog({ write: (line) => void lines.push(JSON.parse(line) as Line) });
  return { lines, refusals: new Refusals(defaultLimits, log, undefined, periodMs) };
}

test("each sender has a line for each limit, whose repetitions are joined", () => {
  const { lines, refusals } = collecting(600_000);
  for (let sent = 0; sent < 500; sent += 1) {
    assert.is(
      refusals.exceed({ limit: "ratePerSecond", address: "192.0.2.1" }),
      "limits.ratePerSecond: 1000",
    );
    refusals.exceed({ limit: "ratePerSecond", address: "192.0.2.2", principal: "ada" });
    refusals.exceed({ limit: "concurrency", principal: "ada" });
  }
  assert.equal(
    lines.map(({ level, limit, address, principal }) => [level, limit, address ?? principal]),
    [
      ["warning", "limits.ratePerSecond: 1000", "192.0.2.1"],
      ["warning", "limits.ratePerSecond: 1000", "ada"],
      ["warning", "limits.concurrency: 1000", "ada"],
    ],
  );
  refusals.flush();
  assert.equal(
    lines.slice(3).map(({ count }) => count),
    [499, 499, 499],
  );
});

test("repetitions that are joined are written when their period ends", async () => {
  const { lines, refusals } = collecting(20);
  const sent = 100;
  for (let index = 0; index < sent; index += 1) {
    refusals.exceed({ limit: "ratePerSecond", address: "192.0.2.1" });
  }
  // On a slow machine, several periods pass while they are sent.
  const told = (): number => lines.reduce((sum, { count = 1 }) => sum + count, 0);
  await until(() => told() === sent);
  assert.ok(lines.some(({ count }) => count !== undefined));
});

test("more senders than can be told apart share one line, so that no flood of addresses floods the log", () => {
  const { lines, refusals } = collecting();
  for (let turn = 0; turn < 2; turn += 1) {
    for (let sender = 0; sender < 5_000; sender += 1) {
      refusals.exceed({ limit: "ratePerSecond", address: `192.0.2.${sender}` });
    }
  }
  assert.ok(lines.length <= 202, `${lines.length} lines`);
  assert.is(lines.at(-1)?.address, "others");
  const before = lines.length;
  refusals.flush();
  const counted = lines.reduce((sum, { count = 0 }) => sum + count, 0);
  assert.is(before + counted, 10_000, "nothing is lost");
  refusals.flush();
  assert.is(
    lines.reduce((sum, { count = 0 }) => sum + count, 0),
    counted,
    "nothing is written twice",
  );
});

test.run();
