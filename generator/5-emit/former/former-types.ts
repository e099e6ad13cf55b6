import type { ItemNames, ServerModel } from "../../model/server-model.js";
import { answersTypeName, inputTypeName, outputTypeName } from "../../model/type-names.js";
import { itemNames } from "../../text/names.js";
import type { KnownTypes } from "../types/emit-types.js";
import { JSON_TYPE_NAMES } from "../types/json-types.js";
import type { FormerGeneration } from "./former-generation.js";

/** The other types of a module. */
export interface OtherTypes {
  /** Made from schemas, but not from those of tools. */
  readonly requested: readonly string[];
  /** Not made from schemas. */
  readonly own: readonly string[];
}

/**
 * The types of the tools that are as they were; `undefined` where those of the others could have to do
 * with them. Types meet in what the manifest's `schemas` define, and in their names: an inner type is
 * named after the type that it is inside, and then some, but never as another type is.
 *
 * @param path of the module
 */
export function keptTypes(
  former: FormerGeneration,
  path: string,
  { tools, sharedSchemas }: ServerModel,
  others: OtherTypes,
): KnownTypes | undefined {
  const { kept, names, restIsSame } = former.tools;
  const isSimple = restIsSame && sharedSchemas.length === 0 && kept.size > 0;
  const text = isSimple ? former.text(path) : undefined;
  if (text === undefined) return undefined;
  const keptTools = tools.filter(({ name }) => kept.has(name));
  const keptNames = new Set(keptTools.flatMap(schemaTypeNames));
  const now = tools.filter(({ name }) => !kept.has(name)).flatMap(requestedNames);
  const gone = names
    .filter((name) => !kept.has(name))
    .map(itemNames)
    .flatMap(requestedNames);
  const requested = new Set([...now, ...gone, ...others.requested]);
  const asked = keptTools.flatMap(requestedNames);
  const sections = sectionsIn(text, new Set([...asked, ...requested, ...JSON_TYPE_NAMES]));
  const own = [...others.own, ...wordsOf(sections.get(BEFORE_ALL))];
  if (areRelated(keptNames, requested, own)) return undefined;
  return {
    sections: new Map([...sections].filter(([name]) => keptNames.has(name))),
    jsonTypes: JSON_TYPE_NAMES.filter((name) => sections.has(name)),
  };
}

/** The types that are made from the schemas of a tool, whether it has both or not. */
function schemaTypeNames(tool: ItemNames): string[] {
  return [inputTypeName(tool), outputTypeName(tool)];
}

function requestedNames(tool: ItemNames): string[] {
  return [...schemaTypeNames(tool), answersTypeName({ ...tool, kind: "tool" })];
}

/** Stands for what comes before the first section. */
const BEFORE_ALL = "";
const DECLARED = /^(?:\/\*\*[^]*?\*\/\n)?export (?:interface|type) (\w+)/;

/** The declarations of a module, those of some types and of all that stands after them together. */
function sectionsIn(text: string, starts: ReadonlySet<string>): ReadonlyMap<string, string> {
  const sections = new Map<string, string[]>();
  let name = BEFORE_ALL;
  for (const block of text.trimEnd().split("\n\n")) {
    const declared = DECLARED.exec(block)?.[1];
    if (declared !== undefined && starts.has(declared)) name = declared;
    const blocks = sections.get(name);
    if (blocks === undefined) sections.set(name, [block]);
    else blocks.push(block);
  }
  return new Map([...sections].map(([start, blocks]) => [start, blocks.join("\n\n")]));
}

function wordsOf(text = ""): Set<string> {
  return new Set(text.match(/\w+/g));
}

/** Whether a name of one kind starts with a name of the other. */
function areRelated(
  kept: ReadonlySet<string>,
  requested: ReadonlySet<string>,
  own: readonly string[],
): boolean {
  const startsWithKept = (name: string): boolean => startsWithAny(name, kept);
  return (
    [...kept].some((name) => startsWithAny(name, requested)) ||
    [...requested].some(startsWithKept) ||
    own.some(startsWithKept)
  );
}

/** Fewer names than these are tried one by one. */
const FEW = 16;

/** Whether a name starts with one of others, which it is not itself. */
function startsWithAny(name: string, others: ReadonlySet<string>): boolean {
  if (others.size < FEW) {
    for (const other of others) if (name !== other && name.startsWith(other)) return true;
    return false;
  }
  for (let length = 1; length < name.length; length += 1) {
    if (others.has(name.slice(0, length))) return true;
  }
  return false;
}
