declare module "./definition.js" {
  interface RuntimeParts {
    /** Refuses numbers in answers of users that would reach a handler as other numbers. */
    readonly exactNumbers?: ExactNumbers;
  }
}

/** A number that JavaScript cannot represent exactly. */
export interface RoundedNumber {
  /** The names and indexes that lead to it. */
  readonly path: readonly string[];
  /** As the client wrote it. */
  readonly literal: string;
}

/** Finds the numbers that `convertMessage` has marked. */
export interface ExactNumbers {
  /** Replaces marked numbers by rounded ones. @returns the numbers that it replaced */
  restore(input: object): readonly RoundedNumber[];
  /** Why a value with these rounded numbers is refused; undefined where its schema accepts each as a `number`. */
  problemOf(rounded: readonly RoundedNumber[], schema: object): string | undefined;
}
