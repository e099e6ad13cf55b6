import { importNotAdjusted } from "../model/catalogue/project.js";
import { decodeText } from "../text/line-ends.js";
import { applySplices } from "../text/splice.js";
import { hashBytes } from "./content-hash.js";
import { keep, leave, type Decision, type Situation } from "./decision.js";
import type { ChangedNames } from "./source-editor.js";
import type { ProjectTree } from "./tree.js";
import { unreadableSource } from "./unreadable-source.js";

/** The folders that the project compiles. */
export const SOURCE_FOLDERS = ["src", "test"];
/** Folders in them that have no files of people, or only removed ones, which are not compiled. */
export const EXCLUDED_FOLDERS: ReadonlySet<string> = new Set([
  "src/generated",
  "src/removed",
  "test/generated",
]);

/**
 * Adapts people's other files to modules that move, and to items that are renamed. Skips links.
 *
 * @param isDecided true for paths on which other rules decide
 */
export function decideImporters(
  changed: ChangedNames,
  isDecided: (path: string) => boolean,
  situation: Situation,
): Decision[] {
  if (changed.moves.size === 0 && changed.items.length === 0) return [];
  const sources = SOURCE_FOLDERS.flatMap((folder) => sourcesIn(folder, situation.tree));
  return sources
    .filter((path) => !isDecided(path))
    .flatMap((path) => decide(path, changed, situation));
}

function sourcesIn(folder: string, tree: ProjectTree): string[] {
  const names = tree.list(folder).filter((name) => name !== "node_modules");
  return names.flatMap((name) => {
    const path = `${folder}/${name}`;
    const entry = tree.entry(path);
    if (entry.kind === "folder") return EXCLUDED_FOLDERS.has(path) ? [] : sourcesIn(path, tree);
    return entry.kind === "file" && entry.links === 1 && /\.[cm]?[jt]sx?$/.test(name) ? [path] : [];
  });
}

function decide(path: string, changed: ChangedNames, { tree, editor }: Situation): Decision[] {
  const current = tree.read(path);
  const source = decodeText(current);
  if (source === undefined) return [];
  const changes = editor.edit(source.text, { from: path, to: path, ...changed });
  if (changes === undefined) {
    const { place, problem, ...shown } = unreadableSource(path, current, editor);
    const kept = keep(path, "user", "it cannot be read");
    return [{ ...kept, ...shown, diagnostics: [importNotAdjusted(place, { problem })] }];
  }
  if (changes.splices.length === 0) return [];
  const content = Buffer.from(source.mark + applySplices(source.text, changes.splices));
  const isRename = changed.items.length > 0;
  const reason = isRename ? "it follows a rename" : "it imports a module that has moved";
  return [
    {
      ...leave(path),
      changes: [{ op: "update", path, owner: "user", reason }],
      operations: [{ kind: "write", path, content, before: hashBytes(current) }],
    },
  ];
}
