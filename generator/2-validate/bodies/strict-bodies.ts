import { strictWithoutSchema } from "../../model/catalogue/bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { has } from "../manifest-view.js";
import type { BodyItem } from "./body-item.js";

/** Reports `strict` in a body of an item that has no output schema, which an answer could break. */
export function strictProblems(
  manifest: LoadedManifest,
  { item, body, what, isSource }: BodyItem,
): Diagnostic[] {
  if (!has(body.value, "strict")) return [];
  if (isSource !== true && what === "the tool" && has(item.value, "outputSchema")) return [];
  return [strictWithoutSchema(manifest.locate([...body.path, "strict"], "key"), { what })];
}
