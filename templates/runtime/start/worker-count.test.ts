import { availableParallelism } from "node:os";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { httpDefaults, sseDefaults } from "../http/definition.js";
import { askedWorkers, parseFlags, workersOption, type TransportType } from "./command-line.js";
import type { Environment } from "./env.js";
import { workerCount } from "./worker-count.js";

const declared = [httpDefaults, sseDefaults, { type: "stdio" } as const];

const withSessions = { ...httpDefaults, sessions: "memory" } as const;

function count(
  args: readonly string[],
  environment: Environment = {},
  served: readonly TransportType[] = ["http"],
  transports: Parameters<typeof workerCount>[2] = declared,
): number {
  const flags = parseFlags(args, [workersOption]);
  const asked = askedWorkers(flags, new Set(served), environment);
  return asked === undefined ? 1 : workerCount(asked, flags, transports, new Set(served));
}

test("the option has priority over the variable, and one process is the default", () => {
  assert.is(count([]), 1);
  assert.is(count([], { WEB_CONCURRENCY: "" }), 1);
  assert.is(count([], { WEB_CONCURRENCY: "3" }), 3);
  assert.is(count(["--workers", "2"], { WEB_CONCURRENCY: "3" }), 2);
  assert.is(count(["--workers", "1"], { WEB_CONCURRENCY: "3" }), 1);
  assert.is(count(["--workers", "auto"]), availableParallelism());
});

for (const text of ["0", "-1", "1.5", "many", "257", "1e2"]) {
  test(`${text} is no number of workers`, () => {
    assert.throws(
      () => count([`--workers=${text}`]),
      /--workers must be auto, or a whole number from 1 to 256/,
    );
    assert.throws(() => count([], { WEB_CONCURRENCY: text }), /WEB_CONCURRENCY must be auto/);
  });
}

test("a setting that one process must serve is refused in words that name it", () => {
  const served = ["http", "sse", "stdio"] as const;
  assert.throws(
    () => count(["--workers", "4"], {}, served),
    "--workers asks for 4 processes, and only the transport http can be divided, not sse, stdio: start with --http alone",
  );
  assert.throws(
    () => count(["--workers", "2"], {}, ["stdio"]),
    "--workers asks for 2 processes, and only the transport http can be divided, not stdio",
  );
  assert.throws(
    () => count([], { WEB_CONCURRENCY: "2" }, ["http"], [{ ...withSessions, trustProxy: 1 }]),
    "WEB_CONCURRENCY asks for 2 processes, and a session belongs to one process, which the address of its client finds: behind a proxy (`trustProxy`), all clients have the same one",
  );
  assert.throws(() => count(["--workers", "2", "--mock"]), /--mock serves in one process/);
});

test("sessions are divided where the addresses of clients are known", () => {
  assert.is(count(["--workers", "2"], {}, ["http"], [withSessions]), 2);
});

test("WEB_CONCURRENCY, which platforms set for all programs, does not concern a server over stdio", () => {
  assert.is(count([], { WEB_CONCURRENCY: "2" }, ["stdio"]), 1);
});

test("one worker is one process, whatever it serves", () => {
  assert.is(count(["--workers", "1"], {}, ["http", "sse", "stdio"]), 1);
});

test.run();
