import type { ts } from "ts-morph";
import type { Splice } from "../../text/splice.js";
import { namedElements } from "./imports.js";

type Specifier = ts.ImportSpecifier | ts.ExportSpecifier;

/** The same splices, but where they would make `{ name as name }` of an import or export, they make `{ name }`. */
export function withoutUselessAliases(file: ts.SourceFile, splices: readonly Splice[]): Splice[] {
  if (splices.length === 0) return [];
  const joined = file.statements
    .flatMap((statement) => namedElements(statement))
    .flatMap((specifier) => joinedSpecifier(file, specifier, splices) ?? []);
  const others = splices.filter(
    ({ start, end }) => !joined.some((splice) => splice.start <= start && end <= splice.end),
  );
  return [...others, ...joined];
}

/** The splice that leaves one name; undefined if the names differ, no splice is in them, or a comment is between. */
function joinedSpecifier(
  { text: source }: ts.SourceFile,
  { name, propertyName }: Specifier,
  splices: readonly Splice[],
): Splice | undefined {
  if (propertyName === undefined) return undefined;
  const nodes = [propertyName, name].map((node) => ({ start: node.getStart(), end: node.end }));
  const made = nodes.map(({ start, end }) =>
    splices.find((splice) => splice.start === start && splice.end === end),
  );
  const [text, other] = nodes.map(
    ({ start, end }, index) => made[index]?.text ?? source.slice(start, end),
  );
  const isChanged = made.some((splice) => splice !== undefined);
  const isPlain = /^\s+as\s+$/.test(source.slice(propertyName.end, name.getStart()));
  if (text === undefined || text !== other || !isChanged || !isPlain) return undefined;
  return { start: propertyName.getStart(), end: name.end, text };
}
