import { itemModulePath } from "../5-emit/modules/module-names.js";
import { codeKindsOf, type ItemId, type OutputFile } from "../model/output-file.js";
import type { ItemKind, ItemNames } from "../model/server-model.js";
import { itemNames } from "../text/names.js";
import type { LockedFile } from "./lock.js";
import type { Renames } from "./renames.js";
import type { ModuleMove, RenamedItem } from "./source-editor.js";

/** The module from which people's files import the types of the manifest, without extension. */
const INDEX = "src/generated/index";

/** What people's files may say about the items that a run renames. */
export interface RenamedTypes {
  readonly items: readonly RenamedItem[];
  /** The generated modules whose types get other names: `FindBooksInput` for `SearchInput`. */
  readonly moves: readonly (readonly [module: string, move: ModuleMove])[];
}

/**
 * The items that a run renames, and the new names of their types. No other item has the former name of one.
 *
 * @param locked the files of the last generation
 * @param files the files of this one
 */
export function renamedTypes(
  renames: Renames,
  locked: ReadonlyMap<string, LockedFile>,
  files: readonly OutputFile[],
): RenamedTypes {
  if (renames.size === 0) return { items: [], moves: [] };
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  const items: RenamedItem[] = [];
  const moves = new Map<string, ModuleMove>();
  const ofIndex = new Map<string, string>();
  for (const [now, formerIds] of renames) {
    for (const former of formerIds) {
      const [from, to] = [itemOf(former), itemOf(now)];
      const content = contents.get(`${to.module}.ts`);
      if (content === undefined || !locked.has(`${from.module}.ts`)) continue;
      items.push({ former, now });
      const exports = newNames(content, from, to);
      moves.set(from.module, { to: to.module, exports });
      for (const [name, newName] of exports) ofIndex.set(name, newName);
    }
  }
  if (ofIndex.size > 0) moves.set(INDEX, { to: INDEX, exports: ofIndex });
  return { items, moves: [...moves] };
}

/** An item's generated module, without extension, and the beginning of the names of its types. */
interface TypesOfItem extends Pick<ItemNames, "typeName"> {
  readonly module: string;
}

function itemOf(id: ItemId): TypesOfItem {
  const colon = id.indexOf(":");
  const { typeName, fileName } = itemNames(id.slice(colon + 1));
  const kind = itemKindOf(id.slice(0, colon));
  return { typeName, module: `src/generated/${itemModulePath({ kind, fileName })}` };
}

/** The kind of item for which there is this kind of code. */
function itemKindOf(kind: string): ItemKind {
  const found = Object.entries(codeKindsOf).find(([, kinds]) =>
    kinds.some((code) => code === kind),
  );
  return (found?.[0] ?? kind) as ItemKind;
}

/** The types of a module by the names that they had before the rename. */
function newNames(content: string, from: TypesOfItem, to: TypesOfItem): Map<string, string> {
  const exported = [...content.matchAll(/^export (?:interface|type) (\w+)/gm)].map(
    ([, name = ""]) => name,
  );
  return new Map(
    exported
      .filter((name) => name.startsWith(to.typeName))
      .map((name) => [from.typeName + name.slice(to.typeName.length), name]),
  );
}
