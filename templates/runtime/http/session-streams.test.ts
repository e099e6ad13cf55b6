import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { RunningServer } from "../server/create-server.js";
import { MessageScopes } from "./message-scopes.js";
import type { SessionEvents } from "./session-events.js";
import { SessionStreams } from "./session-streams.js";

/** The streams of a session, and the scopes with which its messages are kept. */
function session(): {
  readonly streams: SessionStreams;
  readonly kept: (readonly string[] | undefined)[];
} {
  const kept: (readonly string[] | undefined)[] = [];
  const events = {
    storeEvent: (_stream: string, _message: object, scopes?: readonly string[]) => {
      kept.push(scopes);
      return Promise.resolve("1");
    },
  };
  const server = {} as RunningServer;
  const streams = new SessionStreams(
    server,
    new MessageScopes(),
    events as unknown as SessionEvents,
  );
  return { streams, kept };
}

/** Lets a session handle a request of a caller with the scope `read`. */
async function handle(streams: SessionStreams, work: () => unknown = () => undefined) {
  const request = new Request("http://localhost/mcp", { method: "POST" });
  await streams.handle(request, ["read"], async () => {
    await work();
    return new Response();
  });
}

/** The storages that are used while something runs. */
async function storagesOf(work: () => Promise<void>): Promise<ReadonlySet<unknown>> {
  const used = new Set<unknown>();
  const { prototype } = AsyncLocalStorage;
  const { run } = prototype;
  prototype.run = function (this: unknown, ...given: Parameters<typeof run>) {
    used.add(this);
    return run.apply(this as never, given);
  } as typeof run;
  try {
    await work();
  } finally {
    prototype.run = run;
  }
  return used;
}

test("sessions share one storage: up to Node.js 22, promises pass on all that were ever used", async () => {
  const used = await storagesOf(async () => {
    for (let index = 0; index < 3; index++) await handle(session().streams);
  });
  assert.is(used.size, 1);
});

test("a message is kept with the scopes of the caller of its own session", async () => {
  const [one, other] = [session(), session()];
  const message = { jsonrpc: "2.0", method: "notifications/message" } as const;
  await handle(one.streams, async () => {
    await one.streams.storeEvent("stream", message);
    await other.streams.storeEvent("stream", message);
  });
  assert.equal([one.kept, other.kept], [[["read"]], [undefined]]);
});

test.run();
