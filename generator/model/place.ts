/** A file and a range in it. Lines and columns are 1-based; columns count UTF-16 units; the end is exclusive. */
export interface Place {
  /** Path as the user gave it. Diagnostics about the command line have the file `<command line>`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A second place that belongs to a diagnostic, for example the first of two equal names. */
export interface RelatedPlace extends Place {
  readonly message: string;
}

/** The place of a diagnostic that is about a file, and not about a line of it. */
export function wholeFile(file: string): Place {
  return { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
}

/** The line of a place for a message at another place, with the file where that is another one: `line 4 of tools.yaml`. */
export function lineSeenFrom(from: Place, { file, line }: Place): string {
  return file === from.file ? `line ${line}` : `line ${line} of ${file}`;
}

/** Compares places for sorting: the places of a file follow each other in the order of its text. */
export function comparePlaces(one: Place, other: Place): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}
