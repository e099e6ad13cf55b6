import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { LineIndex } from "../line-index.js";
import { BlockReader } from "./block.js";
import { Cursor } from "./cursor.js";
import { FlowReader } from "./flow.js";
import type { Places } from "./places.js";

const ROOT = 0;

/** Answers where a path of the manifest's value stands in its text. */
export function locatePlain(
  text: string,
  places: Places,
  lines: LineIndex,
): LoadedManifest["locate"] {
  const insides = new Map<number, ReadonlyMap<string | number, number>>();
  const skipped = new Map<number, number>();
  const readRecord = (record: number): number => {
    if (!places.isSkipped(record)) return record;
    const known = skipped.get(record);
    if (known !== undefined) return known;
    const [dash, end] = places.ofValue(record);
    const read = new BlockReader(upTo(text, end), places).readAgain(dash);
    skipped.set(record, read);
    return read;
  };
  const insideOf = (record: number): ReadonlyMap<string | number, number> => {
    const inside = insides.get(record) ?? indexInside(text, places, record);
    insides.set(record, inside);
    return inside;
  };

  return (path, target) => {
    let record = ROOT;
    for (const segment of path) {
      const inside = insideOf(record);
      const next = inside.get(segment) ?? inside.get(String(segment));
      if (next === undefined) break;
      record = readRecord(next);
    }
    const key = target === "key" ? places.ofKey(record) : undefined;
    return lines.place(...(key ?? places.ofValue(record)));
  };
}

/** A cursor looks ahead for what may be far away: in one of many places, not through all of the text. */
const upTo = (text: string, end: number): string => text.slice(0, end);

/** The records inside one, by their keys or indexes. */
function indexInside(text: string, places: Places, record: number): Map<string | number, number> {
  const [start, end] = places.ofValue(record);
  const within = upTo(text, end);
  const isWhole = places.isWhole(record);
  const whole = isWhole ? new FlowReader(new Cursor(within), places).readAgain(start) : record;
  const cursor = new Cursor(within);
  return new Map(
    places.inside(whole).map((inner, index): [string | number, number] => {
      const key = places.ofKey(inner);
      if (key === undefined) return [index, inner];
      [cursor.at] = key;
      return [cursor.key(), inner];
    }),
  );
}
