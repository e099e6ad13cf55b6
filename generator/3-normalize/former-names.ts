/** The earlier names of an item that states any. */
export function formerNames({ renamedFrom }: { renamedFrom?: string | string[] }): {
  formerNames?: readonly string[];
} {
  return renamedFrom === undefined ? {} : { formerNames: [renamedFrom].flat() };
}
