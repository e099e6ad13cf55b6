import { inputProperties } from "../2-validate/input-properties.js";
import type { JsonObject, JsonSchema, JsonValue } from "../model/json.js";
import { isJsonObject } from "../model/json.js";
import type { Manifest, ManifestTool, ManifestToolExample } from "../model/manifest.js";
import type { SchemaModel, ToolExample, ToolModel } from "../model/server-model.js";
import { itemNames } from "../text/names.js";
import { withApp } from "./apps.js";
import { normalizeAsks, normalizeConfirm } from "./asks.js";
import { withEnvelope } from "../selection/envelope.js";
import { normalizeAnswer, normalizeHttp } from "./bodies/http.js";
import { normalizeExec, normalizeProgramAnswer } from "./bodies/exec.js";
import { normalizeMcpCall } from "./bodies/mcp.js";
import { normalizeSelection } from "./bodies/selection.js";
import { normalizeSql } from "./bodies/sql.js";
import { normalizeContentBlock } from "./content.js";
import { deepFreeze, withLazyMembers } from "./freeze.js";
import { toldDescription } from "./deprecation.js";
import { formerNames } from "./former-names.js";
import { pickDefined, wireFields } from "./pick.js";
import { itemSettings } from "./settings.js";
import type { SchemaNormalizer } from "./schemas.js";

/** The parts of a manifest that declare whom bodies ask, and in whose name. */
type Services = Pick<Manifest, "auth" | "databases" | "upstreams">;

/** The input schema of a tool that declares none. */
const NO_ARGUMENTS: JsonObject = { type: "object", additionalProperties: false };

/**
 * The model of a tool, frozen. It computes what depends on the tool's schemas at the first use, since
 * after a change of the manifest most tools are not generated again.
 *
 * @param shared the manifest's `schemas`
 */
export function normalizeTool(
  written: ManifestTool,
  schemas: SchemaNormalizer,
  shared: JsonObject = {},
  services: Services = {},
): ToolModel {
  const tool = withEnvelope(written);
  const { inputSchema = NO_ARGUMENTS, outputSchema } = tool;
  const input = (): SchemaModel => schemas.input(inputSchema);
  const output = outputSchema === undefined ? undefined : () => schemas.output(outputSchema);
  const members = deepFreeze({
    kind: "tool" as const,
    name: tool.name,
    ...itemNames(tool.name),
    ...formerNames(tool),
    ...itemSettings(tool),
    ...normalizeAsks(tool),
    ...normalizeConfirm(tool, argumentNames(tool, shared)),
    ...normalizeTask(tool),
    ...((tool.aliases ?? []).length > 0 && pickDefined(tool, ["aliases"])),
    ...textForm(tool),
    behaviour: behaviourOf(tool, input, { schemas, shared, services }),
    examples: (tool.examples ?? []).map(normalizeExample),
  });
  return withLazyMembers(members, {
    wire: () => wireTool(tool, input(), output?.()),
    input,
    ...(output !== undefined && { output }),
  });
}

function normalizeTask({ task = false }: ManifestTool): Pick<ToolModel, "task"> {
  if (task === false) return {};
  const settings = task === true ? {} : task;
  return { task: pickDefined(settings, ["ttlMs", "pollIntervalMs", "required", "asks"]) };
}

function textForm({ result }: ManifestTool): Pick<ToolModel, "text"> {
  const text = result?.text ?? "json";
  return text === "json" ? {} : { text };
}

function wireTool(tool: ManifestTool, input: SchemaModel, output?: SchemaModel): JsonObject {
  return {
    name: tool.name,
    ...wireFields(tool, ["title"]),
    ...toldDescription(tool),
    inputSchema: input.shown ?? input.wire,
    ...(output !== undefined && { outputSchema: output.shown ?? output.wire }),
    ...wireFields(tool, ["annotations", "icons"]),
    ...withApp(tool),
  };
}

/** The parts of the manifest on which the model of a tool depends, beside the tool. */
interface Surroundings {
  readonly schemas: SchemaNormalizer;
  /** The manifest's `schemas`. */
  readonly shared: JsonObject;
  readonly services: Services;
}

function behaviourOf(
  tool: ManifestTool,
  inputModel: () => SchemaModel,
  { schemas, shared, services: { databases = {}, upstreams = {}, auth } }: Surroundings,
): ToolModel["behaviour"] {
  if (tool.sql !== undefined) {
    const input = (tool.inputSchema ?? NO_ARGUMENTS) as JsonValue;
    const { select, answerSchema } = tool.sql;
    const rows = select === undefined ? tool.outputSchema : answerSchema;
    const output = rows as JsonValue | undefined;
    const body = normalizeSql(tool.sql, databases, {
      ...{ input, output, shared },
      claims: auth?.claims,
    });
    const selection = normalizeSelection(tool.sql, schemas);
    return { ...body, ...selection, ...strictness(tool, tool.sql, databases[tool.sql.database]) };
  }
  if (tool.http !== undefined) {
    const body = normalizeHttp(tool.http, argumentNames(tool, shared), auth?.claims);
    const selection = normalizeSelection(tool.http.result ?? {}, schemas);
    return { ...body, ...selection, ...strictness(tool, tool.http, upstreams[tool.http.upstream]) };
  }
  if (tool.exec !== undefined) {
    const body = normalizeExec(tool.exec, argumentNames(tool, shared));
    return { ...body, ...strictness(tool, tool.exec) };
  }
  if (tool.mcp !== undefined) {
    const body = normalizeMcpCall(tool.mcp, "tool", tool.name, argumentNames(tool, shared));
    const selection = normalizeSelection(tool.mcp, schemas);
    return { ...body, ...selection, ...strictness(tool, tool.mcp, upstreams[tool.mcp.upstream]) };
  }
  const isFixed = tool.content !== undefined || tool.structuredContent !== undefined;
  if (!isFixed) return { kind: "handler" };
  const placeholders = new Set(propertyNames(inputModel().wire));
  return {
    kind: "fixed",
    content: (tool.content ?? []).map((block) => normalizeContentBlock(block, placeholders)),
    ...pickDefined(tool, ["structuredContent"]),
    isError: tool.isError ?? false,
  };
}

/** What says `strict` of answers that break the output schema of a tool. */
interface Strictness {
  readonly strict?: boolean;
}

/**
 * `strict: true` if an answer that breaks the tool's output schema is an error without the answer.
 *
 * @param service what the body asks, which says so for all tools whose bodies do not
 */
function strictness(
  { outputSchema }: ManifestTool,
  { strict }: Strictness,
  service: Strictness = {},
): { readonly strict?: true } {
  const isStrict = strict ?? service.strict ?? false;
  return outputSchema !== undefined && isStrict ? { strict: true } : {};
}

function argumentNames({ inputSchema }: ManifestTool, shared: JsonObject): string[] {
  return [...inputProperties(inputSchema as JsonValue | undefined, shared).keys()];
}

function propertyNames(schema: JsonSchema): string[] {
  if (!isJsonObject(schema) || !isJsonObject(schema["properties"])) return [];
  return Object.keys(schema["properties"]);
}

function normalizeExample(example: ManifestToolExample, index: number): ToolExample {
  return {
    name: example.name ?? `example ${index + 1}`,
    arguments: example.arguments ?? {},
    ...(example.http !== undefined && { http: normalizeAnswer(example.http) }),
    ...(example.exec !== undefined && { exec: normalizeProgramAnswer(example.exec) }),
    ...pickDefined(example, ["database"]),
    expect: expectationOf(example),
    ...(example.matches !== undefined && {
      matches: Object.entries(example.matches).map(([pointer, matcher]) => ({
        pointer,
        ...pickDefined(matcher, ["type", "pattern"]),
      })),
    }),
  };
}

function expectationOf(example: ManifestToolExample): ToolExample["expect"] {
  if (example.error !== undefined) return { kind: "error", error: example.error };
  if (example.text !== undefined) return { kind: "text", text: example.text };
  return { kind: "result", result: example.result ?? null };
}
