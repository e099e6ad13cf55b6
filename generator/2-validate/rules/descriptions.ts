import { wordsOf } from "../../../templates/runtime/search/words.js";
import {
  advertising,
  alikeTools,
  descriptionBegins,
  descriptionRestatesName,
  quantityWithoutUnit,
  unsaidResult,
} from "../../model/catalogue/rules-descriptions.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { itemNames } from "../../text/names.js";
import { quoted } from "../../text/value-words.js";
import { inputProperties, typesOfProperty } from "../../schema/input-properties.js";
import { has, itemsOf, mappingIn, rootOf, textIn, type Mapping } from "../manifest-view.js";

/** How many tools a warning names. It counts the others. */
const NAMED_TOOLS = 3;

/** A tool that has a description. */
interface DescribedTool extends Mapping {
  readonly name: string;
  readonly description: string;
}

/** The tools whose descriptions can be judged. */
function describedTools(manifest: LoadedManifest): readonly DescribedTool[] {
  return itemsOf(manifest, "tools").flatMap((tool) => {
    const name = textIn(tool.value, "name");
    const description = textIn(tool.value, "description")?.trim() ?? "";
    return name === undefined || description === "" ? [] : [{ ...tool, name, description }];
  });
}

/** Gives one warning for all tools that a rule finds, at the first of them. */
function oneForAll<Found>(
  manifest: LoadedManifest,
  find: (tool: DescribedTool) => Found | undefined,
  report: (
    first: Found,
    tools: { found: number; of: number; named: readonly string[] },
    place: ReturnType<LoadedManifest["locate"]>,
  ) => Diagnostic,
): Diagnostic[] {
  const tools = describedTools(manifest);
  const found = tools.flatMap((tool) => {
    const finding = find(tool);
    return finding === undefined ? [] : [{ tool, finding }];
  });
  const [first] = found;
  if (first === undefined) return [];
  const named = found.slice(0, NAMED_TOOLS).map(({ tool }) => quoted(tool.name));
  const place = manifest.locate([...first.tool.path, "description"], "value");
  return [report(first.finding, { found: found.length, of: tools.length, named }, place)];
}

/** Beginnings that are not what a tool does. */
const NO_VERB =
  /^(?:this|the|an?|it|its|tool|function|api|endpoint|method|utility|wrapper|used|allows?|enables?|provides?|helps?|supports?|lets|can)\b(?: (?:tool|function|endpoint|api|method)\b)?/i;

/** Warns of descriptions that do not begin with a verb for what the tool does. */
export function checkBeginnings(manifest: LoadedManifest): Diagnostic[] {
  return oneForAll(
    manifest,
    ({ description }) => NO_VERB.exec(description)?.[0],
    (start, tools, place) => descriptionBegins(place, { start, ...tools }),
  );
}

const PRAISE =
  /\b(?:powerful|effortless(?:ly)?|seamless(?:ly)?|cutting-edge|state-of-the-art|world-class|best-in-class|blazing(?:ly)?|amazing(?:ly)?|revolutionary|game-changing|supercharged?|next-generation|industry-leading)\b/i;

/** Warns of words that only praise. */
export function checkPraise(manifest: LoadedManifest): Diagnostic[] {
  return oneForAll(
    manifest,
    ({ description }) => PRAISE.exec(description)?.[0],
    (word, tools, place) => advertising(place, { word, ...tools }),
  );
}

/** Words that add nothing to those of a name. */
const EMPTY_WORDS = new Set(
  "a an the of to for in on by with and or this tool is it its from".split(" "),
);

/** Warns of descriptions whose words are all in the name of the tool. */
export function checkRestatedNames(manifest: LoadedManifest): Diagnostic[] {
  return oneForAll(
    manifest,
    ({ name, description }) => {
      const inName = new Set(wordsOf(name).map(withoutEnding));
      const words = wordsOf(description).filter((word) => !EMPTY_WORDS.has(word));
      const isRestated = words.length > 1 && words.every((word) => inName.has(withoutEnding(word)));
      return isRestated || undefined;
    },
    (_is, tools, place) => descriptionRestatesName(place, tools),
  );
}

/** Verbs after which nobody knows what comes back. `Lists issues` and `Deletes a file` say it. */
const OPEN_VERB =
  /^(?:run|execute|process|analy[sz]e|check|validate|compute|calculate|convert|generate|evaluate|test|inspect|compare|summari[sz]e|parse)(?:s|es)?\b/i;

const SAYS_RESULT =
  /\b(?:returns?|results?|gives?|answers?|outputs?|respon[ds]e?s?|reports?|whether|if|lists?|gets?|retrieves?|shows?|as (?:json|markdown|text|yaml|csv|html)|ids?|urls?)\b|\b(?:in)?to \S/i;

/** Warns of tools of which nothing says what comes back. */
export function checkUnsaidResults(manifest: LoadedManifest): Diagnostic[] {
  return oneForAll(
    manifest,
    ({ value, description }) => {
      if (has(value, "outputSchema") || has(value, "content")) return undefined;
      const verb = OPEN_VERB.exec(description)?.[0];
      if (verb === undefined) return undefined;
      return SAYS_RESULT.test(description.slice(verb.length)) ? undefined : true;
    },
    (_is, tools, place) => unsaidResult(place, tools),
  );
}

/** Words in the names of quantities that have a unit. */
const QUANTITIES = new Set(
  (
    "timeout duration delay interval ttl expiry age wait size width height length distance radius weight temperature " +
    "speed price amount cost memory latency"
  ).split(" "),
);

const UNIT =
  /(?:milli|micro|nano)?seconds?|\bms\b|minutes?|hours?|days?|weeks?|months?|years?|bytes?|\b[kmgt]i?b\b|pixels?|\bpx\b|characters?|tokens?|items?|results?|entries|rows?|columns?|lines?|words?|pages?|met(?:er|re)s?|miles?|inch|feet|\bkm\b|\bcm\b|\bmm\b|kilo|grams?|\bkg\b|percent|%|degrees?|celsius|fahrenheit|kelvin|dollars?|cents?|euros?|currency|\busd\b|\beur\b|units?|times|factor|multipl|ratio|\bs\b|epoch|timestamp/i;

/** Warns of arguments that are quantities without a unit. */
export function checkUnits(manifest: LoadedManifest): Diagnostic[] {
  const shared = mappingIn(rootOf(manifest), "schemas")?.value ?? {};
  const found = describedTools(manifest).flatMap((tool) =>
    [...inputProperties(ownValue(tool.value, "inputSchema"), shared)].flatMap(
      ([name, property]) => {
        const types = typesOfProperty(property, shared);
        const isNumber = types.includes("number") || types.includes("integer");
        const { schema } = property;
        const isPlain = isJsonObject(schema) && !has(schema, "$ref") && !has(schema, "enum");
        if (!isNumber || !isPlain || !wordsOf(name).some((word) => QUANTITIES.has(word))) return [];
        const wording = `${wordsOf(name).join(" ")} ${textIn(schema, "description") ?? ""}`;
        return UNIT.test(wording)
          ? []
          : [{ path: [...tool.path, "inputSchema", "properties", name], name }];
      },
    ),
  );
  const [first] = found;
  if (first === undefined) return [];
  const place = manifest.locate(first.path, "key");
  return [quantityWithoutUnit(place, { name: quoted(first.name), found: found.length })];
}

/** Words of names that mean the same. */
const SYNONYMS = [
  "get read fetch retrieve show view",
  "list search find query",
  "update edit modify change set patch",
  "create add insert write",
  "delete remove clear drop",
  "run execute start trigger",
].map((line) => line.split(" "));

/** How many tools whose names mean the same are compared, each with all others. */
const COMPARED_TOOLS = 10;

const SAYS_WHEN =
  /\b(?:when|whenever|instead|rather|prefer|use|if you|only|not for|do not|don't|unless|before|after|first|unlike|best for)\b/i;

/**
 * Warns of tools whose names mean the same, where the description of a tool neither says when to use it nor names one of
 * the others, and that of no other tool names it.
 */
export function checkAlikeTools(manifest: LoadedManifest): Diagnostic[] {
  const groups = new Map<string, DescribedTool[]>();
  for (const tool of describedTools(manifest)) {
    const meaning = wordsOf(tool.name).map(
      (word) => SYNONYMS.find((words) => words.includes(word))?.[0] ?? word,
    );
    const key = meaning.sort().join(" ");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [tool]);
    else group.push(tool);
  }
  return [...groups.values()].flatMap((group) => {
    const tools = group.slice(0, COMPARED_TOOLS);
    // Names that become the same must be changed, and another rule says so.
    const fileNames = new Set(tools.map(({ name }) => itemNames(name).fileName.toLowerCase()));
    if (fileNames.size < tools.length) return [];
    const silent = tools.filter(
      ({ name, description }) =>
        !SAYS_WHEN.test(description) &&
        !tools.some((other) => other.description.includes(name)) &&
        !tools.some((other) => other.name !== name && description.includes(other.name)),
    );
    const [first] = silent;
    if (tools.length < 2 || first === undefined) return [];
    const place = manifest.locate([...first.path, "description"], "value");
    const namesOf = (list: readonly DescribedTool[]): string[] =>
      list.slice(0, NAMED_TOOLS).map(({ name }) => quoted(name));
    return [alikeTools(place, { names: namesOf(tools), silent: namesOf(silent) })];
  });
}

/** A word without the ending of a plural or a verb, so that `issues` is `issue`, and `lists` is `list`. */
function withoutEnding(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?:es|s|ing|ed|e)$/, "");
}
