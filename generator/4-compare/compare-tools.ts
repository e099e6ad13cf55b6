import type { JsonObject } from "../model/json.js";
import { ownValue } from "../model/json-schema.js";
import type { SemanticChange } from "../model/plan.js";
import {
  annotationChanged,
  toolAliasAdded,
  toolAliasRemoved,
  toolRenamedWithAlias,
} from "./catalogue/tools.js";
import { itemRulesOf } from "./catalogue/items.js";
import { compareItems } from "./compare-items.js";
import { itemsOf, mappingOf, placeIn, textsOf, type ItemPair } from "./manifest-items.js";
import { titleChanged } from "./catalogue/texts.js";
import { compareText } from "./compare-texts.js";
import { ToolSchemas } from "./tool-schemas.js";

/** The changes of tools: names, texts, hints and schemas. */
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
    ],
    renamed: ({ before: { name: from }, after: tool }) => {
      const rule = holders.has(from) ? toolRenamedWithAlias : itemRulesOf.tools.renamed;
      return [rule(placeIn(tool, "name"), { from, to: tool.name })];
    },
    removed: ({ name: from }) => {
      const holder = holders.get(from);
      return (
        holder && [toolRenamedWithAlias(placeIn(holder, "aliases"), { from, to: holder.name })]
      );
    },
  });
  return [...changes, ...schemas.sharedChanges(), ...compareAliases(before, after)];
}

type Holders = ReadonlyMap<string, ReturnType<typeof itemsOf>[number]>;

/** Alias → the tool that has it. */
function aliasHolders(manifest: JsonObject): Holders {
  return new Map(
    itemsOf(manifest, "tools").flatMap((tool) =>
      textsOf(tool.value, "aliases").map((alias) => [alias, tool] as const),
    ),
  );
}

function compareAliases(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [aliasHolders(before), aliasHolders(after)];
  const [formerNames, names] = [before, after].map(
    (manifest) => new Set(itemsOf(manifest, "tools").map(({ name }) => name)),
  );
  const gone = [...former.keys()].filter((alias) => !present.has(alias) && !names?.has(alias));
  const added = [...present].filter(([alias]) => !former.has(alias) && !formerNames?.has(alias));
  return [
    ...gone.map((alias) => {
      const holder = former.get(alias)?.name ?? "";
      return toolAliasRemoved({ at: ["tools"], name: ["tools", holder, "aliases"] }, { alias });
    }),
    ...added.map(([alias, tool]) => toolAliasAdded(placeIn(tool, "aliases"), { alias })),
  ];
}

/** The hints of the protocol with what they mean where they are absent. */
const HINTS = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const;

function compareHints({ before, after }: ItemPair): SemanticChange[] {
  return Object.entries(HINTS).flatMap(([hint, otherwise]) => {
    const [was, is] = [before, after].map(
      ({ value }) => ownValue(mappingOf(value, "annotations"), hint) ?? otherwise,
    );
    if (typeof was !== "boolean" || typeof is !== "boolean" || was === is) return [];
    const place = placeIn(after, "annotations", hint);
    return [annotationChanged(place, { hint, before: was, after: is })];
  });
}
