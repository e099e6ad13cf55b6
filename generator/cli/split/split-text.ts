import { posix } from "node:path";
import { PART_SECTIONS } from "../../1-load/join-parts.js";
import { patternsOf } from "../../1-load/load-parts.js";
import { flowText } from "../../edit/manifest-text.js";
import { ManifestEditor } from "../../edit/manifest-editor.js";
import type { JsonValue } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";

/** The texts of a manifest and of the new files that have its sections, by their paths from its folder. */
export interface SplitTexts {
  readonly manifest: string;
  readonly parts: ReadonlyMap<string, string>;
}

/** The lines of a top-level key, with the comments directly before it. */
interface Section {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Moves the sections that an included file may have out of a manifest's text, each to a file of its own, byte for byte.
 *
 * @param own the manifest without the files that it includes
 * @param folder the folder of the new files, from that of the manifest
 * @returns the new texts, or why there are none
 */
export function splitText(own: LoadedManifest, folder: string): SplitTexts | { reason: string } {
  const lines = (own.texts.get(own.file) ?? "").split(/(?<=\n)/);
  const lineEnd = lines[0]?.endsWith("\r\n") === true ? "\r\n" : "\n";
  const sections = sectionsOf(own, lines);
  if (sections === undefined) return { reason: "its keys do not begin lines of their own" };
  const moved = sections.filter(({ key }) => PART_SECTIONS.has(key) && hasEntries(own.value[key]));
  const [first] = moved;
  if (first === undefined) return { reason: "there is no section that an included file may have" };
  const paths = new Map(moved.map(({ key }) => [key, posix.join(folder, `${key}.yaml`)]));
  const modeline = partModeline(folder);
  const parts = moved.map(({ key, start, end }) => {
    const text = lines.slice(start, end).join("").trimEnd();
    return [paths.get(key) ?? "", `${modeline}${lineEnd}${text}${lineEnd}`] as const;
  });
  const movedLines = new Set(moved.flatMap(({ start, end }) => range(start, end)));
  const [former, added] = [patternsOf(own), [...paths.values()]];
  const include = former.length > 0 ? "" : `include: ${flowText(added)}${lineEnd}`;
  const remaining = lines.map((line, index) =>
    movedLines.has(index) ? (index === first.start ? include : "") : line,
  );
  const editor = new ManifestEditor(`${remaining.join("").trimEnd()}${lineEnd}`);
  if (former.length > 0) editor.change(["include"], [...former], [...added, ...former]);
  return { manifest: editor.text, parts: new Map(parts) };
}

/** The first line of an included file, by which editors find its schema. @param folder its folder, from that of the manifest */
export function partModeline(folder: string): string {
  const up = "../".repeat(posix.normalize(folder) === "." ? 0 : folder.split("/").length) || "./";
  return `# yaml-language-server: $schema=${up}node_modules/@mcpwright/runtime/mcp-part.schema.json`;
}

/** The lines of each top-level key. Undefined if a key does not begin a line. */
function sectionsOf(own: LoadedManifest, lines: readonly string[]): Section[] | undefined {
  const keys = Object.keys(own.value).map((key) => ({ key, at: own.locate([key], "key") }));
  if (keys.some(({ at }) => at.column !== 1)) return undefined;
  keys.sort((one, other) => one.at.line - other.at.line);
  let before = 0;
  const starts = keys.map(({ at }, index) => {
    let start = at.line - 1;
    while (index > 0 && start > before && lines[start - 1]?.startsWith("#") === true) start -= 1;
    before = at.line;
    return start;
  });
  return keys.map(({ key }, index) => ({
    key,
    start: starts[index] ?? 0,
    end: starts[index + 1] ?? lines.length,
  }));
}

function hasEntries(value: JsonValue | undefined): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

const range = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, index) => start + index);
