/** How idle a place is that was taken and never used: it is nobody's loss. */
const neverUsed = 2;

/** Something that takes a place, and the one who holds it. */
interface Place {
  readonly holder: string;
  /** Gives the place up. */
  readonly end: () => void;
  /** How little it is used: 0 where it is in use, 2 where it never was; absent where it always is. */
  readonly idleness?: (() => number) | undefined;
}

/** A place that was taken. */
export interface TakenPlace {
  /** Says that it is used: of those that are used alike, the one goes whose last use is longest ago. */
  use(): void;
  /** Gives it back. */
  release(): void;
}

/**
 * Places that several holders share: addresses, or principals. When all are taken, the one who holds
 * most of them makes room for others, so that nobody keeps everybody else out.
 */
export class Places {
  readonly #most: number;
  /** Of each holder, the one whose last use is longest ago first. */
  readonly #byHolder = new Map<string, Set<Place>>();
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a place; undefined where there is none for this holder. */
  take(place: Place): TakenPlace | undefined {
    if (this.#taken >= this.#most && !this.#makeRoom(place.holder)) return undefined;
    const places = this.#byHolder.get(place.holder) ?? new Set();
    this.#byHolder.set(place.holder, places.add(place));
    this.#taken++;
    return {
      use: () => {
        if (places.delete(place)) places.add(place);
      },
      release: () => this.#release(place),
    };
  }

  #release(place: Place): void {
    const places = this.#byHolder.get(place.holder);
    if (places?.delete(place) !== true) return;
    this.#taken--;
    if (places.size === 0) this.#byHolder.delete(place.holder);
  }

  /** Ends a place of the biggest holder: one that is idle, or any where the holder asking has fewer even then. */
  #makeRoom(holder: string): boolean {
    const own = this.#byHolder.get(holder)?.size ?? 0;
    let biggest = holder;
    for (const [other, { size }] of this.#byHolder) {
      if (size > (this.#byHolder.get(biggest)?.size ?? 0)) biggest = other;
    }
    const places = [...(this.#byHolder.get(biggest) ?? [])];
    // Who would hold as many as the biggest holder makes room for itself.
    const isOthers = places.length > own + 1;
    const candidates = isOthers ? places : [...(this.#byHolder.get(holder) ?? [])];
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

/** Of those that are equally idle, the first. */
function mostIdle(places: readonly Place[]): Place | undefined {
  let found: Place | undefined;
  for (const place of places) {
    const isMore = (place.idleness?.() ?? 0) > (found?.idleness?.() ?? 0);
    if (found === undefined || isMore) found = place;
  }
  return found;
}
