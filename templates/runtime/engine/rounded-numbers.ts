/** A number that JavaScript cannot represent exactly. */
export interface RoundedNumber {
  /** The names and indexes of its path in the input. */
  readonly path: readonly string[];
  /** The number as the client wrote it. */
  readonly literal: string;
}

/** Finds the numbers that `convertMessage` has marked. */
export interface ExactNumbers {
  /** Replaces marked numbers by rounded ones. @returns the replaced numbers */
  restore(input: object): readonly RoundedNumber[];
  /** A JSON text with the digits of its marked numbers, as the client wrote them. */
  withDigits(json: string): string;
  /** Why a value with these rounded numbers is refused; undefined if its schema accepts each as a `number`. */
  problemOf(rounded: readonly RoundedNumber[], schema: object): string | undefined;
}
