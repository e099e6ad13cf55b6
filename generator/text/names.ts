import { createHash } from "node:crypto";
import type { ItemNames } from "../model/server-model.js";

/** Words that may not name a constant in an ES module, and globals that must not be shadowed. */
const RESERVED_IDENTIFIERS: ReadonlySet<string> = new Set(
  (
    "abstract any arguments as async await boolean break case catch class const continue debugger declare default delete do else " +
    "enum eval export extends false finally for from function get global globalThis if implements import in infinity instanceof " +
    "interface is keyof let module namespace nan never new null number object of package private protected public readonly " +
    "require return set static string super switch symbol this throw true try type typeof undefined unique unknown var void " +
    "while with yield process console input context entry handlers validators tools prompts resources resourcetemplates test assert createtestcontext"
  ).split(" "),
);

/** Refused as stems of an item's type names: `ToolInput`, `TemplateVariables` and the like belong to the library. */
const COMMON_TYPE_STEMS: ReadonlySet<string> = new Set([
  "Prompt",
  "ResourceTemplate",
  "Template",
  "Tool",
]);

/** Device names of Windows, which are reserved with any extension. */
const RESERVED_FILE_NAME = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** The ASCII words of a name in lower case, split at punctuation and at changes of case (`getHTTPData` → get, http, data). */
export function wordsOf(name: string): string[] {
  // Most names are in snake case.
  if (/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(name)) return name.split("_");
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** True if `wordsOf` drops characters that distinguish two names: those beyond ASCII. */
function losesCharacters(name: string): boolean {
  return /[^\x20-\x7e]/.test(name);
}

function stableSuffix(name: string): string {
  return createHash("sha256").update(name.normalize("NFC")).digest("hex").slice(0, 6);
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * The names of an item in generated code. They depend only on its name in the manifest, so that adding another item never
 * renames it. 2-validate refuses two items with equal names.
 */
export function itemNames(name: string): ItemNames {
  const names = cachedNames.get(name) ?? Object.freeze(namesOf(name));
  cachedNames.set(name, names);
  return names;
}

const cachedNames = new Map<string, ItemNames>();

function namesOf(name: string): ItemNames {
  const words = distinctWords(name);
  const typeName = typeNameOf(words);
  const identifier = (words[0] ?? "") + words.slice(1).map(capitalize).join("");
  const fileName = words.join("-");
  return {
    identifier: safeIdentifier(identifier),
    typeName: COMMON_TYPE_STEMS.has(typeName) ? `${typeName}_` : typeName,
    fileName: RESERVED_FILE_NAME.test(fileName) ? `${fileName}-item` : fileName,
  };
}

function distinctWords(name: string): string[] {
  const words = wordsOf(name);
  if (words.length === 0 || losesCharacters(name)) words.push(`x${stableSuffix(name)}`);
  return words;
}

/** A name in Pascal case: `get_forecast` is `GetForecast`. */
export function pascalCase(name: string): string {
  return typeNameOf(distinctWords(name));
}

function typeNameOf(words: readonly string[]): string {
  const typeName = words.map(capitalize).join("");
  return /^[0-9]/.test(typeName) ? `_${typeName}` : typeName;
}

/** Name of the constant that completes an item's arguments or variables. */
export function completionIdentifier({ identifier }: Pick<ItemNames, "identifier">): string {
  return `${identifier.replace(/_$/, "")}Completion`;
}

/** Name of the constant that lists a template's instances. */
export function listIdentifier({ identifier }: Pick<ItemNames, "identifier">): string {
  return `${identifier.replace(/_$/, "")}Instances`;
}

function safeIdentifier(identifier: string): string {
  if (/^[0-9]/.test(identifier)) return `_${identifier}`;
  return RESERVED_IDENTIFIERS.has(identifier.toLowerCase()) ? `${identifier}_` : identifier;
}

/** Words that cannot be names of variables. */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in Infinity instanceof interface let NaN new null package private " +
    "protected public return static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/**
 * The name of an argument in generated code: its own name if that is a valid one.
 *
 * @param usedNames names that are already used
 */
export function argumentIdentifier(name: string, usedNames: ReadonlySet<string>): string {
  const words = distinctWords(name);
  const camelCase = (words[0] ?? "") + words.slice(1).map(capitalize).join("");
  const validName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : camelCase;
  const base =
    /^[0-9]/.test(validName) || RESERVED_WORDS.has(validName) ? `_${validName}` : validName;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? base : `${base}${number}`;
    if (!usedNames.has(candidate)) return candidate;
  }
}

/** Type names of generated code and of TypeScript. */
const RESERVED_TYPE_NAMES: ReadonlySet<string> = new Set(
  (
    "Array Awaitable Boolean CompletionCode CompletionQuery CompletionValues Context Date Elicit Env Error Function " +
    "HandlerContext ItemSwitches JsonArray JsonObject JsonPrimitive JsonValue ListedInstance Map NoValues Notifier " +
    "Number Object Omit Partial Pick Promise PromptArguments PromptAsks PromptCompletion PromptCompletions " +
    "PromptContext PromptHandler PromptName Readonly ReadonlyArray Record RegExp Required ResourceAsks " +
    "ResourceContext ResourceHandler ResourceName ResourceTemplateCompletion ResourceTemplateCompletions " +
    "ResourceTemplateHandler ResourceTemplateList ResourceTemplateName RootsContext SamplingContext ServerControls " +
    "Services Set String Symbol TemplateAsks TemplateContext TemplateVariables ToolAsks ToolContent ToolContext " +
    "ToolError ToolHandler ToolInput ToolInputs ToolName ToolOutput ToolOutputs ToolResult"
  ).split(" "),
);

/** A type name for each shared schema, in Pascal case; numbered if it is already used. */
export function sharedTypeNames(
  names: readonly string[],
  itemTypeNames: Iterable<string>,
): ReadonlyMap<string, string> {
  const typeNames = new Map<string, string>();
  if (names.length === 0) return typeNames;
  const usedNames = new Set([...RESERVED_TYPE_NAMES, ...itemTypeNames]);
  for (const name of names) {
    const base = pascalCase(name);
    let typeName = usedNames.has(base) ? `${base}Schema` : base;
    for (let count = 2; usedNames.has(typeName); count++) typeName = `${base}${count}`;
    usedNames.add(typeName);
    typeNames.set(name, typeName);
  }
  return typeNames;
}

/** A file name without extension for each shared schema; numbered if it is already used. */
export function sharedFileNames(names: readonly string[]): ReadonlyMap<string, string> {
  const fileNames = new Map<string, string>();
  const usedNames = new Set<string>();
  for (const name of names) {
    const base = itemNames(name).fileName;
    let fileName = base;
    for (let count = 2; usedNames.has(fileName); count++) fileName = `${base}-${count}`;
    usedNames.add(fileName);
    fileNames.set(name, fileName);
  }
  return fileNames;
}
