/** The idleness of a slot that was taken and never used. */
const neverUsed = 2;

/** The use of a slot by a holder. */
interface Slot {
  readonly holder: string;
  /** Called when the holder loses the slot. */
  readonly end: () => void;
  /** How idle it is: 0 while it is in use, 2 if it was never used; absent if it is always in use. */
  readonly idleness?: (() => number) | undefined;
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

  /**
   * Ends the most idle slot of the biggest holder. A slot in use ends only if the new holder still has fewer
   * slots afterwards.
   */
  #makeRoom(holder: string): boolean {
    const own = this.#byHolder.get(holder)?.size ?? 0;
    let biggest = holder;
    for (const [other, { size }] of this.#byHolder) {
      if (size > (this.#byHolder.get(biggest)?.size ?? 0)) biggest = other;
    }
    const slots = [...(this.#byHolder.get(biggest) ?? [])];
    // A holder that would have as many as the biggest one loses its own slot instead.
    const isOthers = slots.length > own + 1;
    const candidates = isOthers ? slots : [...(this.#byHolder.get(holder) ?? [])];
    let victim = mostIdle(candidates);
    if (!isOthers && (victim?.idleness?.() ?? 0) < neverUsed) {
      const most = mostIdle([...this.#byHolder.values()].flatMap((all) => [...all]));
      if (most?.idleness?.() === neverUsed) victim = most;
      else if (!victim?.idleness?.()) return false;
    }
    if (victim === undefined) return false;
    this.#release(victim);
    victim.end();
    return true;
  }
}

/** Returns the most idle slot; of equally idle ones the first. */
function mostIdle(slots: readonly Slot[]): Slot | undefined {
  let found: Slot | undefined;
  for (const slot of slots) {
    const isMore = (slot.idleness?.() ?? 0) > (found?.idleness?.() ?? 0);
    if (found === undefined || isMore) found = slot;
  }
  return found;
}
