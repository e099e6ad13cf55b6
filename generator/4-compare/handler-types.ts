import { canonicalText } from "../schema/values.js";
import { haveSameJson, isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { affectsTypes } from "../schema/assertions.js";
import { KEYWORDS } from "../schema/keywords/index.js";
import type { ItemId } from "../model/output-file.js";
import { parseReference } from "../schema/schema-reference.js";
import { mappingOf, matchItems, textsOf, type ItemPair } from "./manifest-items.js";
import { refusedMembers } from "./refused-members.js";
import { LIST_NAMES, type ListName } from "./catalogue/items.js";

/** A handler whose parameters or result have other types than before. */
export interface ChangedHandler {
  readonly before: ItemId;
  readonly after: ItemId;
  /** A sentence such as "may no longer type-check: other types of input". */
  readonly reason: string;
  /** Members of a tool's result that its `outputSchema` refuses now, which no compiler finds. */
  readonly refused: ReadonlySet<string>;
}

const KINDS = {
  tools: "tool",
  resources: "resource",
  resourceTemplates: "resourceTemplate",
  prompts: "prompt",
} as const satisfies Record<ListName, string>;

/** Something that an item's types are made from: its name in words, and whether it changed. */
type TypeSource = readonly [name: string, hasChanged: (pair: ItemPair) => boolean];

/** The handlers whose parameters or results have other types than before, so that they may not type-check. */
export function changedHandlers(before: JsonObject, after: JsonObject): ChangedHandler[] {
  const [formerTexts, presentTexts] = [new TypeTexts(before), new TypeTexts(after)];
  const differs = ({ before: was, after: is }: ItemPair, key: string): boolean =>
    formerTexts.of(ownValue(was.value, key)) !== presentTexts.of(ownValue(is.value, key));
  const sources: Readonly<Record<ListName, readonly TypeSource[]>> = {
    tools: [
      ["input", (pair) => differs(pair, "inputSchema")],
      ["output", (pair) => differs(pair, "outputSchema")],
    ],
    resources: [],
    resourceTemplates: [["variables", hasOtherVariables]],
    prompts: [["arguments", hasOtherArguments]],
  };
  const areSharedSchemasAlike = haveSameJson(before["schemas"], after["schemas"]);
  return LIST_NAMES.flatMap((list) =>
    matchItems(before, after, list).pairs.flatMap((pair) => {
      if (areSharedSchemasAlike && haveSameJson(pair.before.value, pair.after.value)) return [];
      const changed = [QUESTIONS, ...sources[list]].filter(([, hasChanged]) => hasChanged(pair));
      if (changed.length === 0) return [];
      const names = changed.map(([name]) => name).join(" and ");
      const [former, present] = [
        { manifest: before, schema: ownValue(pair.before.value, "outputSchema") },
        { manifest: after, schema: ownValue(pair.after.value, "outputSchema") },
      ];
      return [
        {
          before: `${KINDS[list]}:${pair.before.name}` as const,
          after: `${KINDS[list]}:${pair.after.name}` as const,
          reason: `may no longer type-check: other types of ${names}`,
          refused: refusedMembers(former, present),
        },
      ];
    }),
  );
}

const QUESTIONS: TypeSource = ["what it may ask", mayAskOtherwise];

/** Turns the schemas of one manifest into texts that are equal if the schemas have equal types. */
class TypeTexts {
  readonly #shared: JsonObject;

  constructor(manifest: JsonObject) {
    this.#shared = mappingOf(manifest, "schemas");
  }

  /** The text of a schema and of the shared schemas that it uses. */
  of(schema: JsonValue | undefined): string {
    if (schema === undefined) return "";
    const names = new Set<string>();
    const texts = [canonicalText(typeKeywordsOf(schema, names))];
    // The set grows while the loop runs: a shared schema may use others.
    for (const name of names) {
      texts.push(canonicalText(typeKeywordsOf(ownValue(this.#shared, name) ?? true, names)));
    }
    return texts.join("\n");
  }
}

/**
 * Copies a schema without the keywords that do not affect its type.
 *
 * @param shared gets the names of the shared schemas to which the schema refers
 */
function typeKeywordsOf(value: JsonValue, shared: Set<string>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => typeKeywordsOf(item, shared));
  if (!isJsonObject(value)) return value;
  const reference = parseReference(String(ownValue(value, "$ref") ?? ""));
  if (reference.kind === "shared") shared.add(reference.name);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => affectsTypes(name))
      .map(([keyword, inner]) => [keyword, typeKeywordsUnder(keyword, inner, shared)]),
  );
}

/** Copies the value of a keyword; names of properties are not taken for keywords, nor constants for schemas. */
function typeKeywordsUnder(keyword: string, value: JsonValue, shared: Set<string>): JsonValue {
  const shape = KEYWORDS.get(keyword)?.shape;
  if (shape === undefined || shape === "any" || shape === "list") return value;
  const isMap = shape.endsWith("map") && isJsonObject(value);
  if (!isMap) return typeKeywordsOf(value, shared);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, typeKeywordsOf(inner, shared)]),
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

/** Compares the questions of an item. Of a message, only the placeholders affect types. */
function mayAskOtherwise({ before, after }: ItemPair): boolean {
  const [was, is] = [before, after].map(({ value }) => {
    const questions = Object.entries(mappingOf(value, "elicitations")).map(([key, question]) => {
      const { message, url, requestedSchema = null } = isJsonObject(question) ? question : {};
      const names = `${String(message)} ${String(url ?? "")}`.match(/\{\{[#^]?[^\s{}]+\}\}/g) ?? [];
      return [
        key,
        url === undefined,
        [...names].sort(),
        typeKeywordsOf(requestedSchema, new Set()),
      ];
    });
    return canonicalText([[...textsOf(value, "uses")].sort(), questions]);
  });
  return was !== is;
}
