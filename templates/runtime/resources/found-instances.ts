import { InvalidResultError } from "../engine/errors.js";
import { isObject } from "../engine/request-parameters.js";
import type { ListedInstance } from "./instances.js";

/** What an instance is listed with, beside its name. */
const FIELDS = ["title", "description", "mimeType", "size"];

/**
 * The instances of a template that rows or objects of JSON tell of. Each says the values of the variables by their
 * names, and may say what is listed: `name`, `title`, `description`, `mimeType` and `size`. Without a name, it is
 * called as its variables say.
 *
 * @param found a list of such objects; where there is one variable, of its values
 * @param variables the names of the template's variables
 * @throws InvalidResultError where it is no list
 */
export function instancesOf<Variables>(
  found: unknown,
  variables: readonly (keyof Variables & string)[],
): ListedInstance<Variables>[] {
  if (!Array.isArray(found)) throw new InvalidResultError("What was found is no list of instances");
  return found.map((entry: unknown) => {
    const told = isObject(entry) ? entry : { [variables[0] ?? ""]: entry };
    const values = membersOf(told, variables).map(([name, value]) => [name, textsOf(value)]);
    const fields = FIELDS.filter((field) => !variables.some((name) => name === field));
    const [[, name] = []] = membersOf(told, ["name"]);
    return {
      name: String(name ?? values.flatMap(([, value]) => value).join("/")),
      ...(Object.fromEntries(membersOf(told, fields).map(listed)) as object),
      variables: Object.fromEntries(values) as Variables,
    };
  });
}

/** The members of these names that have a value. */
function membersOf(
  object: Readonly<Record<string, unknown>>,
  names: readonly string[],
): [name: string, value: unknown][] {
  return names.flatMap((name): [string, unknown][] =>
    Object.hasOwn(object, name) && (object[name] ?? null) !== null ? [[name, object[name]]] : [],
  );
}

/** Sizes may be texts, as those of large numbers of a database are. */
function listed([field, value]: [name: string, value: unknown]): [string, unknown] {
  return [field, field === "size" ? Number(value) : value];
}

/** The values of a variable, which are texts. */
function textsOf(value: unknown): string | string[] {
  return Array.isArray(value) ? value.map(String) : String(value);
}
