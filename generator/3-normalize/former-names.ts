/** The earlier names of an item, as a field to spread. Nothing if it has none. */
export function formerNames({ renamedFrom }: { renamedFrom?: string | string[] }): {
  formerNames?: readonly string[];
} {
  return renamedFrom === undefined ? {} : { formerNames: [renamedFrom].flat() };
}
