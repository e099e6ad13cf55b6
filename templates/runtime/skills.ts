/** Serves folders of skills (SEP-2640): texts and files by which a model learns how to do something. */
import type { SkillFolder } from "./skills/definition.js";
import type { LateServerPart } from "./server/server-part.js";

export type { SkillFolder } from "./skills/definition.js";

/**
 * Lists the skills of these folders, and tells clients their files with sizes and digests. The files themselves are
 * read by the resource template that each folder names, with its scopes and groups.
 */
export function skills(folders: readonly SkillFolder[]): LateServerPart {
  return {
    settings: { skillFolders: folders },
    // It stands after the part that makes resources, whose function it calls.
    load: async () => {
      const [{ createResources }, { withSkills }] = await Promise.all([
        import("./resources/resources.js"),
        import("./skills/skills.js"),
      ]);
      return { createResources: withSkills(createResources) };
    },
  };
}
