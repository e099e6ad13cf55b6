import type { Diagnostic, Fix } from "../model/diagnostic.js";
import type { Mend } from "../model/mend.js";
import { addKey, putIntoList, removeRepeated, takeOutOfList } from "./collection-edits.js";
import {
  doubleBackslash,
  escapeCharacter,
  indentWithSpaces,
  quoteLine,
  quoteTagged,
  useSpaces,
} from "./line-edits.js";
import { quote, renameKey, replacePart, setText, setValue, wrap } from "./scalar-edits.js";
import type { Changes, Site } from "./site.js";
import { YamlSource } from "./yaml-source.js";

/** For at most so many findings, the text is examined. Those after them have their turn once these are mended. */
const MOST_FIXES = 5_000;

/**
 * The diagnostics of a manifest, with the changes of its texts that mend them. A mend for which the text has not the
 * right form is left out.
 *
 * @param texts those of the manifest's files, as diagnostics name them
 */
export function withFixes(
  texts: ReadonlyMap<string, string>,
  diagnostics: readonly Diagnostic[],
): Diagnostic[] {
  const sources = new Map<string, YamlSource>();
  let examined = 0;
  return diagnostics.map(({ mend, ...diagnostic }) => {
    const { file } = diagnostic;
    const text = texts.get(file);
    if (mend === undefined || text === undefined || ++examined > MOST_FIXES) return diagnostic;
    const source = sources.get(file) ?? new YamlSource(file, text);
    sources.set(file, source);
    const fix = fixFor(source, diagnostic, mend);
    return fix === undefined ? diagnostic : { ...diagnostic, fix };
  });
}

function fixFor(source: YamlSource, diagnostic: Diagnostic, mend: Mend): Fix | undefined {
  const start = source.offset(diagnostic.line, diagnostic.column);
  const end = source.offset(diagnostic.endLine, diagnostic.endColumn);
  const changes = changesFor({ source, start, end }, mend);
  if (changes === undefined || changes.length === 0) return undefined;
  const edits = changes.map((splice) => ({
    ...source.place(splice.start, splice.end),
    newText: splice.text,
  }));
  return { edits };
}

function changesFor(site: Site, mend: Mend): Changes {
  switch (mend.edit) {
    case "rename key":
      return renameKey(site, mend.to, mend.ifOnly === true);
    case "quote key":
      return quote(site, true);
    case "set text":
      return setText(site, mend.to, mend.ifOnly === true);
    case "set value":
    case "unquote":
      return setValue(site, mend.to);
    case "quote":
      return quote(site, false);
    case "put into list":
      return putIntoList(site);
    case "take out of list":
      return takeOutOfList(site);
    case "split into list":
      return setValue(site, [...mend.items]);
    case "put into mapping":
      return mend.value === undefined
        ? wrap(site, `{ ${mend.key}: `, " }")
        : setValue(site, { [mend.key]: mend.value });
    case "add key":
      return addKey(site, mend.key, mend.value);
    case "remove item":
    case "remove entry":
      return removeRepeated(site);
    case "replace part":
      return replacePart(site, mend.from, mend.to, mend.ifOnly === true);
    case "escape character":
      return escapeCharacter(site);
    case "double backslash":
      return doubleBackslash(site);
    case "use spaces":
      return useSpaces(site);
    case "indent with spaces":
      return indentWithSpaces(site);
    case "quote line":
      return quoteLine(site);
    case "quote tagged":
      return quoteTagged(site);
  }
}
