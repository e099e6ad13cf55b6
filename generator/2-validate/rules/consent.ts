import { taskOfFixedAnswer } from "../../model/catalogue/rules-extensions.js";
import { nothingToConfirm } from "../../model/catalogue/rules-guards.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { has, itemsOf } from "../manifest-view.js";

/** Reports `task` of tools whose answer is fixed. */
export function checkTasks(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "tools").flatMap(({ path, value }) => {
    if (!has(value, "task") || value["task"] === false) return [];
    const key = ["content", "structuredContent"].find((fixed) => has(value, fixed));
    if (key === undefined) return [];
    return [taskOfFixedAnswer(manifest.locate([...path, "task"], "key"), { key })];
  });
}

/** Reports `confirm` of tools whose answer is fixed. */
export function checkConsent(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "tools").flatMap(({ path, value }) => {
    if (!has(value, "confirm")) return [];
    const key = ["content", "structuredContent"].find((fixed) => has(value, fixed));
    if (key === undefined) return [];
    return [nothingToConfirm(manifest.locate([...path, "confirm"], "key"), { key })];
  });
}
