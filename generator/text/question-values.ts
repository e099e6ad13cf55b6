/** A value that the texts of a question ask for. */
export interface QuestionValue {
  readonly name: string;
  /** False where each place that it would stand in is a section for its presence. */
  readonly required: boolean;
}

/** Whether a placeholder of a question may have this name: it becomes a parameter of the handler's call. */
function isQuestionValueName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) && !(name in Object.prototype);
}

/** The values that the placeholders in the texts of a question name, in order of first use. */
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
  const open: string[] = [];
  // `{{{{` is text; it goes first, so that it is no part of a placeholder.
  for (const [, mark, name] of text.matchAll(/\{\{\{\{|\{\{([#^/]?)([^\s{}]{1,128})\}\}/g)) {
    if (name === undefined) continue;
    yield { name, isNeeded: mark === "" && !open.includes(name) };
    if (mark === "#") open.push(name);
    else if (mark === "^") open.push("");
    else if (mark === "/") open.pop();
  }
}
