import { inputProperties } from "../schema/input-properties.js";
import type { JsonObject, JsonSchema, JsonValue } from "../model/json.js";
import { isJsonObject } from "../model/json.js";
import type { Manifest, ManifestTool, ManifestToolExample } from "../model/manifest.js";
import type { SchemaModel, ToolExample, ToolModel } from "../model/server-model.js";
import { itemNames } from "../text/names.js";
import { withApp } from "./apps.js";
import { normalizeAsks, normalizeConfirm } from "./asks.js";
import { bodyIn, type GivenBody } from "../bodies/index.js";
import { SERVICE_KEYS, type BodyDefinition } from "../bodies/definition.js";
import { withEnvelope } from "../selection/envelope.js";
import { normalizeAnswer, normalizeProgramAnswer } from "./example-answers.js";
import { normalizeSelection } from "./selection.js";
import { normalizeContentBlock } from "./content.js";
import { deepFreeze, withLazyMembers } from "./freeze.js";
import { toldDescription } from "./deprecation.js";
import { formerNames } from "./former-names.js";
import { pickDefined, wireFields } from "../model/pick.js";
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
  { schemas, shared, services }: Surroundings,
): ToolModel["behaviour"] {
  const given = bodyIn(tool);
  if (given !== undefined) {
    const { databases, auth } = services;
    const body = given.definition.read(given.given, {
      arguments: argumentNames(tool, shared),
      input: (tool.inputSchema ?? NO_ARGUMENTS) as JsonValue,
      output: tool.outputSchema as JsonValue | undefined,
      ...{ shared, databases, claims: auth?.claims },
      counterpart: { asks: "tool", name: tool.name },
    });
    return { ...body, ...normalizeSelection(given, schemas), ...strictness(tool, given, services) };
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

/** `strict: true` if an answer that breaks the tool's output schema is an error without the answer. */
function strictness(
  { outputSchema }: ManifestTool,
  { definition, given }: GivenBody,
  services: Services,
): { readonly strict?: true } {
  const isStrict = given["strict"] ?? strictOfService(definition, given, services) ?? false;
  return outputSchema !== undefined && isStrict === true ? { strict: true } : {};
}

/** What the service that a body asks says for all tools whose bodies do not. */
function strictOfService(
  { service }: BodyDefinition,
  given: JsonObject,
  services: Services,
): boolean | undefined {
  if (service === undefined) return undefined;
  const name = String(given[SERVICE_KEYS[service]]);
  return services[service]?.[name]?.strict;
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
