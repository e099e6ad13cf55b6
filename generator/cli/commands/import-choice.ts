import type { Operation } from "../../import/operations.js";
import { countsByTag } from "../../import/selection.js";
import { printable } from "../../text/printable.js";
import type { CommandContext } from "../command.js";

/** A table of the tags of operations, with the number of operations of each tag. */
export function tagsText(operations: readonly Operation[]): string {
  const lines = [...countsByTag(operations)].map(
    ([tag, count]) => `${String(count).padStart(6)}  ${printable(tag)}\n`,
  );
  return `Operations by tag:\n\n${lines.join("")}`;
}

/**
 * Asks the person at the terminal for the tags whose operations are imported, until the answer is valid.
 *
 * @returns the chosen tags, or undefined if there is nobody to ask
 */
export async function askTags(
  { terminal, invocation }: CommandContext,
  operations: readonly Operation[],
): Promise<string[] | "given up" | undefined> {
  if (invocation.flags.has("json") || invocation.flags.has("quiet")) return undefined;
  const questions = terminal.openQuestions?.();
  if (questions === undefined) return undefined;
  const counts = countsByTag(operations);
  const tags = [...counts.keys()];
  const lines = tags.map((tag, index) => {
    const [number, count] = [String(index + 1).padStart(4), String(counts.get(tag)).padStart(6)];
    return `${number}  ${count}  ${printable(tag)}\n`;
  });
  try {
    terminal.out(`${operations.length} operations by tag:\n\n${lines.join("")}\n`);
    for (;;) {
      const answer = await questions.ask("Tags to import, by number or name, with commas: ");
      if (answer === undefined) return "given up";
      const chosen = chosenTags(answer, tags);
      if (chosen.unknown === undefined) return chosen.tags;
      terminal.out(chosen.unknown);
    }
  } finally {
    questions.close();
  }
}

/** The tags that an answer names by number or name. `unknown` is the reason why the answer is not valid. */
function chosenTags(
  answer: string,
  tags: readonly string[],
): { readonly tags: string[]; readonly unknown?: string } {
  const parts = answer
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const chosen = parts.map((part) => {
    const isNumber = /^\d+$/.test(part);
    return tags.includes(part) || !isNumber ? part : (tags[Number(part) - 1] ?? part);
  });
  const unknown = chosen.find((tag) => !tags.includes(tag));
  if (unknown !== undefined)
    return { tags: [], unknown: `there is no tag ${printable(unknown)}\n` };
  if (chosen.length === 0) return { tags: [], unknown: "name one of them at least\n" };
  return { tags: [...new Set(chosen)] };
}
