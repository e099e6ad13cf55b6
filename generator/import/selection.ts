import { ownValue } from "../schema/json-schema.js";
import { textIn } from "./api-document.js";
import { forModels, nameOfOperation, tagsOf, type Operation } from "./operations.js";

/** Which operations are wanted; each list that has entries must have one that fits. */
export interface Selection {
  readonly tags: readonly string[];
  /** Globs: `*` stands for a part of a segment, `**` for any number of segments. */
  readonly paths: readonly string[];
  readonly methods: readonly string[];
  /** By `operationId`, or as `GET /orders`. */
  readonly operations: readonly string[];
  /** The same; what fits here is left out. */
  readonly exclude: readonly string[];
}

/** Most operations that are imported where nothing says which. */
export const MOST_UNASKED = 40;

export function isOpen({ tags, paths, methods, operations }: Selection): boolean {
  return [tags, paths, methods, operations].every((list) => list.length === 0);
}

/**
 * The operations that are wanted. Those that the document hides from models, and deprecated ones, are wanted
 * only where they are named.
 */
export function selected(operations: readonly Operation[], selection: Selection): Operation[] {
  const { tags, paths, methods, exclude } = selection;
  const globs = paths.map(expressionOf);
  return operations.filter((operation) => {
    if (isNamed(operation, exclude)) return false;
    if (selection.operations.length > 0) return isNamed(operation, selection.operations);
    if (forModels(operation).isHidden || ownValue(operation.value, "deprecated") === true) {
      return false;
    }
    return (
      (tags.length === 0 || shownTags(operation).some((tag) => tags.includes(tag))) &&
      (globs.length === 0 || globs.some((glob) => glob.test(operation.route))) &&
      (methods.length === 0 || methods.some((name) => name.toUpperCase() === operation.method))
    );
  });
}

/** Whether an operation is one of those that are named: by `operationId`, or as `GET /orders`. */
export function isNamed(operation: Operation, names: readonly string[]): boolean {
  const id = textIn(operation.value, "operationId");
  const own = [nameOfOperation(operation), id, textIn(forModels(operation).settings, "name")];
  return names.some((name) => own.includes(name));
}

function expressionOf(glob: string): RegExp {
  const parts = glob.split(/(\*\*|\*)/).map((part) => {
    if (part === "**") return ".*";
    return part === "*" ? "[^/]*" : part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`, "u");
}

/** How many operations each tag has, in the order of the document. */
export function countsByTag(operations: readonly Operation[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const operation of operations) {
    for (const tag of shownTags(operation)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return counts;
}

/** What operations without a tag are chosen by. */
const NO_TAG = "(no tag)";

function shownTags(operation: Operation): string[] {
  const tags = tagsOf(operation);
  return tags.length === 0 ? [NO_TAG] : tags;
}
