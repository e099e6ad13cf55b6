import { ownValue } from "../schema/json-schema.js";
import { textIn } from "./api-document.js";
import { modelSettings, nameOfOperation, tagsOf, type Operation } from "./operations.js";

/**
 * Selects operations: those that match each of the lists of tags, paths and methods that is not empty, and those that
 * are named besides.
 */
export interface Selection {
  readonly tags: readonly string[];
  /** Globs for paths: `*` is a part of a segment, `**` any number of segments. */
  readonly paths: readonly string[];
  readonly methods: readonly string[];
  /** Names of operations: an `operationId`, or `GET /orders`. */
  readonly operations: readonly string[];
  /** Names of operations that are left out. */
  readonly exclude: readonly string[];
}

/** The most operations that are imported without a selection. */
export const MOST_UNSELECTED = 40;

/** True if a selection says nothing, except which operations to leave out. */
export function isEmptySelection({ tags, paths, methods, operations }: Selection): boolean {
  return [tags, paths, methods, operations].every((list) => list.length === 0);
}

/**
 * The operations that a selection chooses. Deprecated operations, and operations that the document hides from models,
 * are chosen only by their names.
 */
export function selectOperations(
  operations: readonly Operation[],
  selection: Selection,
): Operation[] {
  const { exclude } = selection;
  const fits = filterOf(selection);
  return operations.filter((operation) => {
    if (isNamed(operation, exclude)) return false;
    if (isNamed(operation, selection.operations)) return true;
    return fits(operation) && !needsName(operation);
  });
}

/** The number of operations that a selection's filters fit, and that are chosen only where they are named. */
export function countUnnamed(operations: readonly Operation[], selection: Selection): number {
  const fits = filterOf(selection);
  return operations.filter((operation) => fits(operation) && needsName(operation)).length;
}

/** True if an operation is chosen only where it is named. */
const needsName = (operation: Operation): boolean =>
  modelSettings(operation).isHidden || ownValue(operation.value, "deprecated") === true;

/** The filter that tags, paths and methods make together. Where operations are named, no filter chooses none. */
function filterOf({ tags, paths, methods, operations }: Selection) {
  const isUnfiltered = [tags, paths, methods].every((list) => list.length === 0);
  if (isUnfiltered) return () => operations.length === 0;
  const globs = paths.map(expressionOf);
  return (operation: Operation): boolean =>
    (tags.length === 0 || tagsShown(operation).some((tag) => tags.includes(tag))) &&
    (globs.length === 0 || globs.some((glob) => glob.test(operation.route))) &&
    (methods.length === 0 || methods.some((name) => name.toUpperCase() === operation.method));
}

/** True if one of the names is that of the operation: its `operationId`, its name for models, or `GET /orders`. */
export function isNamed(operation: Operation, names: readonly string[]): boolean {
  const allNames = namesOf(operation);
  return names.some((name) => allNames.includes(name));
}

/** The names by which an operation can be chosen. */
export function namesOf(operation: Operation): string[] {
  const id = textIn(operation.value, "operationId");
  const modelName = textIn(modelSettings(operation).settings, "name");
  return [id, modelName, nameOfOperation(operation)].filter((name) => name !== undefined);
}

/** The expression that the URL paths of a glob match. */
export function expressionOf(glob: string): RegExp {
  const parts = glob.split(/(\*\*|\*)/).map((part) => {
    if (part === "**") return ".*";
    return part === "*" ? "[^/]*" : part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`, "u");
}

/** The number of operations for each tag, in the order of the document. */
export function countsByTag(operations: readonly Operation[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const operation of operations) {
    for (const tag of tagsShown(operation)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return counts;
}

/** The tag that selects operations without a tag. */
const NO_TAG = "(no tag)";

/** The tags of an operation by which it can be chosen: one that has none has a tag of its own. */
export function tagsShown(operation: Operation): string[] {
  const tags = tagsOf(operation);
  return tags.length === 0 ? [NO_TAG] : tags;
}
