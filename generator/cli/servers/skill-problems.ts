import { SkillCatalogError, skillEntry } from "@modelcontextprotocol/server/ext/skills";

/**
 * What the SDK, by which servers read skills, has against a `SKILL.md`. It reads a part of YAML only: a text that is valid YAML
 * can be no skill for it.
 *
 * @param name the name of the skill's folder
 * @returns a sentence for each problem, with the line of the file where it is known
 */
export async function skillProblems(
  name: string,
  bytes: Uint8Array,
): Promise<readonly { readonly problem: string; readonly line?: number }[]> {
  try {
    await skillEntry(name, { "SKILL.md": bytes });
    return [];
  } catch (error) {
    if (!(error instanceof SkillCatalogError)) throw error;
    return error.problems.map(({ message }) => {
      const [, line, problem = message] =
        /^SKILL\.md frontmatter: (?:line (\d+): )?(.*)$/s.exec(message) ?? [];
      return { problem, ...(line !== undefined && { line: Number(line) }) };
    });
  }
}
