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
