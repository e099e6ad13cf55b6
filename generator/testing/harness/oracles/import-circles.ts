import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The files that a file imports, types included, by its path. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Which sources of folders import which, their tests aside; a source that is imported late counts as any other.
 *
 * @param hasTypes true for sources whose imports of types alone do not count
 */
export function importGraph(
  folders: readonly string[],
  hasTypes: (path: string) => boolean = () => false,
): ImportGraph {
  const sources = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  const all = new Set(sources);
  return new Map(sources.map((source) => [source, importsOf(source, all, hasTypes(source))]));
}

const IMPORT_OF_TYPES = /^(?:import|export) type [^;]*;$/gm;
const IMPORT_OF_ONLY_TYPES =
  /^(?:import|export) \{(?:\s*type [\w$]+(?: as [\w$]+)?,?)+\s*\} from [^;]*;$/gm;
const TYPE_EXPRESSION = /\btypeof import\("[^"]+"\)/g;

function importsOf(source: string, sources: ReadonlySet<string>, withoutTypes: boolean): string[] {
  const whole = readFileSync(source, "utf8");
  const text = withoutTypes
    ? whole
        .replace(IMPORT_OF_TYPES, "")
        .replace(IMPORT_OF_ONLY_TYPES, "")
        .replace(TYPE_EXPRESSION, "")
    : whole;
  const named = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*"(\.[^"]+)"/g)];
  return named
    .flatMap(([, target = ""]) => {
      const path = join(dirname(source), target).replace(/\.js$/, "");
      return [`${path}.ts`, `${path}.tsx`];
    })
    .filter((path) => sources.has(path));
}

/** The files that import each other, directly or through others, a list for each circle. */
export function importCircles(graph: ImportGraph): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const rankOf = (file: string): number => lowest.get(file) ?? Infinity;
  const visit = (file: string): void => {
    const rank = order.size;
    order.set(file, rank);
    lowest.set(file, rank);
    open.push(file);
    for (const imported of graph.get(file) ?? []) {
      if (!order.has(imported)) visit(imported);
      // A file that is part of a circle no more has no rank, and is above nothing.
      lowest.set(file, Math.min(rankOf(file), rankOf(imported)));
    }
    if (rankOf(file) < rank) return;
    const circle = open.splice(open.indexOf(file));
    for (const member of circle) lowest.delete(member);
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}
