import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about folders of skills. */

interface Folder {
  readonly name: string;
}

export const skillFolderRemoved = defineRule<Folder>({
  id: "skill-folder-removed",
  severity: "breaking",
  message: ({ name }) => `the skills in ${quoted(name)} are gone`,
});

export const skillFolderAdded = defineRule<Folder>({
  id: "skill-folder-added",
  severity: "info",
  message: ({ name }) => `the skills in ${quoted(name)} are new`,
});
