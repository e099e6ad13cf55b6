import { isJsonObject, type JsonValue } from "../../model/json.js";
import { lettersOf, namesInCode, shortenedName, takeUnique } from "../tool-names.js";

/** The names that a manifest allows for tools. */
const ALLOWED = /^[A-Za-z0-9_.-]{1,64}$/;

/** New names for the tools whose names no manifest can have, by their names. They are the same in every run. */
export function toolNamesFor(tools: readonly JsonValue[]): ReadonlyMap<string, string> {
  const names = tools.flatMap((tool) => {
    const name = isJsonObject(tool) ? tool["name"] : undefined;
    return typeof name === "string" && name !== "" ? [name] : [];
  });
  const usedNames = new Set(names.filter((name) => ALLOWED.test(name)).flatMap(namesInCode));
  const renamed = names.filter((name) => !ALLOWED.test(name));
  return new Map(
    [...new Set(renamed)].map((name) => [name, takeUnique(allowedName(name), usedNames)]),
  );
}

/** The most code points of a name of a resource or of a template. */
export const LONGEST_NAME = 128;

/** A name of a length that a manifest allows for a resource or a template: its own one, cut, or one from its URI. */
export function possibleName(name: string, uri: JsonValue | undefined): string {
  const letters = typeof uri === "string" ? shortenedName(lettersOf(uri)) : "";
  return name === "" ? letters || "resource" : [...name].slice(0, LONGEST_NAME).join("");
}

function allowedName(name: string): string {
  const letters = shortenedName(lettersOf(name));
  if (letters === "") return "tool";
  return letters in Object.prototype ? `${letters}_tool` : letters;
}
