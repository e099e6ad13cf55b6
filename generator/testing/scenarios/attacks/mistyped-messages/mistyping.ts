import type { RandomNumbers } from "../../../harness/runner/random-numbers.js";
import type { Json } from "./messages.js";

/** A message with values of wrong types, as its text and as what that means. */
export interface Frame {
  readonly text: string;
  readonly value: unknown;
}

/** JSON texts of every type that are put into messages. */
export const VALUES: readonly string[] = [
  ...["null", "true", "false", "0", "-1", "1.5", "1e400", "-0", "12345678901234567890"],
  ...['""', '"x"', '"__proto__"', '"toString"', '"constructor"', '"\\ud800"', '"\\u0000"'],
  `"${"long".repeat(2_000)}"`,
  ...["[]", "[[]]", "[null]", "[{}]", '["x"]', "{}", '{"toString":1}', '{"then":1}'],
  ...['{"toString":null,"valueOf":null}', '{"__proto__":{"toString":1}}', '{"toJSON":1}'],
  ...['{"constructor":{"prototype":1}}', '{"then":{"then":{}}}', '{"length":1e9}', '{"":{"":""}}'],
  "[".repeat(500) + "]".repeat(500),
  '{"a":'.repeat(500) + "1" + "}".repeat(500),
];

type Path = readonly (string | number)[];

/** The paths of all values in a message, the message itself included. */
export function placesIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...members.flatMap(([key, member]) => placesIn(member, [...path, key]))];
}

/** Puts JSON texts at places of a message, whose id becomes `id`. */
export function frameOf(
  message: Json,
  id: string,
  changes: readonly (readonly [place: Path, json: string])[],
): Frame {
  const holes = new Map<string, string>();
  let changed: unknown = structuredClone("id" in message ? { ...message, id } : message);
  for (const [index, [place, json]] of changes.entries()) {
    const hole = `hole ${index} of ${id}`;
    holes.set(JSON.stringify(hole), json);
    changed = withValue(changed, place, hole);
  }
  let text = JSON.stringify(changed);
  for (const [hole, json] of holes) text = text.replace(hole, () => json);
  return { text, value: JSON.parse(text) as unknown };
}

/** A message with one to three values of wrong types. */
export function randomFrame(messages: readonly Json[], id: string, random: RandomNumbers): Frame {
  const message = messages[random(messages.length)] ?? {};
  const places = placesIn(message);
  const count = 1 + Math.floor(random(8) / 5) + Math.floor(random(8) / 7);
  const changes = Array.from({ length: count }, () => {
    const place = places[random(places.length)] ?? [];
    return [place, VALUES[random(VALUES.length)] ?? "null"] as const;
  });
  return frameOf(message, id, changes);
}

/** Replaces a value in a message; where a change above has removed its place, the message stays as it is. */
function withValue(value: unknown, [key, ...below]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (typeof value !== "object" || value === null || !(key in value)) return value;
  const member = (value as Record<string | number, unknown>)[key];
  (value as Record<string | number, unknown>)[key] = withValue(member, below, replacement);
  return value;
}
