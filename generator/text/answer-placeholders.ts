const ANSWER_PLACEHOLDER = /\{\{[#^/]?(body:(?:(?:\/(?:[^~{}\s]|~[01])*)*))\}\}/g;

/**
 * The placeholders of a text that stand for parts of an answer: `body:/owner` for `{{body:/owner}}`, whose pointer is
 * `/owner`.
 */
export function answerPlaceholders(text: string): string[] {
  return [...new Set([...text.matchAll(ANSWER_PLACEHOLDER)].map(([, name = ""]) => name))];
}

/** The JSON Pointer of a placeholder for a part of an answer. */
export function answerPointer(placeholder: string): string {
  return placeholder.slice("body:".length);
}
