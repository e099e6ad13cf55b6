import { isDeepStrictEqual } from "node:util";
import {
  notASelection,
  selectionConflict,
  selectionMisfit,
  selectionWithoutMatch,
} from "../../model/catalogue/selections.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject, JsonSchema } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { SchemaComparison } from "../../schema/comparison/compare-schemas.js";
import type { Excess, Finding } from "../../schema/comparison/finding.js";
import { rootNode, type SchemaNode } from "../../schema/comparison/schema-node.js";
import { dialectOf, isJsonSchema, ownValue } from "../../schema/json-schema.js";
import { AnswerSchema } from "../../selection/answer-schema.js";
import { parseSelection } from "../../selection/parse-selection.js";
import { selectedSchema } from "../../selection/selected-schema.js";
import { sharedSchemas } from "../../schema/schema-reference.js";
import { bodiesIn } from "../../bodies/index.js";
import {
  selectingBody,
  selectionHolder,
  type SelectingBody,
} from "../../bodies/selecting-tools.js";
import { quoted } from "../../text/value-words.js";
import { has, itemsOf, mappingIn, type ItemList, type Mapping } from "../manifest-view.js";

/** Checks what bodies select: that it is a selection, that answers have it, and that it fits the outputSchema. */
export function checkSelections(manifest: LoadedManifest): Diagnostic[] {
  return [
    ...itemsOf(manifest, "tools").flatMap((tool) => toolProblems(manifest, tool)),
    ...OTHER_ITEMS.flatMap((list) => itemsOf(manifest, list)).flatMap((item) =>
      selectingMappings(item)
        .filter(({ value }) => has(value, "select"))
        .map(({ path }) => {
          const problem = 'only the result of a tool can have "select"';
          return selectionConflict(manifest.locate([...path, "select"], "key"), { problem });
        }),
    ),
  ];
}

const OTHER_ITEMS: readonly ItemList[] = ["resources", "resourceTemplates", "prompts"];

/** The mappings of an item that may have `select`. */
function selectingMappings({ value, path }: Mapping): Mapping[] {
  return bodiesIn(value).flatMap((body) => {
    const holder = selectionHolder(body);
    return holder === undefined ? [] : [{ value: holder.value, path: [...path, ...holder.path] }];
  });
}

function toolProblems(manifest: LoadedManifest, tool: Mapping): Diagnostic[] {
  const body = selectingBody(tool.value);
  if (body === undefined) return answersWithoutSelection(manifest, tool);
  const at = [...tool.path, ...body.path, "select"];
  const parsed = parseSelection(body.select);
  if (parsed.problem !== undefined) {
    return [notASelection(manifest.locate(at, "value"), { problem: parsed.problem })];
  }
  const conflicts = conflictsOf(manifest, tool, body);
  if (conflicts.length > 0) return conflicts;
  const answer = new AnswerSchema(body.answer, sharedSchemas(manifest.value));
  const { schema, problems } = selectedSchema(parsed.selection, answer, body.mayBeEmpty);
  if (problems.length > 0) {
    const place = manifest.locate(at, "value");
    return problems.map((problem) => selectionWithoutMatch(place, { problem }));
  }
  return misfits(manifest, tool, body, schema);
}

/** Reports an `answerSchema` from which nothing is selected. */
function answersWithoutSelection(manifest: LoadedManifest, tool: Mapping): Diagnostic[] {
  const problem =
    '"answerSchema" says nothing without "select"; the schema of the result is the outputSchema';
  return selectingMappings(tool)
    .filter(({ value }) => has(value, "answerSchema") && !has(value, "select"))
    .map(({ path }) =>
      selectionConflict(manifest.locate([...path, "answerSchema"], "key"), { problem }),
    );
}

function conflictsOf(
  manifest: LoadedManifest,
  tool: Mapping,
  { path }: SelectingBody,
): Diagnostic[] {
  const http = mappingIn(tool, "http");
  const result = http && mappingIn(http, "result");
  if (http === undefined || result === undefined || path[0] !== "http") return [];
  // The items of a page are found by `from`.
  const replaced = ["fields", "truncate", ...(has(http.value, "paginate") ? [] : ["from"])];
  return replaced
    .filter((key) => has(result.value, key))
    .map((key) => {
      const problem = `"select" works on the whole answer, so that ${quoted(key)} has nothing to do beside it`;
      return selectionConflict(manifest.locate([...result.path, key], "key"), { problem });
    });
}

/** Reports what the selection makes and the outputSchema of the tool refuses. */
function misfits(
  manifest: LoadedManifest,
  tool: Mapping,
  { path, declared }: SelectingBody,
  selected: JsonSchema,
): Diagnostic[] {
  const output = ownValue(tool.value, "outputSchema");
  if (!isJsonSchema(output) || isDeepStrictEqual(output, selected)) return [];
  const nodes = [selected, output].map((schema) => nodeOf(schema, manifest.value)) as [
    SchemaNode,
    SchemaNode,
  ];
  const [finding] = new SchemaComparison()
    .compare([nodes[0]], nodes[1])
    .filter(
      (one) =>
        one.answer === "incompatible" && (declared !== undefined || isCertain(one, selected)),
    );
  if (finding === undefined) return [];
  const place = manifest.locate([...tool.path, ...path, "select"], "value");
  return [selectionMisfit(place, { problem: inWords(finding) })];
}

function nodeOf(root: JsonSchema, manifest: JsonObject): SchemaNode {
  return rootNode({
    root,
    dialect: dialectOf(root),
    shared: sharedSchemas(manifest),
    at: [],
    name: [],
  });
}

/**
 * True for what follows from a selection alone: from its names, and from types of which the outputSchema takes none. All other
 * types are unknown without a schema of the answer.
 */
function isCertain({ excess, narrow }: Finding, selected: JsonSchema): boolean {
  if (excess.kind === "absent property" || excess.kind === "refused property") return true;
  if (excess.kind !== "type") return false;
  const schemaAtPath = narrow.path.reduce<unknown>(
    (schema, step) => (schema as Readonly<Record<string, unknown>> | undefined)?.[String(step)],
    selected,
  );
  const refused: ReadonlySet<unknown> = excess.types;
  const { type } = (schemaAtPath ?? {}) as { readonly type?: string | readonly string[] };
  return type !== undefined && [type].flat().every((one) => refused.has(one));
}

function inWords({ narrow, excess }: Finding): string {
  const steps = narrow.path
    .filter((step) => step !== "properties")
    .map((step) => (step === "items" ? "[]" : String(step)));
  const where = steps.join(".");
  const subject = where === "" ? "the result" : quoted(where);
  return `${subject} ${excessInWords(excess)}`;
}

function excessInWords(excess: Excess): string {
  switch (excess.kind) {
    case "type":
      return `may be ${[...excess.types].join(" or ")}`;
    case "absent property":
      return `has no ${quoted(excess.property)}, which is required`;
    case "refused property":
      return `has ${quoted(excess.property)}, which is not allowed`;
    case "range":
    case "text":
      return `may break ${quoted(excess.keyword)}`;
    default:
      return "may have values that do not fit";
  }
}
