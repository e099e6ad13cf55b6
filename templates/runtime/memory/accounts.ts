import { answerMemoryBytes } from "../engine/limits.js";
import { Share, type Reserved } from "./share.js";

/** Fewer bytes are neither reserved nor counted: most answers are short and read soon. */
export const minCountedBytes = 64 * 1024;

/** A connection to a client, as far as the budget needs to know it. */
export interface AnswerConnection {
  /** Under which name its memory is counted: the client's address. */
  readonly holder: string;
  readonly isClosed: boolean;
  /** The number of written bytes that are still in this process's buffers; 0 once it is closed. */
  unread(): number;
  /** The number of written bytes that the operating system has taken. */
  taken(): number;
  /** Called when an answer to its client got no memory. */
  refused?(): void;
  /** Closes it, since its client does not read. */
  end(): void;
}

/** What the answers of a connection have of the memory. */
export interface Account {
  readonly connection: AnswerConnection;
  readonly holder: Holder;
  /** What is reserved for answers that are being made, or shall be. */
  readonly reservations: Set<Reserved>;
  /** The bytes that waited for the client at the last count. */
  unread: number;
  /** The bytes that the operating system had taken when the connection was last looked at. */
  taken: number;
  /** The bytes that it had taken at the last check. */
  takenAtCheck: number;
  /** The time when its client last read something, of a monotonic clock, in milliseconds. */
  readAt: number;
  /** The number of checks that have seen the operating system take something of what was unread at the check before. */
  readings: number;
}

/** The memory of the answers to all connections of one address. */
export class Holder extends Share {
  readonly name: string;
  /** The number of its connections. */
  connections = 0;
  /** The number of answers for which memory was granted on connections whose clients had read nothing before. */
  firstGrants = 0;
  /** Whether one of its connections was closed because its client did not read. */
  hasStalled = false;

  constructor(name: string) {
    super(answerMemoryBytes.ofAddress);
    this.name = name;
  }
}

/** Whether the client of a connection has read more than heads, notifications and short answers. */
export function hasRead({ taken }: Account): boolean {
  return taken >= minCountedBytes;
}

/**
 * Whether the client of a connection was seen to read its answer. One reading is no sign of it: the operating system
 * takes some megabytes for a client that does not read.
 */
export function wasSeenReading({ readings }: Account): boolean {
  return readings > 1;
}

/** The connections whose answers have some of the memory, and what their clients have read. */
export class Accounts {
  readonly #accounts = new Map<AnswerConnection, Account>();
  readonly #holders = new Map<string, Holder>();
  readonly #all: Share;
  /** The time of the latest update. */
  #updatedAt = 0;

  /** @param all The share of all addresses together. */
  constructor(all: Share) {
    this.#all = all;
  }

  /** The number of connections. */
  get size(): number {
    return this.#accounts.size;
  }

  /** All accounts. */
  values(): Iterable<Account> {
    return this.#accounts.values();
  }

  /** The account of a connection; undefined if its answers have nothing of the memory. */
  of(connection: AnswerConnection): Account | undefined {
    return this.#accounts.get(connection);
  }

  /** The account of a connection, which is opened if it has none. */
  open(connection: AnswerConnection, now: number): Account {
    const found = this.#accounts.get(connection);
    if (found !== undefined) return found;
    const holder = this.#holders.get(connection.holder) ?? new Holder(connection.holder);
    this.#holders.set(holder.name, holder);
    holder.connections++;
    const taken = connection.taken();
    const account = {
      connection,
      holder,
      reservations: new Set<Reserved>(),
      unread: 0,
      taken,
      takenAtCheck: taken,
      readAt: now,
      readings: 0,
    };
    this.#accounts.set(connection, account);
    return account;
  }

  /** Gives back what the answers of a connection have, and closes its account. */
  close(account: Account): void {
    for (const reservation of account.reservations) reservation.release();
    this.#setUnread(account, 0);
    this.closeIfUnused(account);
  }

  /** Closes an account whose answers have nothing of the memory. */
  closeIfUnused({ connection, holder, reservations, unread }: Account): void {
    if (reservations.size > 0 || unread > 0 || !this.#accounts.delete(connection)) return;
    holder.connections--;
    if (holder.connections === 0) this.#holders.delete(holder.name);
  }

  /** Counts anew what the client of a connection has not read. */
  count(account: Account): void {
    this.#setUnread(account, account.connection.unread());
    this.closeIfUnused(account);
  }

  /**
   * Counts what the client of a connection has not read after a write to it. What the operating system takes at first for a
   * client that does not read is noticed here, so that it does not look like reading at the next check.
   * @returns the number of bytes by which that has grown
   */
  countWritten(account: Account, now: number): number {
    const before = account.unread;
    this.#lookAt(account, now);
    if (before === 0) account.readAt = now;
    this.count(account);
    return account.unread - before;
  }

  /**
   * Finds out what clients have read since the last update.
   * @param intervalMs The time after which the update was due.
   */
  update(now: number, intervalMs: number): void {
    this.leaveOutBusyTime(now, intervalMs);
    this.look(now);
  }

  /** Finds out what clients have read. */
  look(now: number): void {
    for (const account of this.#accounts.values()) {
      this.#lookAt(account, now);
      if (account.taken > account.takenAtCheck && account.unread > 0) account.readings++;
      account.takenAtCheck = account.taken;
      this.count(account);
    }
  }

  /** Finds out whether the client of a connection has read something since this was last called. */
  #lookAt(account: Account, now: number): void {
    const taken = account.connection.taken();
    if (taken > account.taken) account.readAt = now;
    account.taken = taken;
  }

  /**
   * Moves the times when clients last read something by the time for which this process was busy since the last
   * update. While it was busy, it took nothing from its own buffers. So a client has as many checks to be seen reading
   * on a busy machine as on an idle one.
   */
  leaveOutBusyTime(now: number, intervalMs: number): void {
    const busyMs = now - this.#updatedAt - intervalMs;
    this.#updatedAt = now;
    if (busyMs <= 0) return;
    for (const account of this.#accounts.values()) {
      account.readAt = Math.min(now, account.readAt + busyMs);
    }
  }

  /** The connections whose clients have not read everything, of one holder or of all, the one that has stalled longest first. */
  unread(holder?: Holder): readonly Account[] {
    return [...this.#accounts.values()]
      .filter(
        (account) => account.unread > 0 && (holder === undefined || account.holder === holder),
      )
      .sort((one, other) => one.readAt - other.readAt);
  }

  /**
   * If an address or all of them have more than their share, ends connections that have stalled longest. The last one
   * stays, since a single answer may have any length.
   */
  makeRoom(holder: Holder, end: (connection: AnswerConnection) => void): void {
    for (const [share, unread] of [
      [holder, this.unread(holder)],
      [this.#all, this.unread()],
    ] as const) {
      for (const { connection } of unread.slice(0, -1))
        if (share.held > share.limit) end(connection);
    }
  }

  #setUnread(account: Account, unread: number): void {
    for (const share of [account.holder, this.#all]) share.held += unread - account.unread;
    account.unread = unread;
  }
}
