/** The idleness of a place that was taken and never used. */
const neverUsed = 2;

/** A place, and its holder. */
interface Place {
  readonly holder: string;
  /** Gives the place up. */
  readonly end: () => void;
  /** How idle it is: 0 while it is in use, 2 where it was never used; absent where it is always in use. */
  readonly idleness?: (() => number) | undefined;
}

/** A place that was taken. */
export interface TakenPlace {
  /** Notes a use. Of equally idle places, the one whose last use is longest ago is given up first. */
  use(): void;
  /** Gives it back. */
  release(): void;
}

/**
 * Places that several holders share (addresses or principals). When all are taken, the holder with most of
 * them loses one, so that nobody keeps all others out.
 */
export class Places {
  readonly #most: number;
  /** The places of each holder; the one whose last use is longest ago is first. */
  readonly #byHolder = new Map<string, Set<Place>>();
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a place; undefined where this holder gets none. */
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

  /** Ends a place of the biggest holder: an idle one, or any where the asking holder still has fewer afterwards. */
  #makeRoom(holder: string): boolean {
    const own = this.#byHolder.get(holder)?.size ?? 0;
    let biggest = holder;
    for (const [other, { size }] of this.#byHolder) {
      if (size > (this.#byHolder.get(biggest)?.size ?? 0)) biggest = other;
    }
    const places = [...(this.#byHolder.get(biggest) ?? [])];
    // A holder who would have as many as the biggest one loses a place of its own instead.
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

/** Returns the idlest place; of equally idle ones the first. */
function mostIdle(places: readonly Place[]): Place | undefined {
  let found: Place | undefined;
  for (const place of places) {
    const isMore = (place.idleness?.() ?? 0) > (found?.idleness?.() ?? 0);
    if (found === undefined || isMore) found = place;
  }
  return found;
}
