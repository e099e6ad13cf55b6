import { jsonText } from "../5-emit/project/json-text.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { LOCK_VERSION, type Lock, type LockedFile, type RemovedFile } from "./lock.js";
import { byCodeUnits } from "./safe-path.js";

/**
 * The text of a lock in UTF-8, in a form that version control can merge. Entries are sorted, and each is one line that no
 * other entry has; the comma after it has its own line. Adding or removing an entry therefore changes no line of others.
 * Where both sides changed the same place, all lines of both (`merge=union` in `.gitattributes`) are still whole entries,
 * which `readMergedLock` reads.
 */
export function writeLock(lock: Lock): Buffer {
  const members = [
    `"lockVersion": ${LOCK_VERSION}`,
    `"generator": ${lineText(lock.generator)}`,
    `"manifest": ${manifestText(lock.manifest)}`,
    `"files": ${entriesText(lock.files, lockedFileEntry)}`,
    `"removed": ${entriesText(lock.removed, removedFileEntry)}`,
  ];
  return Buffer.from(`{\n  ${members.join(",\n  ")}\n}\n`);
}

const STEP = "  ";

/** Members between brackets. All lines except the first start with `indentation`. */
export function block(
  open: string,
  close: string,
  indentation: string,
  members: readonly string[],
): string {
  const inner = `\n${indentation}${STEP}`;
  if (members.length === 0) return `${open}\n${indentation}${close}`;
  return `${open}${inner}${members.join(`${inner},${inner}`)}\n${indentation}${close}`;
}

/** The manifest, with one block for each entry of its lists and mappings: tools, variables, shared schemas. */
function manifestText(manifest: JsonObject): string {
  const indentation = STEP + STEP;
  return block(
    "{",
    "}",
    STEP,
    membersOf(manifest, (value) => fieldText(value, indentation)),
  );
}

function fieldText(value: JsonValue, indentation: string): string {
  if (Array.isArray(value)) return block("[", "]", indentation, value.map(itemText));
  if (!isJsonObject(value)) return lineText(value);
  return block("{", "}", indentation, membersOf(value, lineText));
}

/** An item of a list. Its name comes first, for people who read the line. */
function itemText(item: JsonValue): string {
  if (!isJsonObject(item) || item["name"] === undefined) return lineText(item);
  const { name, ...others } = item;
  return lineText({ name, ...others });
}

function entriesText<Entry>(
  entries: ReadonlyMap<string, Entry>,
  toJson: (entry: Entry) => JsonObject,
): string {
  const members = [...entries]
    .sort(([left], [right]) => byCodeUnits(left, right))
    .map(([path, entry]) => `${lineText(path)}: ${entryText(toJson(entry))}`);
  return block("{", "}", STEP, members);
}

/** An entry on one line, except that each of several sections has its own, since branches change different ones. */
function entryText({ sections, ...entry }: JsonObject): string {
  if (sections === undefined) return lineText(entry);
  return lineText(entry).replace(/ }$/, `, "sections": ${fieldText(sections, STEP + STEP)} }`);
}

function membersOf(object: JsonObject, textOf: (value: JsonValue) => string): string[] {
  return Object.entries(object).map(([key, value]) => `${lineText(key)}: ${textOf(value)}`);
}

/** A value on one line. */
function lineText(value: JsonValue): string {
  return jsonText(value, Infinity);
}

function lockedFileEntry({
  owner,
  hashes,
  item,
  exportName,
  sourceDate,
  base,
}: LockedFile): JsonObject {
  const [hash = ""] = hashes;
  const sections = hash.split(" ");
  return {
    owner,
    ...(sections.length === 1 ? { hash } : { sections }),
    ...(item !== undefined && { item }),
    ...(exportName !== undefined && { exportName }),
    ...(sourceDate !== undefined && { sourceDate }),
    ...(base !== undefined && { base }),
  };
}

function removedFileEntry({ owner, item, path, exportName }: RemovedFile): JsonObject {
  return {
    owner,
    item,
    ...(path !== undefined && { path }),
    ...(exportName !== undefined && { exportName }),
  };
}
