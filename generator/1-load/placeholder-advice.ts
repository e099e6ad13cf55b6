import type { ProblemSite, SyntaxAdvice } from "./compose.js";

/** A placeholder without quotes, such as `{{city}}`: to YAML, a mapping that is the key of another. */
const PLACEHOLDER = /\{\{[^{}\n]*\}\}/g;

/** The placeholder that reaches from one offset of a text to another. */
export function placeholderBetween(text: string, start: number, end: number): string | undefined {
  const part = text.slice(start, end);
  return /^\{\{[^{}\n]*\}\}$/.test(part) ? part : undefined;
}

/**
 * For a text with a placeholder that is not in quotes. The problem is where the placeholder or the text meets the other.
 * Ansible, whose authors write `app_path: {{ base_path }}/foo`, has a hint for it (`lib/ansible/errors/yaml_strings.py`).
 */
export function detectPlaceholder({
  problem,
  line,
  lineStart,
}: ProblemSite): SyntaxAdvice | undefined {
  const at = problem.start - lineStart;
  for (const { 0: placeholder, index } of line.matchAll(PLACEHOLDER)) {
    const end = index + placeholder.length;
    if (index <= at && (at <= end || line.slice(end, at).trim() === "")) {
      const hint = `${placeholder} is a mapping to YAML; put the whole text in quotes`;
      const message = "a text with a placeholder is not in quotes";
      const mend = { edit: "quote line" } as const;
      return { start: lineStart + index, message, hint, mend, explainsLine: true };
    }
  }
  return undefined;
}
