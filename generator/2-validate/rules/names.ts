import type { Place } from "../../model/place.js";
import {
  duplicateArgument,
  duplicateName,
  nameCollision,
} from "../../model/catalogue/rules-names.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { ItemNames } from "../../model/server-model.js";
import { completionIdentifier, itemNames, listIdentifier } from "../../text/names.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { itemsOf, mappingsIn, textIn, type ItemList, type Mapping } from "../manifest-view.js";
import { LIST_WORDS } from "../wording.js";
import { quoted } from "../../text/value-words.js";

interface NamedItem {
  readonly name: string;
  readonly list: ItemList;
  readonly place: () => Place;
  /** The constants that its module has beside the handler. */
  readonly constants: (names: ItemNames) => string[];
}

/** Lists whose handlers share a folder and a namespace. */
const NAMESPACES: readonly (readonly ItemList[])[] = [
  ["tools"],
  ["resources", "resourceTemplates"],
  ["prompts"],
];

/** Reports names that occur twice in a list, and names whose identifiers or file names are equal. */
export function checkNames(manifest: LoadedManifest): Diagnostic[] {
  return NAMESPACES.flatMap((lists) => {
    const items = lists.flatMap((list) => namedItems(manifest, list));
    const unique = new Map<string, NamedItem>();
    const duplicates = items.flatMap((item) => duplicateProblem(item, unique));
    return [...duplicates, ...collisionProblems([...unique.values()])];
  });
}

function namedItems(manifest: LoadedManifest, list: ItemList): NamedItem[] {
  return itemsOf(manifest, list).flatMap(({ path, value }) => {
    const name = textIn(value, "name");
    if (name === undefined || name === "") return [];
    const constants = (names: ItemNames): string[] => constantsOf(value, names);
    const place = () => manifest.locate([...path, "name"], "value");
    return [{ name, list, place, constants }];
  });
}

function constantsOf(item: JsonObject, names: ItemNames): string[] {
  const { list, complete, arguments: declared } = item;
  const ofArguments = Array.isArray(declared) ? declared.filter(isJsonObject) : [];
  const completions = [
    ...(isJsonObject(complete) ? Object.values(complete) : []),
    ...ofArguments.map((argument) => argument["complete"]),
  ];
  return [
    ...(completions.some(isComputed) ? [completionIdentifier(names)] : []),
    ...(isComputed(list) ? [listIdentifier(names)] : []),
  ];
}

/** True if code finds the values: a person's function, or a body, which a person may take over. */
function isComputed(source: JsonValue | undefined): boolean {
  return source === "code" || isJsonObject(source ?? null);
}

function duplicateProblem(item: NamedItem, unique: Map<string, NamedItem>): Diagnostic[] {
  const { name, list, place } = item;
  const key = `${list} ${name}`;
  const first = unique.get(key);
  if (first === undefined) {
    unique.set(key, item);
    return [];
  }
  const parameters = { what: LIST_WORDS[list], name: quoted(name), first: first.place() };
  return [duplicateName(place(), parameters, [relatedPlace(first)])];
}

function collisionProblems(items: readonly NamedItem[]): Diagnostic[] {
  // Names that differ in case only are reported: many file systems, and readers, do not distinguish them.
  const files = new Map<string, NamedItem>();
  const identifiers = new Map<string, NamedItem>();
  return items.flatMap((item) => {
    const names = itemNames(item.name);
    const inFile = claim(files, names.fileName, item);
    const problems =
      inFile === undefined ? [] : [collisionProblem(item, inFile, `the file ${names.fileName}.ts`)];
    for (const identifier of [names.identifier, ...item.constants(names)]) {
      const first = claim(identifiers, identifier, item);
      if (first === undefined) continue;
      problems.push(collisionProblem(item, first, `the identifier ${identifier}`));
    }
    return problems.slice(0, 1);
  });
}

/** True if two names are the same, or would have one file or identifier. Another rule reports such items. */
export function namesMeet(name: string, other: string): boolean {
  const [first, second] = [itemNames(name), itemNames(other)];
  return (["fileName", "identifier"] as const).some(
    (key) => first[key].toLowerCase() === second[key].toLowerCase(),
  );
}

/** Returns another item that has taken the name. If there is none, this item takes it. */
function claim(
  taken: Map<string, NamedItem>,
  name: string,
  item: NamedItem,
): NamedItem | undefined {
  const key = name.toLowerCase();
  const first = taken.get(key);
  if (first === undefined) taken.set(key, item);
  return first === item ? undefined : first;
}

function collisionProblem(item: NamedItem, first: NamedItem, shared: string): Diagnostic {
  const parameters = {
    name: quoted(item.name),
    other: quoted(first.name),
    first: first.place(),
    shared,
    isTool: item.list === "tools",
  };
  return nameCollision(item.place(), parameters, [relatedPlace(first)]);
}

const relatedPlace = ({ name, place }: NamedItem) => ({
  ...place(),
  message: `${quoted(name)} is here`,
});

/** Reports arguments of one prompt with the same name. */
export function checkPromptArguments(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "prompts").flatMap((prompt) => duplicateArguments(manifest, prompt));
}

function duplicateArguments(manifest: LoadedManifest, prompt: Mapping): Diagnostic[] {
  const first = new Map<string, Place>();
  return mappingsIn(prompt, "arguments").flatMap(({ path, value }) => {
    const name = textIn(value, "name");
    if (name === undefined) return [];
    const place = manifest.locate([...path, "name"], "value");
    const earlier = first.get(name);
    if (earlier === undefined) {
      first.set(name, place);
      return [];
    }
    const parameters = { name: quoted(name), first: earlier };
    const message = `${quoted(name)} is here`;
    return [duplicateArgument(place, parameters, [{ ...earlier, message }])];
  });
}
