import { quoted } from "../text/value-words.js";
import type { JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { onceForEach } from "../model/once-for-each.js";
import type { SemanticChange } from "../model/plan.js";
import {
  annotationChanged,
  toolAliasAdded,
  toolAliasRemoved,
  toolRenamedWithAlias,
} from "./catalogue/tools.js";
import { itemRulesOf } from "./catalogue/items.js";
import { schemaChangeUnknown } from "./catalogue/schemas.js";
import {
  compareFixedAnswer,
  compareHeaderParameters,
  compareResultTexts,
} from "./compare-tool-answers.js";
import { compareApp } from "./compare-apps.js";
import { compareBodies } from "./compare-bodies.js";
import { compareTask } from "./compare-extensions.js";
import { compareConsent } from "./compare-questions.js";
import { compareItems } from "./compare-items.js";
import { compareStrictness } from "./compare-strictness.js";
import { compareTrust } from "./compare-trust.js";
import {
  itemsOf,
  mappingOf,
  matchItems,
  placeIn,
  textsOf,
  type ItemPair,
  type ManifestItem,
} from "./manifest-items.js";
import { titleChanged } from "./catalogue/texts.js";
import { compareText } from "./compare-texts.js";
import { ToolSchemas } from "./tool-schemas.js";

/** The changes of tools: names, aliases, hints, schemas and answers, and what all items have. */
export function compareTools(before: JsonObject, after: JsonObject): SemanticChange[] {
  const holders = aliasHolders(after);
  const schemas = new ToolSchemas(before, after);
  const changes = compareItems(before, after, {
    list: "tools",
    likeness: ["inputSchema", "outputSchema"],
    compare: (pair) => [
      ...compareHints(pair),
      ...compareText(
        mappingOf(pair.before.value, "annotations"),
        mappingOf(pair.after.value, "annotations"),
        "title",
        titleChanged,
        placeIn(pair.after, "annotations"),
      ),
      ...schemas.compare(pair),
      ...compareHeaderParameters(pair),
      ...compareFixedAnswer(pair),
      ...compareResultTexts(pair),
      ...compareBodies(pair),
      ...compareTrust(pair.before, pair.after),
      ...compareConsent(pair),
      ...compareTask(pair),
      ...compareApp(pair),
    ],
    renamed: ({ before: { name: from }, after: tool }) => {
      const holder = holders.get(from);
      const namePlace = placeIn(tool, "name");
      if (holder === undefined) {
        return [itemRulesOf.tools.renamed(namePlace, { from, to: tool.name })];
      }
      const place = holder.name === tool.name ? namePlace : placeIn(holder, "aliases");
      return [toolRenamedWithAlias(place, { from, to: holder.name })];
    },
    removed: ({ name: from }) => {
      const holder = holders.get(from);
      return (
        holder && [toolRenamedWithAlias(placeIn(holder, "aliases"), { from, to: holder.name })]
      );
    },
  });
  const replaced = replacements(before, after).flatMap((replacement) =>
    compareReplacement(replacement, schemas),
  );
  const aliases = compareAliases(before, after);
  const strictness = compareStrictness(before, after);
  const { added } = matchItems(before, after, "tools");
  const trusting = added.flatMap((tool) => compareTrust(undefined, tool));
  return [
    ...changes,
    ...trusting,
    ...replaced,
    ...strictness,
    ...schemas.sharedChanges(),
    ...aliases,
  ];
}

/** Names under which calls reach another tool than before, where that tool was not renamed. */
interface Replacement extends ItemPair {
  readonly names: string[];
}

function replacements(before: JsonObject, after: JsonObject): Replacement[] {
  // Without aliases, a name that both manifests have belongs to one and the same tool.
  if (aliasHolders(before).size + aliasHolders(after).size === 0) return [];
  const { pairs } = matchItems(before, after, "tools");
  const successors = new Map(pairs.map((pair) => [pair.before.name, pair.after.name]));
  const present = toolsByCallName(after);
  const byPair = new Map<string, Replacement>();
  for (const [name, former] of toolsByCallName(before)) {
    const tool = present.get(name);
    if (tool === undefined || successors.get(former.name) === tool.name) continue;
    const key = `${former.name} ${tool.name}`;
    const replacement = byPair.get(key);
    if (replacement === undefined) byPair.set(key, { names: [name], before: former, after: tool });
    else replacement.names.push(name);
  }
  return [...byPair.values()];
}

/** The breaking changes between the schemas of the tool that answered to the names and the one that answers now. */
function compareReplacement({ names, ...pair }: Replacement, schemas: ToolSchemas) {
  const callers = ` (for callers of ${names.map(quoted).join(", ")})`;
  return schemas
    .compare(pair)
    .filter(({ severity, rule }) => severity === "breaking" || rule === schemaChangeUnknown.rule.id)
    .map((change): SemanticChange => ({ ...change, message: change.message + callers }));
}

/** Maps every name that a call may use, aliases included, to the tool that answers. */
function toolsByCallName(manifest: JsonObject): Map<string, ManifestItem> {
  const tools = itemsOf(manifest, "tools");
  return new Map([...aliasHolders(manifest), ...tools.map((tool) => [tool.name, tool] as const)]);
}

/** Maps each alias to the tool that has it. */
const aliasHolders = onceForEach((manifest: JsonObject): ReadonlyMap<string, ManifestItem> => {
  const holders = new Map<string, ManifestItem>();
  for (const tool of itemsOf(manifest, "tools")) {
    for (const alias of textsOf(tool.value, "aliases")) holders.set(alias, tool);
  }
  return holders;
});

function compareAliases(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [aliasHolders(before), aliasHolders(after)];
  if (former.size + present.size === 0) return [];
  const [formerNames, names] = [before, after].map(
    (manifest) => new Set(itemsOf(manifest, "tools").map(({ name }) => name)),
  );
  const removed = [...former.keys()].filter((alias) => !present.has(alias) && !names?.has(alias));
  const added = [...present].filter(([alias]) => !former.has(alias) && !formerNames?.has(alias));
  return [
    ...removed.map((alias) => {
      const holder = former.get(alias)?.name ?? "";
      return toolAliasRemoved({ at: ["tools"], name: ["tools", holder, "aliases"] }, { alias });
    }),
    ...added.map(([alias, tool]) => toolAliasAdded(placeIn(tool, "aliases"), { alias })),
  ];
}

/** The hints of the protocol, with their defaults. */
const DEFAULT_HINTS = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const;

function compareHints({ before, after }: ItemPair): SemanticChange[] {
  return Object.entries(DEFAULT_HINTS).flatMap(([hint, defaultHint]) => {
    const [was, is] = [before, after].map(
      ({ value }) => ownValue(mappingOf(value, "annotations"), hint) ?? defaultHint,
    );
    if (typeof was !== "boolean" || typeof is !== "boolean" || was === is) return [];
    const place = placeIn(after, "annotations", hint);
    return [annotationChanged(place, { hint, before: was, after: is })];
  });
}
