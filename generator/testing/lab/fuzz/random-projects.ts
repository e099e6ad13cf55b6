import { parse } from "yaml";
import type { JsonObject, JsonValue } from "../../../model/json.js";
import { isJsonObject } from "../../../model/json.js";
import { randomNumbers, type RandomNumbers } from "../../harness/runner/random-numbers.js";
import { ITEM_FEATURES, SERVER_FEATURES } from "./project-features.js";

/** A manifest of some features, with the files that it names. */
export interface RandomProject {
  readonly features: readonly string[];
  readonly manifest: JsonObject;
  /** Texts by their paths. */
  readonly files: Readonly<Record<string, string>>;
}

/** Features by their names: what each adds to a manifest, and to `files` and `each` (a member of every item). */
type Features = Readonly<Record<string, JsonObject>>;
const items = parse(ITEM_FEATURES) as Features;
const settings = parse(SERVER_FEATURES) as Features;

const SECTIONS = ["tools", "resources", "resourceTemplates", "prompts"];

/** Makes a project of some features of items and some of the server, the same for the same seed. */
export function randomProject(seed: number): RandomProject {
  const random = randomNumbers(seed);
  const chosen = {
    ...chosenOf(items, 3 + random(6), random),
    ...chosenOf(settings, 2 + random(5), random),
  };
  const start = { name: "random", version: "1.0.0", diagnostics: { MW2058: "off" }, tools: [] };
  const merged = Object.values(chosen).reduce<JsonValue>(merge, start) as JsonObject;
  const { files = {}, each = {}, transports = [], ...manifest } = merged;
  const byType = new Map<JsonValue | undefined, JsonValue>();
  for (const transport of transports as JsonObject[]) {
    byType.set(transport["type"], merge(byType.get(transport["type"]) ?? {}, transport));
  }
  if (byType.size === 0) byType.set("stdio", { type: "stdio" });
  for (const section of SECTIONS) {
    const list = (manifest[section] ?? []) as JsonObject[];
    if (list.length > 0) manifest[section] = list.map((item) => merge(each, item));
  }
  return {
    features: Object.keys(chosen),
    manifest: { ...manifest, transports: [...byType.values()] },
    files: files as Record<string, string>,
  };
}

function chosenOf(features: Features, count: number, random: RandomNumbers): Features {
  const left = Object.entries(features);
  const chosen = Array.from({ length: count }, () => left.splice(random(left.length), 1)).flat();
  return Object.fromEntries(chosen);
}

/** Lists follow each other, and members of mappings are merged; of two other values, the second stays. */
function merge(one: JsonValue, other: JsonValue): JsonValue {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (!isJsonObject(one) || !isJsonObject(other)) return other;
  const merged: Record<string, JsonValue> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = one[key];
    merged[key] = before === undefined ? value : merge(before, value);
  }
  return merged;
}
