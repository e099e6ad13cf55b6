import { itemModulePath } from "../5-emit/modules/module-names.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import { codeKindsOf, partsOfId, type ItemId, type OutputFile } from "../model/output-file.js";
import type { ItemKind, ItemNames } from "../model/server-model.js";
import { itemNames } from "../text/names.js";
import type { Renames } from "./renames.js";
import type { ChangedNames, ModuleMove, RenamedItem } from "./source-editor.js";

/** The module from which people's files import the types of the manifest, without extension. */
const INDEX = "src/generated/index";

/** The lists of a manifest by the kind of their items. */
const LISTS: Readonly<Record<ItemKind, string>> = {
  tool: "tools",
  resource: "resources",
  resourceTemplate: "resourceTemplates",
  prompt: "prompts",
};

/**
 * The items that a run renames: those that the last generation had under a former name. Afterwards that name may be in
 * use again, as the module of another item.
 *
 * @param manifest the canonical manifest of the last generation
 */
export function pendingRenames(renames: Renames, manifest: JsonObject = {}): RenamedItem[] {
  const isFormer = (id: ItemId): boolean => {
    const { kind, name } = partsOfId(id);
    const items = manifest[LISTS[itemKindOf(kind)]];
    return (
      Array.isArray(items) && items.some((item) => isJsonObject(item) && item["name"] === name)
    );
  };
  return [...renames].flatMap(([now, formerIds]) =>
    formerIds.filter(isFormer).map((former) => ({ former, now })),
  );
}

/**
 * The generated modules of renamed items, and the new names of their types: `FindBooksInput` for `SearchInput`.
 *
 * @param renamed the renames that files have not followed yet
 * @param files the files of this generation
 */
export function renamedTypes(
  renamed: readonly RenamedItem[],
  files: readonly OutputFile[],
): ChangedNames {
  if (renamed.length === 0) return { items: [], moves: new Map() };
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  const items: RenamedItem[] = [];
  const moves = new Map<string, ModuleMove>();
  const ofIndex = new Map<string, string>();
  for (const { former, now } of renamed) {
    const [from, to] = [typesOf(former), typesOf(now)];
    const content = contents.get(`${to.module}.ts`);
    if (content === undefined) continue;
    items.push({ former, now });
    const exports = newNames(content, from, to);
    if (to.module !== from.module) moves.set(from.module, { to: to.module, exports });
    for (const [name, newName] of exports) ofIndex.set(name, newName);
  }
  if (ofIndex.size > 0) moves.set(INDEX, { to: INDEX, exports: ofIndex });
  return { items, moves };
}

/** An item's generated module, without extension, and the beginning of the names of its types. */
interface TypesOfItem extends Pick<ItemNames, "typeName"> {
  readonly module: string;
}

function typesOf(id: ItemId): TypesOfItem {
  const { kind, name } = partsOfId(id);
  const { typeName, fileName } = itemNames(name);
  const path = itemModulePath({ kind: itemKindOf(kind), fileName });
  return { typeName, module: `src/generated/${path}` };
}

/** The kind of item for which there is this kind of code. */
function itemKindOf(kind: string): ItemKind {
  const found = Object.entries(codeKindsOf).find(([, kinds]) =>
    kinds.some((code) => code === kind),
  );
  return (found?.[0] ?? kind) as ItemKind;
}

/** The types of a module that have another name since the rename, by the one that they had. */
function newNames(content: string, from: TypesOfItem, to: TypesOfItem): Map<string, string> {
  const exported = [...content.matchAll(/^export (?:interface|type) (\w+)/gm)].map(
    ([, name = ""]) => name,
  );
  return new Map(
    exported
      .filter((name) => name.startsWith(to.typeName))
      .map((name): [string, string] => [from.typeName + name.slice(to.typeName.length), name])
      .filter(([former, name]) => former !== name),
  );
}
