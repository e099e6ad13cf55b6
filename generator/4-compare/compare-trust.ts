import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { quoted } from "../text/value-words.js";
import { argumentNotTrusted, argumentTrusted } from "./catalogue/bodies.js";
import {
  itemsOf,
  mappingOf,
  onlyIn,
  placeIn,
  textsOf,
  type ManifestItem,
} from "./manifest-items.js";

/**
 * The arguments that a program gets unchecked, and did not before, and the other way round.
 *
 * @param before the tool in the former manifest, if it was there
 */
export function compareTrust(
  before: ManifestItem | undefined,
  after: ManifestItem,
): SemanticChange[] {
  const [former, present] = [before, after].map((tool) =>
    tool === undefined ? [] : textsOf(mappingOf(tool.value, "exec"), "trusted"),
  ) as [string[], string[]];
  const place = placeIn(after, "exec", "trusted");
  const isProgram = "exec" in after.value;
  return [
    ...onlyIn(present, former).map((name) => argumentTrusted(place, { name: quoted(name) })),
    ...(isProgram ? onlyIn(former, present) : []).map((name) =>
      argumentNotTrusted(placeIn(after, "exec"), { name: quoted(name) }),
    ),
  ];
}

/** All arguments that programs get unchecked: what a first generation has to say, which compares with nothing. */
export function trustedArguments(manifest: JsonObject): SemanticChange[] {
  return itemsOf(manifest, "tools").flatMap((tool) => compareTrust(undefined, tool));
}
