/** Members that every object inherits, so that looking them up in an object finds a value that was never set. */
const OBJECT_MEMBERS: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** True for `constructor`, `toString`, `__proto__` and the other members that every object has. */
export function isObjectMember(name: string): boolean {
  return OBJECT_MEMBERS.has(name);
}

/** True for names of digits only, which objects order before all other keys. */
export function isIntegerLike(name: string): boolean {
  return /^[0-9]+$/.test(name);
}
