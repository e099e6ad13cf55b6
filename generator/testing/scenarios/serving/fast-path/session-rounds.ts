import { PassThrough } from "node:stream";
import { ConnectionFastPath } from "../../../../../templates/runtime/fast-path/connection.js";
import { createServer } from "../../../../../templates/runtime/server/create-server.js";
import type { ServerDefinition } from "../../../../../templates/runtime/engine/definition.js";
import { createLog } from "../../../../../templates/runtime/observe/log.js";
// Loaded before the first session, whose turns would be over before it is.
import "../../../../../templates/runtime/server/sdk-server.js";
import "../../../../../templates/runtime/stdio/connection.js";
import { serveStdioClient } from "../../../../../templates/runtime/stdio/stdio.js";
import { randomNumbers } from "../../../harness/runner/random-numbers.js";
import { listingServer, oddServer, quietServer } from "./odd-server.js";
import { RandomSessions } from "./random-sessions.js";

/** What was tried, and how much of it without the SDK. */
export interface SessionCounts {
  lines: number;
  /** Messages that the server has sent. */
  sent: number;
  sessions: number;
  /** Sessions that were served to their end without the SDK. */
  withoutSdk: number;
  /** Lines whose answer came, or whose handler ran, without the SDK. */
  taken: number;
}

const mostGroups = 12;

/**
 * Rounds of the property "a lasting connection is served without the SDK as it is with it": two
 * servers that differ in nothing but their fast path get the same lines.
 */
export class SessionRounds {
  readonly counts: SessionCounts = { lines: 0, sent: 0, sessions: 0, withoutSdk: 0, taken: 0 };

  /**
   * Tries sessions until a number of lines were sent, which are the same for the same seed.
   * @throws Error at the first difference, with the session and both sides
   */
  async run(seed: number, lines: number): Promise<void> {
    const random = randomNumbers(seed);
    const { take } = ConnectionFastPath.prototype;
    ConnectionFastPath.prototype.take = function (message, pass) {
      let isTaken = true;
      take.call(this, message, () => {
        isTaken = false;
        pass();
      });
      if (isTaken) counts.taken += 1;
    };
    const { counts } = this;
    const servers = [oddServer, quietServer, quietServer, listingServer].map(withoutWaits);
    const end = this.counts.lines + lines;
    while (this.counts.lines < end) {
      const definition = servers[random(servers.length)]!;
      await this.#session(definition, random, seed);
    }
    ConnectionFastPath.prototype.take = take;
  }

  async #session(
    definition: ServerDefinition,
    random: (below: number) => number,
    seed: number,
  ): Promise<void> {
    const sessions = new RandomSessions(definition, random);
    const [fast, slow] = [new Side(definition, true), new Side(definition, false)];
    const sent: string[] = [];
    for (const lines of sessions.next(random(mostGroups))) {
      sent.push(...lines.map((line) => line.toString()));
      for (const side of [fast, slow]) side.send(Buffer.concat(lines));
      await Promise.all([fast.quiet(), slow.quiet()]);
      const [left, right] = [fast.take(), slow.take()];
      if (left.join("\n") !== right.join("\n")) {
        const both = `fast:\n${left.join("\n")}\n\nSDK:\n${right.join("\n")}`;
        throw new Error(`seed ${seed}:\n${sent.join("")}\n${both}`);
      }
      this.counts.lines += lines.length;
      this.counts.sent += right.length;
    }
    await Promise.all([fast.close(), slow.close()]);
    this.counts.sessions += 1;
    if (!fast.usesSdk) this.counts.withoutSdk += 1;
  }
}

/**
 * Here, what has not come after a few turns does not come: so no file is read, and no client is asked
 * that does not answer.
 */
function withoutWaits(definition: ServerDefinition): ServerDefinition {
  return {
    ...definition,
    tools: definition.tools.filter((entry) => entry.definition.name !== "asking"),
    resources: definition.resources.filter(({ file }) => file === undefined),
  };
}

/** One of two servers, and its client. */
class Side {
  usesSdk = false;
  readonly #input = new PassThrough();
  readonly #output = new PassThrough();
  readonly #served: { close(): Promise<void> };
  readonly #ended: Promise<void>;
  #lines: string[] = [];
  #turnsWithout = 0;

  constructor(definition: ServerDefinition, fastPath: boolean) {
    const log = createLog({ write: () => undefined });
    const server = createServer(definition, { root: process.cwd(), log, fastPath });
    const observed = {
      ...server,
      factory: (...[request]: Parameters<typeof server.factory>) => {
        this.usesSdk = true;
        return server.factory(request);
      },
    };
    let begun = "";
    this.#output.on("data", (chunk: Buffer) => {
      this.#turnsWithout = 0;
      const lines = (begun + chunk.toString()).split("\n");
      begun = lines.pop() ?? "";
      this.#lines.push(...lines);
    });
    let end: () => void;
    this.#ended = new Promise((resolve) => (end = resolve));
    this.#served = serveStdioClient(observed, this.#output, () => end(), this.#input);
  }

  send(bytes: Buffer): void {
    this.#turnsWithout = 0;
    this.#input.write(bytes);
  }

  /** Resolves when the server has had nothing to say for a while. */
  async quiet(): Promise<void> {
    while (this.#turnsWithout < 40) {
      this.#turnsWithout += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Returns the messages of the server since the last call, sorted, without the parts that may differ. */
  take(): string[] {
    const lines = this.#lines.map((line) =>
      line
        .replaceAll(/\(reference [0-9a-f]{8}\)/g, "(reference)")
        .replaceAll(/"requestState":"[^"]*"/g, '"requestState":""'),
    );
    this.#lines = [];
    return lines.sort();
  }

  async close(): Promise<void> {
    this.#input.end();
    await this.#ended;
    await this.#served.close();
  }
}
