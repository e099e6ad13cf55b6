import { largestShare } from "../connections/fair-shares.js";

/** How idle a slot is. */
export type Idleness = "inUse" | "idle" | "neverUsed";

/** The use of a slot by a holder. */
interface Slot {
  readonly holder: string;
  /** Called when the holder loses the slot. */
  readonly end: () => void;
  /** Absent if it is always in use. */
  readonly idleness?: (() => Idleness) | undefined;
}

/** A slot that was taken. */
export interface TakenSlot {
  /** Records a use. Of equally idle slots, the least recently used one is lost first. */
  use(): void;
  /** Releases the slot. */
  release(): void;
}

/**
 * A limited number of slots, such as sessions, that holders (addresses or principals) share. When all are
 * taken, the holder with most of them loses one, so that no holder can block all others.
 */
export class Slots {
  readonly #most: number;
  /** The slots of each holder, the least recently used first. */
  readonly #byHolder = new Map<string, Set<Slot>>();
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a slot; undefined if this holder gets none. */
  take(slot: Slot): TakenSlot | undefined {
    if (this.#taken >= this.#most && !this.#makeRoom(slot.holder)) return undefined;
    const slots = this.#byHolder.get(slot.holder) ?? new Set();
    this.#byHolder.set(slot.holder, slots.add(slot));
    this.#taken++;
    return {
      use: () => {
        if (slots.delete(slot)) slots.add(slot);
      },
      release: () => this.#release(slot),
    };
  }

  #release(slot: Slot): void {
    const slots = this.#byHolder.get(slot.holder);
    if (slots?.delete(slot) !== true) return;
    this.#taken--;
    if (slots.size === 0) this.#byHolder.delete(slot.holder);
  }

  /** Ends a slot for a holder that wants one more. Returns false if no slot may end for it. */
  #makeRoom(holder: string): boolean {
    const { share, mustYield } = largestShare(this.#byHolder, holder, ({ size }) => size);
    const lost = mustYield ? mostIdle(share ?? []) : this.#replaceable(holder);
    if (lost === undefined) return false;
    this.#release(lost);
    lost.end();
    return true;
  }

  /** The slot that a holder may replace although nobody has too many: a slot that nobody used, or its own idle one. */
  #replaceable(holder: string): Slot | undefined {
    const own = this.#byHolder.get(holder) ?? [];
    const all = [...this.#byHolder.values()].flatMap((slots) => [...slots]);
    return firstOf(own, "neverUsed") ?? firstOf(all, "neverUsed") ?? firstOf(own, "idle");
  }
}

/** Returns the most idle slot; of equally idle ones the first. */
function mostIdle(slots: Iterable<Slot>): Slot | undefined {
  return firstOf(slots, "neverUsed") ?? firstOf(slots, "idle") ?? firstOf(slots, "inUse");
}

function firstOf(slots: Iterable<Slot>, idleness: Idleness): Slot | undefined {
  for (const slot of slots) {
    if ((slot.idleness?.() ?? "inUse") === idleness) return slot;
  }
  return undefined;
}
