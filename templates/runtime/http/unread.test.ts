import type { Socket } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { UnreadAnswers } from "./unread.js";

const megabyte = 1024 * 1024;

/** A client's connection with this number of unread bytes. */
class Client {
  destroyed = false;
  readonly socket = this as unknown as Socket;
  /** The number of bytes that the operating system has not taken. */
  readonly _handle = { bytesWritten: 0, writeQueueSize: 0 };

  constructor(
    readonly address: string,
    public unread: number,
  ) {
    this._handle.bytesWritten = unread;
    this._handle.writeQueueSize = unread;
  }

  get writableLength(): number {
    return this.unread;
  }

  destroy(): void {
    this.destroyed = true;
  }

  /** Adds unread bytes. */
  add(bytes: number): void {
    this.unread += bytes;
    this._handle.bytesWritten += bytes;
    this._handle.writeQueueSize += bytes;
  }

  /** Reads some bytes. Node.js reports that only when all are read. */
  read(bytes: number): void {
    this._handle.writeQueueSize -= bytes;
  }
}

function write(answers: UnreadAnswers, client: Client): void {
  answers.written(client.socket, () => client.address);
}

const ended = (clients: readonly Client[]): boolean[] => clients.map(({ destroyed }) => destroyed);

test("if an address has more than its share, its answer that has stalled longest is dropped", () => {
  const answers = new UnreadAnswers();
  const other = new Client("other", 20 * megabyte);
  write(answers, other);
  const clients = [1, 2, 3, 4, 5].map(() => new Client("greedy", 15 * megabyte));
  for (const client of clients) write(answers, client);
  assert.equal(ended(clients), [true, false, false, false, false]);
  assert.not(other.destroyed, "it stalled longer, but is another's");
});

test("a client that reads has not stalled", () => {
  const answers = new UnreadAnswers();
  const clients = [1, 2, 3, 4].map(() => new Client("one", 15 * megabyte));
  for (const client of clients) write(answers, client);
  clients[0]?.read(megabyte);
  const latest = new Client("one", 15 * megabyte);
  write(answers, latest);
  assert.equal(ended([...clients, latest]), [false, true, false, false, false]);
});

test("a client that reads is not disconnected for one that does not, whichever is written to", () => {
  const answers = new UnreadAnswers();
  const [deaf, hearing] = [new Client("one", megabyte), new Client("one", megabyte)];
  for (const client of [deaf, hearing]) write(answers, client);
  for (let count = 0; count < 70 && !deaf.destroyed; count++) {
    hearing.add(megabyte);
    hearing.read(megabyte);
    hearing.unread -= megabyte;
    deaf.add(megabyte);
    for (const client of [hearing, deaf]) write(answers, client);
  }
  assert.equal(ended([deaf, hearing]), [true, false]);
});

test("all addresses together have a limit, and a single answer may be longer than a share", () => {
  const answers = new UnreadAnswers();
  const clients = Array.from({ length: 12 }, (_none, index) => {
    const client = new Client(`client ${index}`, 15 * megabyte);
    write(answers, client);
    return client;
  });
  assert.is(clients.filter(({ destroyed }) => !destroyed).length, 6);
  assert.ok(
    clients.slice(-6).every(({ destroyed }) => !destroyed),
    "the latest stay",
  );
  const whole = new Client("whole", 90 * megabyte);
  write(answers, whole);
  assert.not(whole.destroyed);
  assert.is(clients.filter(({ destroyed }) => !destroyed).length, 0);
});

test("short answers are not counted", () => {
  const answers = new UnreadAnswers();
  const clients = Array.from({ length: 10_000 }, () => new Client("one", 60 * 1024));
  for (const client of clients) write(answers, client);
  assert.ok(clients.every(({ destroyed }) => !destroyed));
});

test.run();
