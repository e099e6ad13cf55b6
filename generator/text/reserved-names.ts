/** Own and inherited members of every object: as keys of plain objects they find something that nobody put there. */
const OBJECT_MEMBERS: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** True for `constructor`, `toString`, `__proto__` and the other members that every object has. */
export function isObjectMember(name: string): boolean {
  return OBJECT_MEMBERS.has(name);
}

/** True for names of digits only, which objects move in front of all other keys. */
export function isIntegerLike(name: string): boolean {
  return /^[0-9]+$/.test(name);
}
