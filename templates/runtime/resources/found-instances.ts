import { InvalidResultError } from "../engine/errors.js";
import { isObject } from "../engine/request-parameters.js";
import type { ListedInstance } from "./instances.js";

/** The members of a listed instance, other than its name. */
const FIELDS = ["title", "description", "mimeType", "size"];

/**
 * Converts rows or JSON objects to instances of a template. Each has the values of the variables by their names, and
 * may have the listed `name`, `title`, `description`, `mimeType` and `size`. The default name consists of the values
 * of the variables.
 *
 * @param found a list of such objects, or of the values of the only variable
 * @param variables the names of the template's variables
 * @throws InvalidResultError if it is no list
 */
export function instancesOf<Variables>(
  found: unknown,
  variables: readonly (keyof Variables & string)[],
): ListedInstance<Variables>[] {
  if (!Array.isArray(found)) throw new InvalidResultError("What was found is no list of instances");
  return found.map((entry: unknown) => {
    const instance = isObject(entry) ? entry : { [variables[0] ?? ""]: entry };
    const values = membersOf(instance, variables).map(([name, value]) => [name, textsOf(value)]);
    const fields = FIELDS.filter((field) => !variables.some((name) => name === field));
    const [[, name] = []] = membersOf(instance, ["name"]);
    return {
      name: String(name ?? values.flatMap(([, value]) => value).join("/")),
      ...(Object.fromEntries(membersOf(instance, fields).map(listed)) as object),
      variables: Object.fromEntries(values) as Variables,
    };
  });
}

/** Returns the members with these names that have a value. */
function membersOf(
  object: Readonly<Record<string, unknown>>,
  names: readonly string[],
): [name: string, value: unknown][] {
  return names.flatMap((name): [string, unknown][] =>
    Object.hasOwn(object, name) && (object[name] ?? null) !== null ? [[name, object[name]]] : [],
  );
}

/** Reads a size. It may be a text, as large numbers of a database are. */
function listed([field, value]: [name: string, value: unknown]): [string, unknown] {
  return [field, field === "size" ? Number(value) : value];
}

/** Converts the values of a variable to texts. */
function textsOf(value: unknown): string | string[] {
  return Array.isArray(value) ? value.map(String) : String(value);
}
