import { isJsonObject, type JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { skillFolderName } from "../model/skills.js";
import { ownValue } from "../schema/json-schema.js";
import { subscriptionAdded, subscriptionRemoved } from "./catalogue/serving.js";
import { skillFolderAdded, skillFolderRemoved } from "./catalogue/skills.js";
import { compareItemSettings } from "./compare-item-settings.js";
import { compareTexts } from "./compare-texts.js";
import { matchItems, placeIn, type ItemPair } from "./manifest-items.js";

/** The changes of folders of skills. A folder is the same as long as the last name of its path is, with which its URIs begin. */
export function compareSkills(before: JsonObject, after: JsonObject): SemanticChange[] {
  const { pairs, added, removed } = matchItems(withNames(before), withNames(after), "skills");
  return [
    ...pairs.flatMap((pair) => [
      ...compareTexts(pair.before.value, pair.after.value, placeIn(pair.after)),
      ...compareItemSettings(pair),
      ...compareWatch(pair),
    ]),
    ...added.map((folder) => skillFolderAdded(placeIn(folder), { name: folder.name })),
    ...removed.map(({ name }) =>
      skillFolderRemoved({ at: ["skills"], name: ["skills", name] }, { name }),
    ),
  ];
}

/** A manifest whose folders of skills have names, as items have. */
function withNames(manifest: JsonObject): JsonObject {
  const folders = ownValue(manifest, "skills");
  if (!Array.isArray(folders)) return {};
  const skills = folders.map((folder) => {
    const root = isJsonObject(folder) ? ownValue(folder, "root") : undefined;
    return isJsonObject(folder) && typeof root === "string"
      ? { ...folder, name: skillFolderName(root) }
      : folder;
  });
  return { skills };
}

function compareWatch({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [before, after].map(({ value }) => ownValue(value, "watch") === true);
  if (was === is) return [];
  return [(is ? subscriptionAdded : subscriptionRemoved)(placeIn(after, "watch"), {})];
}
