import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { ImportedParts } from "../document-import.js";
import { nameOfOperation, type Operation } from "../operations.js";
import { withExplicitArguments } from "./explicit-arguments.js";
import { toolsOf, type ImportedItem } from "./import-entry.js";
import type { RecordedImport } from "./import-record.js";
import { UNKNOWN, type FieldValues, type ThreeWayMerge } from "./three-way-merge.js";

/** A tool of the manifest after the update. `index` is its index before; absent for a new tool. */
export interface MergedTool {
  readonly value: JsonValue;
  readonly index?: number;
  readonly operation?: string;
}

export const nameOfTool = (tool: JsonValue): string => String((tool as JsonObject)["name"]);

/** The values that the merge of `tools` needs. */
export interface ToolsMerge {
  readonly base: RecordedImport | undefined;
  /** The manifest before the update. */
  readonly manifest: JsonObject;
  /** Its tools that were imported. */
  readonly items: readonly ImportedItem[];
  readonly document: ImportedParts;
  /** All operations of the document. */
  readonly operations: readonly Operation[];
  /** Operations that get a tool in the manifest. */
  readonly added: ReadonlySet<string>;
  /** Operations whose tools stay as they are. */
  readonly heldBack: ReadonlyMap<string, unknown>;
  readonly merge: ThreeWayMerge;
  readonly isPrunable: (item: ImportedItem) => boolean;
}

/** The tools after the update, in their order. Each new one stands beside those of its neighbours in the document. */
export function mergeTools(toolsMerge: ToolsMerge): readonly MergedTool[] {
  const { manifest, items, document, operations, added, heldBack, isPrunable } = toolsMerge;
  const documentTools = new Map(
    document.tools.map(({ operation, tool }) => [nameOfOperation(operation), tool]),
  );
  const itemsByIndex = new Map(items.map((item) => [item.index, item]));
  const tools = toolsOf(manifest).flatMap((value, index): MergedTool[] => {
    const item = itemsByIndex.get(index);
    if (item === undefined) return [{ value, index }];
    if (isPrunable(item)) return [];
    const documentTool = heldBack.has(item.at) ? undefined : documentTools.get(item.at);
    const merged = documentTool === undefined ? value : mergeTool(item, documentTool, toolsMerge);
    return [{ value: merged, index, operation: item.at }];
  });
  for (const operation of operations) {
    const name = nameOfOperation(operation);
    const tool = documentTools.get(name);
    if (!added.has(name) || tool === undefined || heldBack.has(name)) continue;
    const index = indexFor(operation, operations, tools);
    tools.splice(index, 0, { value: tool, operation: name });
  }
  const names = new Set(tools.map(({ value }) => nameOfTool(value)));
  return tools.map((tool) => {
    const before = tool.index === undefined ? undefined : itemsByIndex.get(tool.index);
    return before === undefined
      ? tool
      : { ...tool, value: withFormerName(tool.value, before, names) };
  });
}

/** A tool that the document has renamed, with its former name, so that a handler and its edits follow. */
function withFormerName(
  tool: JsonValue,
  { tool: before }: ImportedItem,
  names: ReadonlySet<string>,
): JsonValue {
  const formerName = nameOfTool(before);
  if (!isJsonObject(tool) || nameOfTool(tool) === formerName) return tool;
  const earlier = tool["renamedFrom"] ?? [];
  const all = [...(Array.isArray(earlier) ? earlier : [earlier]), formerName];
  const free = [...new Set(all)].filter((name) => !names.has(String(name)));
  const { name = null, renamedFrom: _, ...others } = tool;
  if (free.length === 0) return { name, ...others };
  return { name, renamedFrom: free.length === 1 ? (free[0] ?? null) : free, ...others };
}

function mergeTool(
  { index, at, tool }: ImportedItem,
  document: JsonObject,
  { base, merge }: ToolsMerge,
): JsonValue {
  const last = base?.tools.get(at);
  const lastTool = isJsonObject(last) ? last : undefined;
  const isRewritten = !isDeepStrictEqual(lastTool?.["http"], tool["http"]);
  const withExplicit = (written: JsonObject): JsonObject => {
    const value = isSelecting(tool) ? withAnswerSchema(written) : written;
    return isRewritten ? withExplicitArguments(value, tool) : value;
  };
  const values: FieldValues = {
    base: lastTool === undefined ? UNKNOWN : withExplicit(lastTool),
    manifest: tool,
    document: withExplicit(document),
  };
  return merge.merge(values, ["tools", index]) ?? tool;
}

/** True if the author of a tool has moved the schema of its answers beside a selection from them. */
function isSelecting({ http = null, outputSchema }: JsonObject): boolean {
  const result = isJsonObject(http) ? (http["result"] ?? null) : null;
  return outputSchema === undefined && isJsonObject(result) && "answerSchema" in result;
}

/** A tool of the document with the schema of its answers where a selection has it. */
function withAnswerSchema(value: JsonObject): JsonObject {
  const { outputSchema: answerSchema, http = null, ...others } = value;
  if (answerSchema === undefined || !isJsonObject(http)) return value;
  const { result = null, ...request } = http;
  const part = isJsonObject(result) ? result : {};
  return { ...others, http: { ...request, result: { ...part, answerSchema } } };
}

/** The index for a new tool: after the tool of the operation before it in the document. */
function indexFor(
  operation: Operation,
  operations: readonly Operation[],
  tools: readonly MergedTool[],
): number {
  const indexOf = (name: string) => tools.findLastIndex((tool) => tool.operation === name);
  const at = operations.indexOf(operation);
  const names = operations.map(nameOfOperation);
  const previousName = names
    .slice(0, at)
    .reverse()
    .find((name) => indexOf(name) !== -1);
  if (previousName !== undefined) return indexOf(previousName) + 1;
  const nextName = names.slice(at + 1).find((name) => indexOf(name) !== -1);
  return nextName === undefined ? tools.length : indexOf(nextName);
}
