/** The idleness of a slot that was taken and never used. */
const neverUsed = 2;

/** A slot, and its holder. */
interface Slot {
  readonly holder: string;
  /** Gives the slot up. */
  readonly end: () => void;
  /** How idle it is: 0 while it is in use, 2 where it was never used; absent where it is always in use. */
  readonly idleness?: (() => number) | undefined;
}

/** A slot that was taken. */
export interface TakenSlot {
  /** Notes a use. Of equally idle slots, the one whose last use is longest ago is given up first. */
  use(): void;
  /** Gives it back. */
  release(): void;
}

/**
 * Slots that several holders share (addresses or principals). When all are taken, the holder with most of
 * them loses one, so that nobody keeps all others out.
 */
export class Slots {
  readonly #most: number;
  /** The slots of each holder; the one whose last use is longest ago is first. */
  readonly #byHolder = new Map<string, Set<Slot>>();
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a slot; undefined where this holder gets none. */
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

  /** Ends a slot of the biggest holder: an idle one, or any where the asking holder still has fewer afterwards. */
  #makeRoom(holder: string): boolean {
    const own = this.#byHolder.get(holder)?.size ?? 0;
    let biggest = holder;
    for (const [other, { size }] of this.#byHolder) {
      if (size > (this.#byHolder.get(biggest)?.size ?? 0)) biggest = other;
    }
    const slots = [...(this.#byHolder.get(biggest) ?? [])];
    // A holder who would have as many as the biggest one loses a slot of its own instead.
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

/** Returns the idlest slot; of equally idle ones the first. */
function mostIdle(slots: readonly Slot[]): Slot | undefined {
  let found: Slot | undefined;
  for (const slot of slots) {
    const isMore = (slot.idleness?.() ?? 0) > (found?.idleness?.() ?? 0);
    if (found === undefined || isMore) found = slot;
  }
  return found;
}
