import { CST } from "yaml";

/** A character that looks like a space, or like nothing, where YAML needs a space or the start of a key. */
export interface ForeignSpace {
  /** Its offset in the text. */
  readonly start: number;
  readonly character: string;
  /** What stands directly before it: a key with its colon, or a dash. Absent at the start of a line. */
  readonly after?: string;
}

/** Spaces that YAML reads as letters, and characters without a width. */
const FOREIGN = "\\u00a0\\u1680\\u180e\\u2000-\\u200d\\u202f\\u205f\\u2060\\u3000\\ufeff";

/** Texts without this have none. Most texts with such characters have them between words only. */
const CANDIDATE = new RegExp(`(?:^[ -]*|:)[${FOREIGN}]`, "m");

const AT_START = new RegExp(`^ *(?=[${FOREIGN}])`);

const AFTER_SIGN = new RegExp(`^[ ${FOREIGN}]*(?:- +)*([\\w$.-]+:|-)(?=[${FOREIGN}])`);

/** An item of a list after such spaces. */
const ITEM = new RegExp(`^[${FOREIGN}][ ${FOREIGN}]*- `);

/**
 * Finds foreign spaces that change what belongs to what, the first of each line. Inside of texts, comments and
 * quotes they are letters like others. Seen in nodeca/js-yaml#438 and travis-ci/travis-ci#1204.
 *
 * @param suspects offsets of syntax errors; in their lines, such spaces are the likely cause
 */
export function findForeignSpaces(
  text: string,
  document: CST.Document,
  suspects: readonly number[],
): ForeignSpace[] {
  if (!CANDIDATE.test(text)) return [];
  const found = new Map<number, ForeignSpace>();
  const look = (lineStart: number, line: string): void => {
    const space = foreignSpaceIn(line);
    if (space === undefined) return;
    const start = lineStart + space.start;
    found.set(text.lastIndexOf("\n", start - 1), { ...space, start });
  };
  for (const { offset, source } of structuralScalars(document)) {
    let lineStart = offset;
    for (const line of source.split("\n")) {
      look(lineStart, line);
      lineStart += line.length + 1;
    }
  }
  for (const suspect of suspects) {
    const lineStart = text.lastIndexOf("\n", suspect - 1) + 1;
    const lineEnd = text.indexOf("\n", lineStart);
    look(lineStart, text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd));
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}

function foreignSpaceIn(line: string): ForeignSpace | undefined {
  const [indentation] = AT_START.exec(line) ?? [];
  const [before, after] = AFTER_SIGN.exec(line) ?? [];
  const start = indentation?.length ?? before?.length;
  if (start === undefined) return undefined;
  const sign = indentation === undefined && after !== undefined && { after };
  return { start, character: line[start] ?? "", ...sign };
}

/** A text without quotes that may be more than a text. */
interface PlainScalar {
  readonly offset: number;
  readonly source: string;
}

/** The plain scalars that are keys, and those values that look like a list. */
function structuralScalars(document: CST.Document): PlainScalar[] {
  const found: PlainScalar[] = [];
  CST.visit(document, (item, path) => {
    const { key, sep, value } = item as CST.CollectionItem;
    const isInBraces = (): boolean => {
      const parent = CST.visit.parentCollection(document, path);
      return parent?.type === "flow-collection" && parent.start.source === "{";
    };
    if (key?.type === "scalar" && (sep?.some(isColon) === true || isInBraces())) found.push(key);
    if (value?.type === "scalar" && ITEM.test(value.source)) found.push(value);
  });
  return found;
}

const isColon = ({ type }: CST.SourceToken): boolean => type === "map-value-ind";
