/** The longest string that an instance may hold, in characters. */
export const MAXIMUM_STRING = 2_000;

/** The most items that an array of an instance may hold, and properties an object. */
export const MAXIMUM_ITEMS = 200;
