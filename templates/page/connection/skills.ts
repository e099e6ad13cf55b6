import type { Client, Icon } from "@modelcontextprotocol/client";

/** The id of the extension by which servers list skills (SEP-2640). */
export const SKILLS_EXTENSION = "io.modelcontextprotocol/skills";

/** A skill, with the members that all items of the page have. */
export interface Skill {
  /** The URI of its `SKILL.md`. */
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: Icon[];
  /** The facts that its `SKILL.md` begins with, other than name and description. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Its files, if the server lists them. */
  readonly files: readonly SkillFile[];
}

/** A file of a skill. */
export interface SkillFile {
  readonly uri: string;
  /** In bytes, if the server tells it. */
  readonly size?: number;
}

/** The most pages of the list that are requested. */
const MOST_PAGES = 100;

/** Requests all skills of a server. What is no skill is left out. */
export async function listSkills(client: Client): Promise<readonly Skill[]> {
  const entries: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer: unknown = await client.request({ method: "skills/list", params }, anyResult);
    const { skills, nextCursor } = answer as AnyObject;
    if (Array.isArray(skills)) entries.push(...(skills as unknown[]));
    if (typeof nextCursor !== "string") break;
    cursor = nextCursor;
  }
  return skillsOf(entries);
}

type AnyObject = Readonly<Record<string, unknown>>;

/** A schema that accepts every result, which `skillsOf` reads with care. */
const anyResult = {
  "~standard": { version: 1 as const, vendor: "page", validate: (value: unknown) => ({ value }) },
};

/** The skills among the entries of `skills/list`. */
export function skillsOf(entries: readonly unknown[]): readonly Skill[] {
  return entries.flatMap((entry) => {
    const { uri, frontmatter, resources } = (entry ?? {}) as AnyObject;
    if (typeof uri !== "string") return [];
    const { name, description, ...facts } = (frontmatter ?? {}) as AnyObject;
    return [
      {
        uri,
        name: typeof name === "string" ? name : uri,
        ...(typeof description === "string" && { description }),
        facts,
        files: Array.isArray(resources) ? (resources as unknown[]).flatMap(fileOf) : [],
      },
    ];
  });
}

function fileOf(file: unknown): SkillFile[] {
  const { uri, size } = (file ?? {}) as AnyObject;
  return typeof uri === "string" ? [{ uri, ...(typeof size === "number" && { size }) }] : [];
}

/** The path of a file from the folder of its skill, as people read it. */
export function pathInSkill({ uri }: Skill, file: SkillFile): string {
  const folder = uri.slice(0, uri.lastIndexOf("/") + 1);
  if (!file.uri.startsWith(folder)) return file.uri;
  const path = file.uri.slice(folder.length);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
