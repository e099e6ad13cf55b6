import type { Operation } from "../../import/operations.js";
import { countsByTag } from "../../import/selection.js";
import { printable } from "../../text/printable.js";
import type { CommandContext } from "../command.js";

/** The tags of operations, with the number of operations that each has. */
export function tagsText(wanted: readonly Operation[]): string {
  const lines = [...countsByTag(wanted)].map(
    ([tag, count]) => `${String(count).padStart(6)}  ${printable(tag)}\n`,
  );
  return `Operations by tag:\n\n${lines.join("")}`;
}

/**
 * Asks a person at a terminal whose operations are wanted, until the answer is one.
 *
 * @returns tags; undefined where there is nobody to ask
 */
export async function askTags(
  { terminal, invocation }: CommandContext,
  wanted: readonly Operation[],
): Promise<string[] | "given up" | undefined> {
  if (invocation.flags.has("json") || invocation.flags.has("quiet")) return undefined;
  const questions = terminal.openQuestions?.();
  if (questions === undefined) return undefined;
  const counts = countsByTag(wanted);
  const tags = [...counts.keys()];
  const lines = tags.map((tag, index) => {
    const [number, count] = [String(index + 1).padStart(4), String(counts.get(tag)).padStart(6)];
    return `${number}  ${count}  ${printable(tag)}\n`;
  });
  try {
    terminal.out(`${wanted.length} operations by tag:\n\n${lines.join("")}\n`);
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

/** The tags that an answer names, or why it names none. */
function chosenTags(
  answer: string,
  tags: readonly string[],
): { readonly tags: string[]; readonly unknown?: string } {
  const parts = answer
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const found = parts.map((part) => {
    const isNumber = /^\d+$/.test(part);
    return tags.includes(part) || !isNumber ? part : (tags[Number(part) - 1] ?? part);
  });
  const unknown = found.find((tag) => !tags.includes(tag));
  if (unknown !== undefined)
    return { tags: [], unknown: `there is no tag ${printable(unknown)}\n` };
  if (found.length === 0) return { tags: [], unknown: "name one of them at least\n" };
  return { tags: [...new Set(found)] };
}
