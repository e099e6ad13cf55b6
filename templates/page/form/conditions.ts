import { Judge } from "./problems.js";
import { asObject, isObject, joined, type Schema } from "./schema.js";

/** The resolved schema of an object with what its conditions add for the members that there are. */
export function forValue(schema: Schema, value: unknown, root: Schema): Schema {
  const { if: condition, then, else: otherwise, ...rest } = schema;
  const has = (name: string): boolean => isObject(value) && Object.hasOwn(value, name);
  const dependent = (keyword: string): readonly unknown[] =>
    Object.entries(asObject(schema[keyword])).flatMap(([name, part]) => (has(name) ? [part] : []));
  const added = [
    ...(isObject(condition) ? [new Judge(condition, root).accepts(value) ? then : otherwise] : []),
    ...dependent("dependentSchemas"),
    ...dependent("dependentRequired").map((required) => ({ required })),
  ].filter(isObject);
  return added.length === 0 ? schema : joined({}, [rest, ...added], root);
}
