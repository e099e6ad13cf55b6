import { jsonText, READABLE_WIDTH } from "../5-emit/project/json-text.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { LOCK_VERSION, type Lock, type LockedFile, type RemovedFile } from "./lock.js";
import { byCodeUnits } from "./safe-path.js";

/**
 * The text of a lock in UTF-8, in a form that version control can merge. Entries are sorted. Each entry starts with
 * a line that no other entry has, and the comma after it has its own line. Lines of two entries are therefore
 * never adjacent, and adding or removing an entry changes no line of other entries.
 */
export function writeLock(lock: Lock): Buffer {
  const members = [
    `"lockVersion": ${LOCK_VERSION}`,
    `"generator": ${valueText(lock.generator)}`,
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
  const inner = indentation + STEP;
  if (Array.isArray(value)) {
    const items = value.map((item) => itemText(item, inner));
    return block("[", "]", indentation, items);
  }
  if (!isJsonObject(value)) return valueText(value, indentation);
  const members = membersOf(value, (member) => valueText(member, inner));
  return block("{", "}", indentation, members);
}

/** An item of a list. Its name comes first, since that line is different for each item. */
function itemText(item: JsonValue, indentation: string): string {
  if (!isJsonObject(item) || item["name"] === undefined) return valueText(item, indentation);
  const { name, ...others } = item;
  const inner = indentation + STEP;
  const members = membersOf({ name, ...others }, (value) => valueText(value, inner));
  return `{ ${members.join(`,\n${inner}`)}\n${indentation}}`;
}

function entriesText<Entry>(
  entries: ReadonlyMap<string, Entry>,
  toJson: (entry: Entry) => JsonObject,
): string {
  const members = [...entries]
    .sort(([left], [right]) => byCodeUnits(left, right))
    .map(([path, entry]) => `${valueText(path)}: ${entryText(toJson(entry))}`);
  return block("{", "}", STEP, members);
}

/** An entry, always over several lines. */
function entryText(entry: JsonObject): string {
  const indentation = STEP + STEP;
  const inner = indentation + STEP;
  const members = membersOf(entry, (value) =>
    Array.isArray(value) ? fieldText(value, inner) : valueText(value, inner),
  );
  return `{\n${inner}${members.join(`,\n${inner}`)}\n${indentation}}`;
}

function membersOf(object: JsonObject, textOf: (value: JsonValue) => string): string[] {
  return Object.entries(object).map(([key, value]) => `${valueText(key)}: ${textOf(value)}`);
}

function valueText(value: JsonValue, indentation = ""): string {
  return jsonText(value, READABLE_WIDTH, indentation);
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
