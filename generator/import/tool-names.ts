import { itemNames } from "../text/names.js";
import { preferredName, type Operation } from "./operations.js";

/** The most characters of a tool's name that model APIs accept. */
const LONGEST = 64;

/**
 * Names for the tools of operations. They are unique, and the same in every run.
 *
 * @param formerNames the names at the last import. A name stays as long as it fits the operation's name in the document.
 * @param others names of other items
 */
export function toolNames(
  operations: readonly Operation[],
  formerNames: ReadonlyMap<Operation, string> = new Map(),
  others: readonly string[] = [],
): Map<Operation, string> {
  const keptNames = [...formerNames].filter(([operation, name]) => isMadeFrom(operation, name));
  const names = new Map<Operation, string>(keptNames);
  const usedNames = new Set([...others, ...names.values()].flatMap(namesInCode));
  const unnamed = operations.filter((operation) => !names.has(operation));
  const baseNames = unnamed.map((operation) => nameFor(operation));
  const counts = new Map<string, number>();
  for (const key of baseNames.flatMap(namesInCode)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const isShared = (key: string): boolean => (counts.get(key) ?? 0) > 1 || usedNames.has(key);
  unnamed.forEach((operation, index) => {
    const baseName = baseNames[index] ?? "";
    const name = namesInCode(baseName).some(isShared) ? withRoute(baseName, operation) : baseName;
    names.set(operation, takeUnique(name, usedNames));
  });
  return names;
}

/** The file name and the identifier that a name becomes in code. No two names may become the same ones. */
export function namesInCode(name: string): string[] {
  const { fileName, identifier } = itemNames(name);
  return [`${fileName.toLowerCase()}.ts`, identifier.toLowerCase()];
}

/** True if a name was made from the operation's name, with or without its route and a number. */
export function isMadeFrom(operation: Operation, name: string): boolean {
  const baseName = nameFor(operation);
  const withoutNumber = name.replace(/_\d+$/, "");
  return name === baseName || [baseName, withRoute(baseName, operation)].includes(withoutNumber);
}

/** A name that differs from those of operations with the same base name. */
const withRoute = (baseName: string, operation: Operation): string =>
  shortenedName(`${baseName}_${fromRoute(operation)}`);

function nameFor(operation: Operation): string {
  const id = lettersOf(preferredName(operation) ?? "");
  const isUsable = /[A-Za-z]/.test(id) && !(id in Object.prototype);
  return shortenedName(isUsable ? id : fromRoute(operation));
}

/** `GET /orders/{id}/items` → `get_orders_id_items` */
function fromRoute({ method, route }: Operation): string {
  return lettersOf(`${method.toLowerCase()}${route.replace(/[{}]/g, "")}`);
}

export function lettersOf(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "");
}

/** A name that is not too long. Words are removed from the middle, since the end of a route says more. */
export function shortenedName(name: string): string {
  if (name.length <= LONGEST) return name;
  const words = name.split("_");
  while (words.length > 2 && words.join("_").length > LONGEST) words.splice(1, 1);
  return words.join("_").slice(0, LONGEST).replace(/_+$/, "");
}

/**
 * The name, with a number if it is taken. Adds the result to `usedNames`.
 *
 * @param longest the most code points of the result
 */
export function takeUnique(name: string, usedNames: Set<string>, longest = LONGEST): string {
  const characters = [...name];
  let unique = name;
  for (let count = 2; namesInCode(unique).some((key) => usedNames.has(key)); count += 1) {
    const suffix = `_${count}`;
    const kept = characters.slice(0, longest - Math.max(suffix.length, 4));
    unique = `${kept.join("")}${suffix}`;
  }
  for (const key of namesInCode(unique)) usedNames.add(key);
  return unique;
}
