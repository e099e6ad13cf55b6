import { runtimeIgnored } from "../model/catalogue/project.js";
import type { JsonObject } from "../model/json.js";
import type { OutputFile } from "../model/output-file.js";
import type { Plan } from "../model/plan.js";
import { isRuntimeFile } from "../5-emit/project/runtime-package.js";
import { placeOf } from "../text/text-place.js";
import { withReport } from "./reports.js";
import { isSwitchedOff } from "./switched-off.js";
import { textAt, type ProjectTree } from "./tree.js";

const IGNORE_FILE = ".gitignore";

/** Lines of a `.gitignore` that match every tarball, or the whole folder of the runtime. */
const IGNORING = /^(?:(?:\*\*\/)?\*\.tgz|\/?vendor(?:\/(?:\*\*?)?(?:\.tgz)?)?)[ \t]*$/gm;

/** A line that takes the runtime in again. Git does not follow it into a folder that is ignored itself. */
const TAKEN_IN = /^!\/?vendor\/.*\.tgz[ \t]*$/m;

/**
 * Adds a diagnostic to the plan if git leaves out the tarball of the runtime, without which a clone cannot be installed.
 * Projects from before the runtime was a package have such a line.
 *
 * @param manifest the manifest in canonical form
 * @param files the files of this generation
 */
export function withIgnoredRuntime(
  plan: Plan,
  manifest: JsonObject,
  files: readonly OutputFile[],
  tree: ProjectTree,
): Plan {
  if (!files.some(({ path }) => isRuntimeFile(path))) return plan;
  if (isSwitchedOff(manifest, runtimeIgnored.entry.code)) return plan;
  const text = textAt(tree, IGNORE_FILE);
  const found = text === undefined ? undefined : [...text.matchAll(IGNORING)].at(-1);
  if (text === undefined || found === undefined) return plan;
  if (TAKEN_IN.test(text.slice(found.index))) return plan;
  const line = found[0].trimEnd();
  const place = placeOf(IGNORE_FILE, text, {
    start: found.index,
    end: found.index + line.length,
  });
  return withReport(plan, runtimeIgnored(place, { line }), text);
}
