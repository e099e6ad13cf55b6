import { itemNames } from "../text/names.js";
import { wantedName, type Operation } from "./operations.js";

const LONGEST = 64;

/**
 * A name for the tool of each operation, all different, the same at every run.
 *
 * @param former the names that were last imported; one stays for as long as the document wants the same
 * @param others names that other items have
 */
export function toolNames(
  operations: readonly Operation[],
  former: ReadonlyMap<Operation, string> = new Map(),
  others: readonly string[] = [],
): Map<Operation, string> {
  const kept = [...former].filter(([operation, name]) => isMadeOf(operation, name));
  const names = new Map<Operation, string>(kept);
  const taken = new Set([...others, ...names.values()].flatMap(inCode));
  const open = operations.filter((operation) => !names.has(operation));
  const wanted = open.map((operation) => nameFor(operation));
  const counts = new Map<string, number>();
  for (const key of wanted.flatMap(inCode)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const isShared = (key: string): boolean => (counts.get(key) ?? 0) > 1 || taken.has(key);
  open.forEach((operation, index) => {
    const name = wanted[index] ?? "";
    const own = inCode(name).some(isShared) ? cut(`${name}_${fromRoute(operation)}`) : name;
    names.set(operation, free(own, taken));
  });
  return names;
}

/** The file and the identifier that a name becomes, which no other name of the manifest may become. */
function inCode(name: string): string[] {
  const { fileName, identifier } = itemNames(name);
  return [`${fileName.toLowerCase()}.ts`, identifier.toLowerCase()];
}

/** Whether a name is that of an operation, with or without what tells it from others. */
function isMadeOf(operation: Operation, name: string): boolean {
  const own = nameFor(operation);
  return (
    [own, cut(`${own}_${fromRoute(operation)}`)].includes(name.replace(/_\d+$/, "")) || name === own
  );
}

function nameFor(operation: Operation): string {
  const id = lettersOf(wantedName(operation) ?? "");
  const isUsable = /[A-Za-z]/.test(id) && !(id in Object.prototype);
  return cut(isUsable ? id : fromRoute(operation));
}

/** `GET /orders/{id}/items` → `get_orders_id_items` */
function fromRoute({ method, route }: Operation): string {
  return lettersOf(`${method.toLowerCase()}${route.replace(/[{}]/g, "")}`);
}

function lettersOf(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "");
}

/** At most as long as a name may be; the end says more than the middle. */
function cut(name: string): string {
  if (name.length <= LONGEST) return name;
  const words = name.split("_");
  while (words.length > 2 && words.join("_").length > LONGEST) words.splice(1, 1);
  return words.join("_").slice(0, LONGEST).replace(/_+$/, "");
}

function free(name: string, taken: Set<string>): string {
  let own = name;
  for (let count = 2; inCode(own).some((key) => taken.has(key)); count += 1) {
    own = `${name.slice(0, LONGEST - 4)}_${count}`;
  }
  for (const key of inCode(own)) taken.add(key);
  return own;
}
