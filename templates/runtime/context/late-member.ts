/** What a context keeps of a member: what it is made of, and the member once it is made. */
interface LateMember<Given> {
  readonly given: Given;
  made?: unknown;
}

/**
 * Says how a member of contexts is made when a handler first reads it.
 *
 * All contexts share one getter. V8 puts a getter that only one object has among the old objects: the context, its request
 * and its response would stay in memory until V8 collects old objects, too.
 *
 * @param make makes the member of a context, of what was given with it
 * @returns adds the member to a context
 */
export function lateMember<Given = void>(
  name: string,
  make: (given: Given, context: object) => unknown,
): (context: object, given: Given) => void {
  const key = Symbol(name);
  const descriptor: PropertyDescriptor = {
    configurable: true,
    enumerable: true,
    get(this: { readonly [key]: LateMember<Given> }) {
      const member = this[key];
      return (member.made ??= make(member.given, this));
    },
  };
  return (context, given) => {
    const member: LateMember<Given> = { given };
    Object.defineProperty(context, key, { value: member });
    Object.defineProperty(context, name, descriptor);
  };
}
