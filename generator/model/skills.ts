import { isJsonObject, type JsonObject, type JsonValue } from "./json.js";

/** The name of a folder of skills, which is the last one of its path: `review` for `skills/review`. */
export function skillFolderName(root: string): string {
  return root.slice(root.lastIndexOf("/") + 1);
}

/** The length of the longest name of a skill, in characters; see SEP-2640. */
export const MOST_SKILL_NAME = 64;

/** Whether clients accept a text as the name of a skill, and of the folder of its URIs. */
export function isSkillName(name: string): boolean {
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name.length <= MOST_SKILL_NAME;
}

/** The template of the URIs of a folder's files. */
export function skillUriTemplate(name: string): string {
  return `skill://${name}/{+path}`;
}

/** A manifest with a resource template for each folder of skills, by which clients read the files. */
export function withSkillTemplates(manifest: JsonObject): JsonObject {
  const templates = listOf(manifest["skills"]).flatMap(templateOf);
  if (templates.length === 0) return manifest;
  return {
    ...manifest,
    resourceTemplates: [...listOf(manifest["resourceTemplates"]), ...templates],
  };
}

function templateOf(folder: JsonValue): JsonObject[] {
  if (!isJsonObject(folder) || typeof folder["root"] !== "string") return [];
  const { root, watch = false, description, scopes, groups } = folder;
  const name = skillFolderName(root);
  return [
    {
      description: description ?? `The files of the skills in the folder ${root}.`,
      directory: { list: false, root, watch },
      ...(groups !== undefined && { groups }),
      name,
      ...(scopes !== undefined && { scopes }),
      uriTemplate: skillUriTemplate(name),
    },
  ];
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
