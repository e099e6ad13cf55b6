/** Memory that is reserved for an answer. */
export interface Reserved {
  /** The number of bytes. */
  readonly bytes: number;
  /** The number of bytes up to which it may grow while a text arrives; undefined if it does not grow. */
  readonly mostBytes: number | undefined;
  /** Whether it was granted memory before. */
  readonly isAdmitted: boolean;
  release(): void;
}

/** The memory for answers that the clients of one address may have, or the clients of all addresses together. */
export class Share {
  /** The most bytes that may be held. A single answer may have any length. */
  readonly limit: number;
  /** The number of bytes that are reserved or unread. */
  held = 0;
  /** The reservations that grow while texts arrive, in the order in which they began to. */
  readonly growing = new Set<Reserved>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * Whether a reservation can have more bytes.
   *
   * One that grows keeps what it has while it waits for more, so two of them could wait for each other. Therefore the
   * earliest never waits for the others: they leave it what it may still need, as far as the share has that much. If
   * they hold everything nevertheless, it may exceed the limit.
   */
  hasRoom(reservation: Reserved, bytes: number): boolean {
    const [earliest] = this.growing;
    if (reservation.mostBytes === undefined || earliest === undefined) {
      return this.held === 0 || this.held + bytes <= this.limit;
    }
    if (reservation === earliest) {
      return this.held === this.#heldByGrowing() || this.held + bytes <= this.limit;
    }
    const leftToEarliest = (earliest.mostBytes ?? 0) - earliest.bytes;
    return this.held + bytes + leftToEarliest <= this.limit;
  }

  #heldByGrowing(): number {
    let sum = 0;
    for (const { bytes } of this.growing) sum += bytes;
    return sum;
  }
}
