import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { mimeTypeChanged, uriChanged, uriTemplateChanged } from "./catalogue/resources.js";
import { ownValue } from "../schema/json-schema.js";
import { compareBodies, compareSource } from "./compare-bodies.js";
import { compareItems } from "./compare-items.js";
import { mappingOf, placeIn, textOf, type ItemPair } from "./manifest-items.js";
import type { RuleMaker } from "../model/semantic-rule.js";

/** The changes of resources and resource templates: addresses, MIME types and bodies, and what all items have. */
export function compareResources(before: JsonObject, after: JsonObject): SemanticChange[] {
  return [
    ...compareItems(before, after, {
      list: "resources",
      likeness: ["uri"],
      compare: (pair) => [
        ...compareAddress(pair, "uri", uriChanged),
        ...compareMimeType(pair),
        ...compareBodies(pair),
      ],
    }),
    ...compareItems(before, after, {
      list: "resourceTemplates",
      likeness: ["uriTemplate"],
      compare: (pair) => [
        ...compareAddress(pair, "uriTemplate", uriTemplateChanged),
        ...compareMimeType(pair),
        ...compareBodies(pair),
        ...compareSources(pair),
      ],
    }),
  ];
}

/** The changes of what completes a template's variables, and of what lists its instances. */
function compareSources({ before, after }: ItemPair): SemanticChange[] {
  const former = mappingOf(before.value, "complete");
  const present = mappingOf(after.value, "complete");
  return [
    ...Object.entries(present).flatMap(([name, source]) =>
      compareSource(ownValue(former, name), source, placeIn(after, "complete", name)),
    ),
    ...compareSource(before.value["list"], after.value["list"], placeIn(after, "list")),
  ];
}

function compareAddress(
  { before, after }: ItemPair,
  name: string,
  changed: RuleMaker<{ before: string; after: string }>,
): SemanticChange[] {
  const [was, is] = [textOf(before.value, name), textOf(after.value, name)];
  if (was === undefined || is === undefined || was === is) return [];
  return [changed(placeIn(after, name), { before: was, after: is })];
}

function compareMimeType({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [textOf(before.value, "mimeType"), textOf(after.value, "mimeType")];
  return was === is
    ? []
    : [mimeTypeChanged(placeIn(after, "mimeType"), { before: was, after: is })];
}
