/** A value for placeholders in the texts of a question. */
export interface QuestionValue {
  readonly name: string;
  /** False if all its placeholders are in sections that depend on its presence. */
  readonly required: boolean;
}

/** Whether a placeholder of a question may have this name, which becomes a parameter of the handler's call. */
function isQuestionValueName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) && !(name in Object.prototype);
}

/** The values for the placeholders in the texts of a question, in order of first use. */
export function questionValues(texts: readonly string[]): QuestionValue[] {
  const required = new Map<string, boolean>();
  for (const text of texts) {
    for (const { name, isNeeded } of placeholdersIn(text)) {
      if (!isQuestionValueName(name)) continue;
      required.set(name, (required.get(name) ?? false) || isNeeded);
    }
  }
  return [...required].map(([name, isRequired]) => ({ name, required: isRequired }));
}

function* placeholdersIn(text: string): Generator<{ name: string; isNeeded: boolean }> {
  const openSections: string[] = [];
  // `{{{{` is text. Its alternative is the first, so that it does not match as part of a placeholder.
  for (const [, mark, name] of text.matchAll(/\{\{\{\{|\{\{([#^/]?)([^\s{}]{1,128})\}\}/g)) {
    if (name === undefined) continue;
    yield { name, isNeeded: mark === "" && !openSections.includes(name) };
    if (mark === "#") openSections.push(name);
    else if (mark === "^") openSections.push("");
    else if (mark === "/") openSections.pop();
  }
}
