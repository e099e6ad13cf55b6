import { canonicalText } from "../schema/values.js";
import { haveSameJson, isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { affectsTypes } from "../schema/assertions.js";
import { KEYWORDS } from "../schema/keywords/index.js";
import type { ItemId } from "../model/output-file.js";
import { parseReference } from "../schema/schema-reference.js";
import { mappingOf, matchItems, textsOf, type ItemPair } from "./manifest-items.js";
import type { ListName } from "./catalogue/items.js";

/** A handler whose item has other types than before. */
export interface ChangedHandler {
  readonly before: ItemId;
  readonly after: ItemId;
  /** "may no longer type-check: other types of input" */
  readonly reason: string;
}

const KINDS = {
  tools: "tool",
  resources: "resource",
  resourceTemplates: "resourceTemplate",
  prompts: "prompt",
} as const satisfies Record<ListName, string>;

/**
 * The items whose handlers get other arguments, or have to give another result, so that handlers
 * that fitted may not any more.
 */
export function changedHandlers(before: JsonObject, after: JsonObject): ChangedHandler[] {
  const [former, present] = [new TypeTexts(before), new TypeTexts(after)];
  const differs = ({ before: was, after: is }: ItemPair, name: string): boolean =>
    former.of(ownValue(was.value, name)) !== present.of(ownValue(is.value, name));
  const parts: readonly (readonly [ListName, string, (pair: ItemPair) => boolean])[] = [
    ...(["tools", "resources", "resourceTemplates", "prompts"] as const).map(
      (list) => [list, "what it may ask", (pair: ItemPair) => mayAskOtherwise(pair)] as const,
    ),
    ["tools", "input", (pair) => differs(pair, "inputSchema")],
    ["tools", "output", (pair) => differs(pair, "outputSchema")],
    ["resourceTemplates", "variables", hasOtherVariables],
    ["prompts", "arguments", hasOtherArguments],
  ];
  const lists = ["tools", "resources", "resourceTemplates", "prompts"] as const;
  const sharesAlike = haveSameJson(before["schemas"], after["schemas"]);
  return lists.flatMap((list) =>
    matchItems(before, after, list).kept.flatMap((pair) => {
      if (sharesAlike && haveSameJson(pair.before.value, pair.after.value)) return [];
      const changed = parts.filter(([of, , isOther]) => of === list && isOther(pair));
      if (changed.length === 0) return [];
      const what = changed.map(([, name]) => name).join(" and ");
      return [
        {
          before: `${KINDS[list]}:${pair.before.name}` as const,
          after: `${KINDS[list]}:${pair.after.name}` as const,
          reason: `may no longer type-check: other types of ${what}`,
        },
      ];
    }),
  );
}

/** What of the schemas of one manifest makes types, as text. */
class TypeTexts {
  readonly #shared: JsonObject;

  constructor(manifest: JsonObject) {
    this.#shared = mappingOf(manifest, "schemas");
  }

  /** Equal for schemas with equal types, shared ones included. */
  of(schema: JsonValue | undefined): string {
    if (schema === undefined) return "";
    const names = new Set<string>();
    const own = canonicalText(typed(schema, names));
    const shared: string[] = [];
    // The set grows while it is walked: a shared schema may use others.
    for (const name of names) {
      shared.push(canonicalText(typed(ownValue(this.#shared, name) ?? true, names)));
    }
    return [own, ...shared].join("\n");
  }
}

/** A copy without the keywords that make no type; adds the shared schemas that it refers to. */
function typed(value: JsonValue, shared: Set<string>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => typed(item, shared));
  if (!isJsonObject(value)) return value;
  const reference = parseReference(String(ownValue(value, "$ref") ?? ""));
  if (reference.kind === "shared") shared.add(reference.name);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => affectsTypes(name))
      .map(([name, inner]) => [name, typedUnder(name, inner, shared)]),
  );
}

/** Names of properties are no keywords, and constants no schemas. */
function typedUnder(name: string, value: JsonValue, shared: Set<string>): JsonValue {
  const shape = KEYWORDS.get(name)?.shape;
  if (shape === undefined || shape === "any" || shape === "list") return value;
  const isMap = shape.endsWith("map") && isJsonObject(value);
  if (!isMap) return typed(value, shared);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, typed(inner, shared)]),
  );
}

function hasOtherVariables({ before, after }: ItemPair): boolean {
  const [was, is] = [before, after].map(({ value }) => variablesOf(value));
  return was !== is;
}

/** The expressions of a URI template: `{city}`, `{?units}`. */
function variablesOf(template: JsonObject): string {
  return [...String(template["uriTemplate"]).matchAll(/\{[^{}]*\}/g)].map(String).sort().join();
}

function hasOtherArguments({ before, after }: ItemPair): boolean {
  const [was, is] = [before, after].map(({ value }) => {
    const list = ownValue(value, "arguments");
    const declared = (Array.isArray(list) ? list : []).filter(isJsonObject);
    return canonicalText(
      declared.map(({ name = null, required = false }) => [name, required]).sort(),
    );
  });
  return was !== is;
}

/** Messages make no types but by their placeholders. */
function mayAskOtherwise({ before, after }: ItemPair): boolean {
  const [was, is] = [before, after].map(({ value }) => {
    const questions = Object.entries(mappingOf(value, "elicitations")).map(([key, question]) => {
      const { message, url, requestedSchema = null } = isJsonObject(question) ? question : {};
      const names = `${String(message)} ${String(url ?? "")}`.match(/\{\{[#^]?[^\s{}]+\}\}/g) ?? [];
      return [key, url === undefined, [...names].sort(), typed(requestedSchema, new Set())];
    });
    return canonicalText([[...textsOf(value, "uses")].sort(), questions]);
  });
  return was !== is;
}
