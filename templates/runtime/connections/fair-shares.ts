/** Groups connections, sessions or other limited resources by their holders (addresses or principals). */
export function sharesOf<Held extends { readonly holder: string }>(
  resources: Iterable<Held>,
): Map<string, Held[]> {
  const shares = new Map<string, Held[]>();
  for (const resource of resources) {
    const share = shares.get(resource.holder);
    if (share === undefined) shares.set(resource.holder, [resource]);
    else share.push(resource);
  }
  return shares;
}

/** The largest share of something limited, when a holder asks for one more. */
export interface LargestShare<Share> {
  /** The asking holder's own share if no other is larger; undefined if nobody has any. */
  readonly share: Share | undefined;
  /** Whether it is another holder's, and exceeds the asking holder's own share by more than one. */
  readonly mustYield: boolean;
}

/**
 * Finds the largest share when all are taken and a holder wants one more. If the largest share must yield, its
 * holder loses something, even if that is in use. So no holder can block all others, and equal holders take
 * nothing from each other.
 */
export function largestShare<Share>(
  shares: ReadonlyMap<string, Share>,
  holder: string,
  sizeOf: (share: Share) => number,
): LargestShare<Share> {
  let share = shares.get(holder);
  const ownSize = share === undefined ? 0 : sizeOf(share);
  let size = ownSize;
  for (const other of shares.values()) {
    if (sizeOf(other) <= size) continue;
    share = other;
    size = sizeOf(other);
  }
  return { share, mustYield: size > ownSize + 1 };
}
