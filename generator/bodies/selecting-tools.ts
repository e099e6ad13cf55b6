import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import { isJsonSchema, ownValue } from "../schema/json-schema.js";
import { sharedSchemas, type SharedSchemas } from "../schema/schema-reference.js";
import { AnswerSchema } from "../selection/answer-schema.js";
import { parseSelection } from "../selection/parse-selection.js";
import { selectedSchema } from "../selection/selected-schema.js";
import { bodyIn, type GivenBody } from "./index.js";

/** A body of a tool that selects its result from an answer. */
export interface SelectingBody {
  /** The path from the tool to the mapping that has `select`. */
  readonly path: ManifestPath;
  /** The text of the selection. */
  readonly select: string;
  /** The schema of the answers that the manifest declares. */
  readonly declared: JsonSchema | undefined;
  /** The schema of the answers, as far as it is certain. */
  readonly answer: JsonSchema;
  /** True if an answer may say that there is nothing. */
  readonly mayBeEmpty: boolean;
}

/** The body of a tool that selects its result; undefined if there is none. */
export function selectingBody(tool: JsonObject): SelectingBody | undefined {
  const body = bodyIn(tool);
  const holder = body && selectionHolder(body);
  const select = holder && ownValue(holder.value, "select");
  if (holder === undefined || typeof select !== "string") return undefined;
  const schema = ownValue(holder.value, "answerSchema");
  const declared = isJsonSchema(schema) ? schema : undefined;
  const mayBeEmpty = Object.hasOwn(holder.value, "empty");
  return { path: holder.path, select, declared, answer: declared ?? holder.answer, mayBeEmpty };
}

/** The mapping that may have `select`. */
interface SelectionHolder {
  /** The path from the item. */
  readonly path: ManifestPath;
  readonly value: JsonObject;
  /** What is known of the answers. */
  readonly answer: JsonSchema;
}

/** The mapping of a body that may have `select`; undefined if there is none. */
export function selectionHolder({
  kind,
  definition,
  given,
}: GivenBody): SelectionHolder | undefined {
  const selected = definition.selected?.(given);
  if (selected === undefined) return undefined;
  const { under, answer } = selected;
  const value = under === undefined ? given : ownValue(given, under);
  if (value === undefined || !isJsonObject(value)) return undefined;
  return { path: under === undefined ? [kind] : [kind, under], value, answer };
}

/**
 * The manifest with an `outputSchema` for each tool whose body selects its result and that has none: the one that
 * follows from the selection. The manifest itself if there is no such tool.
 */
export function withSelectedOutputs(manifest: LoadedManifest): LoadedManifest {
  const { tools } = manifest.value;
  if (!Array.isArray(tools)) return manifest;
  const shared = sharedSchemas(manifest.value);
  const complete = tools.map((tool) => withSelectedOutput(tool, shared));
  if (complete.every((tool, index) => tool === tools[index])) return manifest;
  return { ...manifest, value: { ...manifest.value, tools: complete } };
}

function withSelectedOutput(tool: JsonValue, shared: SharedSchemas): JsonValue {
  if (!isJsonObject(tool) || Object.hasOwn(tool, "outputSchema")) return tool;
  const body = selectingBody(tool);
  const parsed = body && parseSelection(body.select);
  if (body === undefined || parsed === undefined || parsed.problem !== undefined) return tool;
  const answer = new AnswerSchema(body.answer, shared);
  const { schema } = selectedSchema(parsed.selection, answer, body.mayBeEmpty);
  return { ...tool, outputSchema: schema };
}
