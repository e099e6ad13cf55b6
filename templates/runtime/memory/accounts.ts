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

/** What the answers of a connection need. */
export interface Account {
  readonly connection: AnswerConnection;
  readonly holder: Holder;
  /** The bytes of answers that are being made. */
  reserved: number;
  /** The number of reservations, and of answers that wait for one. */
  uses: number;
  isClosed: boolean;
  /** The bytes that waited for the client at the last count. */
  unread: number;
  /** The bytes that the operating system had taken at the last check. */
  taken: number;
  /** The time when its client last read something, of a monotonic clock, in milliseconds. */
  readAt: number;
}

/** What the answers to all connections of one address need. */
export interface Holder {
  readonly name: string;
  /** The number of its connections. */
  accounts: number;
  held: number;
  /** The number of answers for which memory was granted on connections whose clients had read nothing before. */
  firstGrants: number;
  /** In the order in which they began to wait. */
  readonly waiting: Set<Waiter>;
  /** Whether one of its connections was closed because its client did not read. */
  hasStalled: boolean;
}

/** Memory that is reserved for an answer. */
export interface Reservation {
  /** The number of bytes. */
  readonly bytes: number;
  /** Changes the number of bytes; more of them are granted without waiting. */
  resize(bytes: number): void;
  release(): void;
}

/** An answer that waits for memory. */
export interface Waiter {
  readonly account: Account;
  readonly bytes: number;
  readonly since: number;
  grant(): void;
  refuse(): void;
}

/** Whether the client of a connection has read more than heads, notifications and short answers. */
export function hasRead({ taken }: Account): boolean {
  return taken >= minCountedBytes;
}
