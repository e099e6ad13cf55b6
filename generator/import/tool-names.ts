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
  const taken = new Set([...others, ...names.values()].map((name) => name.toLowerCase()));
  const open = operations.filter((operation) => !names.has(operation));
  const wanted = open.map((operation) => nameFor(operation));
  const isShared = (name: string) =>
    wanted.filter((other) => other.toLowerCase() === name.toLowerCase()).length > 1;
  open.forEach((operation, index) => {
    const name = wanted[index] ?? "";
    const own =
      isShared(name) || taken.has(name.toLowerCase())
        ? cut(`${name}_${fromRoute(operation)}`)
        : name;
    names.set(operation, free(own, taken));
  });
  return names;
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
  for (let count = 2; taken.has(own.toLowerCase()); count += 1) {
    own = `${name.slice(0, LONGEST - 4)}_${count}`;
  }
  taken.add(own.toLowerCase());
  return own;
}
