/** A folder with one skill, or with folders of skills. A skill is a folder with a `SKILL.md`. */
export interface SkillFolder {
  /** The name of the resource template that reads its files, which is also its name in URIs: `skill://NAME/…`. */
  readonly template: string;
  /** The path of the folder from the project's folder. */
  readonly root: string;
}
