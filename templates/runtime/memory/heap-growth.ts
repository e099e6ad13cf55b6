import { setFlagsFromString } from "node:v8";

/**
 * By how many percent the heap may grow until garbage is collected, while there are long answers; 0 lets V8 choose. V8
 * would let the heap grow to a multiple first: several hundred megabytes of answers that nobody needs any more.
 */
const percent = { usual: 0, longAnswers: 10 };

/** Lets the heap grow less between two collections of garbage, or as usual again. */
export function limitHeapGrowth(hasLongAnswers: boolean): void {
  setFlagsFromString(
    `--heap-growing-percent=${hasLongAnswers ? percent.longAnswers : percent.usual}`,
  );
}
