import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import { isJsonSchema, ownValue } from "../schema/json-schema.js";
import { sharedSchemas, type SharedSchemas } from "../schema/schema-reference.js";
import { AnswerSchema } from "./answer-schema.js";
import { parseSelection } from "./parse-selection.js";
import { selectedSchema } from "./selected-schema.js";

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

/** An answer that is null breaks the derived schema, so that the model is told. */
const NOT_NULL = { type: ["object", "array", "string", "number", "boolean"] };
const LIST = { type: "array" };
const OBJECT = { type: "object" };
const ROWS = { type: "array", items: OBJECT };

/** The body of a tool that selects its result; undefined if there is none. */
export function selectingBody(tool: JsonObject): SelectingBody | undefined {
  const { http = null, sql = null, mcp = null } = tool;
  if (isJsonObject(http)) {
    const answer = Object.hasOwn(http, "paginate") ? LIST : NOT_NULL;
    return selecting(ownValue(http, "result"), ["http", "result"], answer);
  }
  if (isJsonObject(sql)) return selecting(sql, ["sql"], sql["row"] === true ? OBJECT : ROWS);
  return selecting(mcp, ["mcp"], NOT_NULL);
}

function selecting(
  holder: JsonValue | undefined,
  path: ManifestPath,
  known: JsonSchema,
): SelectingBody | undefined {
  if (holder === undefined || !isJsonObject(holder)) return undefined;
  const select = ownValue(holder, "select");
  if (typeof select !== "string") return undefined;
  const schema = ownValue(holder, "answerSchema");
  const declared = isJsonSchema(schema) ? schema : undefined;
  const mayBeEmpty = Object.hasOwn(holder, "empty");
  return { path, select, declared, answer: declared ?? known, mayBeEmpty };
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
