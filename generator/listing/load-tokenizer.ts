/**
 * Loads the tokenizer, which has a megabyte of words. Beside the published command it is a separate file of this name,
 * which only commands read that count tokens.
 */
export const loadTokenizer = (): Promise<typeof import("./tokenizer.js")> =>
  import("./tokenizer.js");
