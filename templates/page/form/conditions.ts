import { FormValidator } from "./problems.js";
import { asObject, isObject, mergeSchemas, type Schema } from "./schema.js";

/** The resolved schema of an object, merged with the schemas of its conditions that apply to a value. */
export function withConditions(schema: Schema, value: unknown, root: Schema): Schema {
  const { if: condition, then, else: elseSchema, ...unconditional } = schema;
  const hasMember = (name: string): boolean => isObject(value) && Object.hasOwn(value, name);
  const dependent = (keyword: string): readonly unknown[] =>
    Object.entries(asObject(schema[keyword])).flatMap(([name, part]) =>
      hasMember(name) ? [part] : [],
    );
  const applicable = [
    ...(isObject(condition)
      ? [new FormValidator(condition, root).accepts(value) ? then : elseSchema]
      : []),
    ...dependent("dependentSchemas"),
    ...dependent("dependentRequired").map((required) => ({ required })),
  ].filter(isObject);
  return applicable.length === 0 ? schema : mergeSchemas({}, [unconditional, ...applicable], root);
}
