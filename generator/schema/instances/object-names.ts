import { isJsonObject, type JsonObject } from "../../model/json.js";
import { ownValue } from "../json-schema.js";
import { namesIn, schemaEntries } from "../keyword-values.js";

/** The names under `properties` whose schema is not `false`. */
export function declaredNames(schemas: readonly JsonObject[]): string[] {
  const names: string[] = [];
  for (const { properties } of schemas) {
    for (const [name, property] of schemaEntries(properties))
      if (property !== false) names.push(name);
  }
  return names;
}

/** The required names, with those that `dependentRequired` and `dependencies` require because of them. */
export function requiredNames(schemas: readonly JsonObject[]): Set<string> {
  const names = new Set<string>();
  for (const { required } of schemas) for (const name of namesIn(required)) names.add(name);
  if (!schemas.some(hasDependents)) return names;
  // The loop also visits the names that it adds.
  for (const name of names) {
    for (const dependent of dependentNames(schemas, name)) names.add(dependent);
  }
  return names;
}

function hasDependents({ dependentRequired, dependencies }: JsonObject): boolean {
  return dependentRequired !== undefined || dependencies !== undefined;
}

function dependentNames(schemas: readonly JsonObject[], name: string): string[] {
  return schemas.flatMap(({ dependentRequired, dependencies }) =>
    [dependentRequired, dependencies].flatMap((map) =>
      isJsonObject(map) ? namesIn(ownValue(map, name)) : [],
    ),
  );
}
