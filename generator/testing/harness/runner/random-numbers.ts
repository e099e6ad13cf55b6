/** Makes whole numbers that are at least 0 and below its argument. */
export type RandomNumbers = (below: number) => number;

/** Numbers for property tests, the same for the same seed. */
export function randomNumbers(seed: number): RandomNumbers {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
