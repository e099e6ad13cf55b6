import { test } from "uvu";
import * as assert from "uvu/assert";
import { reserve } from "../samples/answer-memory.js";
import type { AnswerConnection } from "./accounts.js";
import { MemoryBudget, someTurns } from "./budget.js";
import type { Reservation } from "./reservation.js";

const megabyte = 1024 * 1024;

/** A client's connection with this number of unread bytes. */
class Client implements AnswerConnection {
  destroyed = false;
  #taken = 0;

  constructor(
    readonly holder: string,
    public buffered: number,
  ) {}

  get isClosed(): boolean {
    return this.destroyed;
  }

  unread(): number {
    return this.destroyed ? 0 : this.buffered;
  }

  taken(): number {
    return this.#taken;
  }

  end(): void {
    this.destroyed = true;
  }

  /** Adds unread bytes. */
  add(bytes: number): void {
    this.buffered += bytes;
  }

  /** The number of answers that got no memory. */
  refusals = 0;

  refused(): void {
    this.refusals += 1;
  }

  /** Reads some bytes. Node.js reports that only when all are read. */
  read(bytes: number): void {
    this.#taken += bytes;
  }
}

function write(answers: MemoryBudget, client: Client): void {
  answers.written(client);
}

const ended = (clients: readonly Client[]): boolean[] => clients.map(({ destroyed }) => destroyed);

test("if an address has more than its share, its answer that has stalled longest is dropped", () => {
  const answers = new MemoryBudget();
  const other = new Client("other", 20 * megabyte);
  write(answers, other);
  const clients = [1, 2, 3, 4, 5].map(() => new Client("greedy", 15 * megabyte));
  for (const client of clients) write(answers, client);
  assert.equal(ended(clients), [true, false, false, false, false]);
  assert.not(other.destroyed, "it stalled longer, but is another's");
});

test("a client that reads slowly does not count as stalled", () => {
  const answers = new MemoryBudget();
  const clients = [1, 2, 3, 4].map(() => new Client("one", 15 * megabyte));
  for (const client of clients) write(answers, client);
  clients[0]?.read(megabyte);
  const latest = new Client("one", 15 * megabyte);
  write(answers, latest);
  assert.equal(ended([...clients, latest]), [false, true, false, false, false]);
});

test("a client that reads is not disconnected because of one that does not", () => {
  const answers = new MemoryBudget();
  const [deaf, hearing] = [new Client("one", megabyte), new Client("one", megabyte)];
  for (const client of [deaf, hearing]) write(answers, client);
  for (let count = 0; count < 70 && !deaf.destroyed; count++) {
    hearing.add(megabyte);
    hearing.read(megabyte);
    hearing.buffered -= megabyte;
    deaf.add(megabyte);
    for (const client of [hearing, deaf]) write(answers, client);
  }
  assert.equal(ended([deaf, hearing]), [true, false]);
});

test("what the operating system takes for a client that does not read does not keep it, while another one reads", () => {
  let time = 0;
  const answers = new MemoryBudget(() => time);
  const [deaf, hearing] = [new Client("one", 0), new Client("one", 0)];
  for (let count = 0; count < 70 && !deaf.destroyed; count++) {
    for (const client of [hearing, deaf]) {
      time++;
      client.add(megabyte);
      if (client === deaf && count < 4) client.read(megabyte);
      write(answers, client);
    }
    hearing.read(megabyte);
    hearing.buffered = 0;
    answers.drained(hearing);
  }
  assert.equal(ended([deaf, hearing]), [true, false]);
});

test("all addresses together have a limit, and a single answer may be longer than a share", () => {
  const answers = new MemoryBudget();
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
  const answers = new MemoryBudget();
  const clients = Array.from({ length: 10_000 }, () => new Client("one", 60 * 1024));
  for (const client of clients) write(answers, client);
  assert.ok(clients.every(({ destroyed }) => !destroyed));
});

/** The clock of a test, in milliseconds. */
let now = 0;
const turns = (): Promise<void> => someTurns().then(someTurns).then(someTurns);

const ignore = (): void => undefined;

/** Lets time pass in which the budget makes its checks. */
function pass(budget: MemoryBudget, milliseconds: number): void {
  for (const end = now + milliseconds; now < end;) {
    now = Math.min(end, now + 50);
    budget.check();
  }
}

/** Asks for an answer of this length: it is written as soon as its memory is granted. */
function ask(budget: MemoryBudget, client: Client, length: number, made: Client[]): Promise<void> {
  const write = (reservation: Reservation): void => {
    made.push(client);
    client.add(length);
    budget.written(client, () => reservation.release());
  };
  return Promise.resolve(reserve(budget, length, client)).then(write);
}

test("only as many unread answers are made as fit, and further ones replace those that have stalled", async () => {
  const budget = new MemoryBudget(() => now);
  const made: Client[] = [];
  const clients = Array.from({ length: 100 }, () => new Client("one", 0));
  for (const client of clients) void ask(budget, client, 15 * megabyte, made).catch(ignore);
  for (let turn = 0; turn < 20; turn++) await turns();
  assert.is(made.length, 4);
  assert.is(budget.held, 60 * megabyte);
  pass(budget, 1_001);
  for (let turn = 0; turn < 20; turn++) await turns();
  // The clients that were given the places of the first four have not stalled yet.
  assert.is(made.length, 8);
  assert.equal(ended(made), [true, true, true, true, false, false, false, false]);
  assert.is(budget.held, 60 * megabyte);
  for (const client of clients) budget.closed(client);
  assert.is(budget.held, 0);
});

test("the client that has read most comes first, then the latest and the earliest in turn", async () => {
  const budget = new MemoryBudget(() => now);
  const made: Client[] = [];
  const deaf = Array.from({ length: 20 }, () => new Client("one", 0));
  for (const client of deaf) void ask(budget, client, 30 * megabyte, made).catch(ignore);
  const [latest, reader] = [new Client("one", 0), new Client("one", 0)];
  reader.read(megabyte);
  // Heads of answers are no sign that a client reads.
  deaf[5]?.read(1_000);
  for (const client of [reader, latest])
    void ask(budget, client, 30 * megabyte, made).catch(ignore);
  for (let turn = 0; turn < 8; turn++) {
    pass(budget, 1_001);
    await turns();
  }
  assert.equal(made.slice(0, 3), [deaf[0], deaf[1], reader]);
  assert.ok(made.indexOf(latest) < 5, "the latest does not wait for all that came before");
  assert.ok(made.includes(deaf[2] as Client), "nor does the earliest wait for all that came later");
  for (const client of [...deaf, latest, reader]) budget.closed(client);
});

/** Three clients of one address, of whose answers two fit. */
async function threeAsking(budget: MemoryBudget): Promise<Record<"clients" | "made", Client[]>> {
  const made: Client[] = [];
  const clients = [1, 2, 3].map(() => new Client("one", 0));
  for (const client of clients) void ask(budget, client, 30 * megabyte, made).catch(ignore);
  await turns();
  await turns();
  return { clients, made };
}

test("the time for which the process was busy is no time for which a client did not read", async () => {
  const budget = new MemoryBudget(() => now);
  const { clients, made } = await threeAsking(budget);
  pass(budget, 100);
  now += 5_000;
  budget.check();
  await turns();
  assert.equal(ended(clients), [false, false, false]);
  assert.is(made.length, 2);
  pass(budget, 1_001);
  await turns();
  assert.is(made.length, 3);
  for (const client of clients) budget.closed(client);
});

test("a process whose checks all come late gives clients as many of them to read as any other", async () => {
  const budget = new MemoryBudget(() => now);
  const { clients, made } = await threeAsking(budget);
  pass(budget, 50);
  const checksLate = (count: number): void => {
    for (let check = 0; check < count; check++) {
      now += 150;
      budget.check();
    }
  };
  checksLate(10);
  await turns();
  assert.equal(ended(clients), [false, false, false], "half of the time that a client may pause");
  checksLate(10);
  await turns();
  assert.is(made.length, 3, "then one has made room");
  for (const client of clients) budget.closed(client);
});

test("at an address with clients that do not read, a client that has read and pauses keeps its connection", async () => {
  const budget = new MemoryBudget(() => now);
  const made: Client[] = [];
  const deaf = [1, 2, 3, 4].map(() => new Client("one", 0));
  const reader = new Client("one", 0);
  const [first, second, third, fourth] = deaf as [Client, Client, Client, Client];
  const asked = async (client: Client): Promise<void> => {
    void ask(budget, client, 30 * megabyte, made).catch(ignore);
    await turns();
  };
  for (const client of [first, reader, second]) await asked(client);
  for (let time = 0; time < 1_050; time += 50) {
    reader.read(1_000_000);
    pass(budget, 50);
  }
  await turns();
  assert.equal(ended([first, reader]), [true, false]);
  for (const [held, waiting] of [
    [second, third],
    [third, fourth],
  ] as const) {
    await asked(waiting);
    // The operating system takes some bytes once, whether the client reads or not.
    held.read(4_000_000);
    pass(budget, 400);
    await turns();
    assert.equal(ended([held, reader]), [true, false]);
  }
  pass(budget, 1_001);
  await asked(new Client("one", 0));
  pass(budget, 50);
  assert.ok(reader.destroyed, "after a second, it makes room like any other");
  for (const client of deaf) budget.closed(client);
});

test("an address that holds less comes first", async () => {
  const budget = new MemoryBudget(() => now);
  const made: Client[] = [];
  const clients = [1, 2, 3, 4, 5].map(() => new Client("greedy", 0));
  const other = new Client("other", 0);
  for (const client of [...clients, other]) {
    void ask(budget, client, 30 * megabyte, made).catch(ignore);
  }
  await turns();
  await turns();
  assert.ok(made.includes(other));
  assert.is(made.length, 3);
});

test("an answer that waits too long is refused in words, and one whose connection closes ends", async () => {
  const budget = new MemoryBudget(() => now);
  const reading = new Client("one", 0);
  const held = await reserve(budget, 60 * megabyte, reading);
  const [patient, gone] = [new Client("one", 0), new Client("one", 0)];
  const refused = (client: Client): Promise<unknown> =>
    Promise.resolve(reserve(budget, 15 * megabyte, client)).then(
      () => "granted",
      (error: Error) => error.message,
    );
  const answers = [refused(patient), refused(gone)];
  budget.closed(gone);
  assert.match(String(await answers[1]), "is over");
  pass(budget, 40_001);
  assert.match(
    String(await answers[0]),
    /^The server has no memory for a long answer now.* \(memory for answers: 64 MiB for an address, 96 MiB for all\)$/,
  );
  assert.is(patient.refusals, 1);
  held.release();
  assert.is(budget.held, 0);
  assert.throws(() => {
    gone.end();
    return reserve(budget, 1, gone);
  }, "closed");
});

test("where more answers wait than may, the address with most of them loses its earliest", async () => {
  const budget = new MemoryBudget(() => now);
  const held = await reserve(budget, 90 * megabyte, new Client("holder", 0));
  const refused: number[] = [];
  for (let count = 0; count < 520; count++) {
    const waits = Promise.resolve(reserve(budget, 30 * megabyte, new Client("greedy", 0)));
    void waits.catch(() => refused.push(count));
  }
  const other = Promise.resolve(reserve(budget, 3 * megabyte, new Client("other", 0)));
  await turns();
  assert.equal(refused.slice(0, 9), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.is((await other).bytes, 3 * megabyte);
  held.release();
});

test("a client that reads much does not change whose turn it is among those that have read nothing", async () => {
  const budget = new MemoryBudget(() => now);
  const made: Client[] = [];
  const deaf = Array.from({ length: 20 }, () => new Client("one", 0));
  const [first, latest, reader] = [0, 0, 0].map(() => new Client("one", 0)) as [
    Client,
    Client,
    Client,
  ];
  reader.read(megabyte);
  void ask(budget, deaf[0]!, 60 * megabyte, made).catch(ignore);
  now += 1_001;
  for (const client of [first, ...deaf.slice(1), latest]) {
    void ask(budget, client, 30 * megabyte, made).catch(ignore);
  }
  for (let turn = 0; turn < 8; turn++) {
    void ask(budget, reader, 30 * megabyte, made).catch(ignore);
    pass(budget, 1_001);
    await turns();
    reader.buffered = 0;
    budget.drained(reader);
  }
  assert.ok(made.includes(reader) && made.includes(latest) && made.includes(first));
  for (const client of [...deaf, first, latest, reader]) budget.closed(client);
});

test("results that are in memory already wait up to a bound, and further ones are refused", async () => {
  const budget = new MemoryBudget(() => now);
  const held = await reserve(budget, 60 * megabyte, new Client("one", 0));
  const client = new Client("one", 0);
  const made = (): Promise<Reservation> =>
    Promise.resolve(reserve(budget, 20 * megabyte, client, true));
  const waiting = [made(), made(), made()];
  assert.throws(
    made,
    /^The call was carried out, but the server has no memory for its long answer now.*: do not try again unless it may be repeated \(memory/,
  );
  assert.is(client.refusals, 1);
  held.release();
  for (const reservation of waiting) (await reservation).release();
  assert.is(budget.held, 0);
});

test("the growth of the heap is limited while there are long answers", async () => {
  const limits: boolean[] = [];
  const budget = new MemoryBudget(
    () => now,
    (hasLongAnswers) => limits.push(hasLongAnswers),
  );
  const first = await reserve(budget, megabyte, new Client("one", 0));
  const second = await reserve(budget, megabyte, new Client("two", 0));
  assert.equal(limits, [true]);
  first.release();
  second.release();
  budget.check();
  assert.equal(limits, [true, false]);
});

test("answers that grow do not wait for each other, and leave the earliest what it may need", async () => {
  const budget = new MemoryBudget(() => now);
  const growing = [1, 2, 3].map(() => budget.reservation(new Client("one", 0)));
  const [first, second, third] = growing as [Reservation, Reservation, Reservation];
  const most = 45 * megabyte;
  await first.grow(megabyte, most);
  await turns();
  await second.grow(10 * megabyte, most);
  await turns();
  let isGranted = false;
  const waits = Promise.resolve(second.grow(20 * megabyte, most)).then(() => (isGranted = true));
  const behind = third.grow(megabyte, most);
  await turns();
  assert.not(isGranted, "the first may need 44 MiB more");
  assert.is(first.grow(40 * megabyte, most), undefined, "the first need not wait");
  await turns();
  assert.not(isGranted);
  first.resize(30 * megabyte);
  first.arrived();
  await waits;
  second.arrived();
  await behind;
  assert.is(budget.held, 51 * megabyte);
  for (const reservation of growing) reservation.release();
  assert.is(budget.held, 0);
});

test("an answer that grows comes before those that have nothing yet", async () => {
  const budget = new MemoryBudget(() => now);
  const held = await reserve(budget, 60 * megabyte, new Client("one", 0));
  const first = budget.reservation(new Client("one", 0));
  await first.grow(3 * megabyte, 40 * megabyte);
  const granted: string[] = [];
  const others = [1, 2].map(async () => {
    const reservation = await reserve(budget, 30 * megabyte, new Client("one", 0));
    granted.push("new");
    return reservation;
  });
  const grown = Promise.resolve(first.grow(40 * megabyte, 40 * megabyte)).then(() =>
    granted.push("grown"),
  );
  await turns();
  assert.equal(granted, []);
  held.release();
  await grown;
  assert.equal(granted, ["grown"]);
  first.release();
  for (const other of others) (await other).release();
  assert.is(budget.held, 0);
});

test("a wait for memory ends with its call", async () => {
  const budget = new MemoryBudget(() => now);
  const held = await reserve(budget, 60 * megabyte, new Client("one", 0));
  const client = new Client("one", 0);
  const [fresh, growing] = [budget.reservation(client), budget.reservation(client)];
  await growing.grow(megabyte, 20 * megabyte);
  await turns();
  const outcomes = [growing.grow(20 * megabyte, 20 * megabyte), fresh.hold(20 * megabyte)].map(
    (waiting) => Promise.resolve(waiting).catch((error: Error) => error.message),
  );
  growing.release();
  fresh.release();
  assert.equal(await Promise.all(outcomes), ["The call is over", "The call is over"]);
  assert.is(client.refusals, 0);
  held.release();
  assert.is(budget.held, 0);
});

test("of answers that grow to any length, all arrive", async () => {
  let seed = 7;
  /** A random number from 1 to `most`. */
  const random = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return 1 + Math.floor((seed / 2 ** 31) * most);
  };
  const budget = new MemoryBudget(() => now);
  let mostHeld = 0;
  let arrived = 0;
  const grow = async (name: string): Promise<void> => {
    const client = new Client(name, 0);
    const reservation = budget.reservation(client);
    const [length, mostBytes] = [random(45), random(45)].sort((one, other) => one - other);
    for (let bytes = 1; bytes <= length!; bytes++) {
      await reservation.grow(bytes * megabyte, mostBytes! * megabyte);
      if (random(3) === 1) await turns();
      mostHeld = Math.max(mostHeld, budget.held);
    }
    reservation.arrived();
    reservation.release();
    arrived++;
  };
  const growing = Array.from({ length: 150 }, (_none, index) => grow(`client ${index % 4}`));
  await Promise.all(growing);
  assert.is(arrived, 150);
  assert.is(budget.held, 0);
  assert.ok(mostHeld <= (96 + 45) * megabyte, `${mostHeld / megabyte} MiB`);
});

test.run();
