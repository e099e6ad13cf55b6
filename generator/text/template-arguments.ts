import type { TextTemplate } from "../model/text-template.js";

/** The arguments that a template depends on: those that it inserts, and those whose presence it checks. */
export function argumentsIn(template: TextTemplate): string[] {
  return template.flatMap((part) => {
    if (typeof part === "string") return [];
    if ("argument" in part) return [part.argument];
    return ["when" in part ? part.when : part.unless, ...argumentsIn(part.then)];
  });
}

/** The arguments whose values a template inserts into its text. */
export function insertedArguments(template: TextTemplate): string[] {
  return template.flatMap((part) => {
    if (typeof part === "string") return [];
    return "argument" in part ? [part.argument] : insertedArguments(part.then);
  });
}

/** The fixed text with which a template begins, and the arguments whose values may begin it in its place. */
export function beginningOf(template: TextTemplate): { text: string; leading: string[] } {
  const leading: string[] = [];
  let text = "";
  for (const part of template) {
    if (typeof part === "string")
      return { text: leading.length === 0 ? text + part : text, leading };
    // If an argument or a section is empty, the next part begins the text.
    const inner =
      "argument" in part ? { text: "", leading: [part.argument] } : beginningOf(part.then);
    if (leading.length === 0) text += inner.text;
    leading.push(...inner.leading);
  }
  return { text, leading };
}
