import { setFlagsFromString } from "node:v8";

/**
 * By how many percent the heap may grow until garbage is collected, while there are long answers; 0 lets V8 choose. It
 * would let the heap grow to a multiple first, which is several hundred megabytes of texts of answers that are gone.
 */
const percent = { usual: 0, longAnswers: 10 };

/** Lets the heap grow less between two collections of garbage, or as usual again. */
export function limitHeapGrowth(hasLongAnswers: boolean): void {
  setFlagsFromString(
    `--heap-growing-percent=${hasLongAnswers ? percent.longAnswers : percent.usual}`,
  );
}
