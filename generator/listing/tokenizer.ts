import { countTokens as count } from "gpt-tokenizer/encoding/cl100k_base";

/**
 * How many tokens a model reads for a text, by OpenAI's encoding `cl100k_base`. What looks like a special token of the
 * encoding is plain text here.
 */
export const countTokens = (text: string): number => count(text, { disallowedSpecial: new Set() });
