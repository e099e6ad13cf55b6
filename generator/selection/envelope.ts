import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import { ownValue } from "../schema/json-schema.js";

/** The argument with which a model asks for the next page, and the member of the result that has its value. */
export const CURSOR = "cursor";
export const NEXT_CURSOR = "nextCursor";

/** What the result of an `http` body has beside what it makes of an answer, so that it is an object. */
export interface Envelope {
  /** The member with what the body makes of the answer. */
  readonly part: "items" | "body";
  /** Whether models ask for further pages. */
  readonly isExposed: boolean;
  /** Headers of the answer, by the names of their members. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The members that headers cannot have. */
export const ENVELOPE_MEMBERS = ["items", "body", NEXT_CURSOR];

const CURSOR_SCHEMA: JsonObject = {
  type: "string",
  description: `For more of a list: the ${NEXT_CURSOR} of an earlier result, beside the same other arguments`,
};

/** The envelope of a tool of a manifest; undefined if its result is what the body makes of the answer. */
export function envelopeOf(tool: JsonObject): Envelope | undefined {
  const http = mapping(tool, "http");
  const isExposed = mapping(http, "paginate")["expose"] === true;
  const headers = mapping(mapping(http, "result"), "headers");
  if (!isExposed && Object.keys(headers).length === 0) return undefined;
  return {
    part: isExposed ? "items" : "body",
    isExposed,
    headers: headers as Readonly<Record<string, string>>,
  };
}

/**
 * A tool as its callers know it. In a manifest, the `outputSchema` and the examples of a tool with an envelope describe
 * what the body makes of an answer, since the rest follows.
 */
export function withEnvelope<Tool extends object>(tool: Tool): Tool {
  const written = tool as JsonObject;
  const envelope = envelopeOf(written);
  if (envelope === undefined) return tool;
  const examples = ownValue(written, "examples");
  return {
    ...tool,
    ...(envelope.isExposed && { inputSchema: withCursor(ownValue(written, "inputSchema")) }),
    outputSchema: envelopedSchema(envelope, ownValue(written, "outputSchema")),
    ...(Array.isArray(examples) && {
      examples: examples.map((example) => envelopedExample(envelope, example)),
    }),
  };
}

/** A manifest whose tools are as their callers know them. */
export function withEnvelopes(manifest: JsonObject): JsonObject {
  const { tools } = manifest;
  if (!Array.isArray(tools)) return manifest;
  const enveloped = tools.map((tool) => (isJsonObject(tool) ? withEnvelope(tool) : tool));
  const isSame = enveloped.every((tool, index) => tool === tools[index]);
  return isSame ? manifest : { ...manifest, tools: enveloped };
}

/** True if some tool lets models ask for further pages. */
export function exposesPages({ value: { tools = [] } }: Pick<LoadedManifest, "value">): boolean {
  return Array.isArray(tools) && tools.some((tool) => isJsonObject(tool) && isExposed(tool));
}

const isExposed = (tool: JsonObject): boolean => envelopeOf(tool)?.isExposed === true;

function mapping(holder: JsonObject, key: string): JsonObject {
  const value = ownValue(holder, key) ?? null;
  return isJsonObject(value) ? value : {};
}

function withCursor(input: JsonValue | undefined): JsonValue {
  if (input === undefined) {
    return { type: "object", properties: { [CURSOR]: CURSOR_SCHEMA }, additionalProperties: false };
  }
  // 2-validate refuses what is no object with properties.
  if (!isJsonObject(input)) return input;
  return { ...input, properties: { ...mapping(input, "properties"), [CURSOR]: CURSOR_SCHEMA } };
}

/** Keywords of a schema that stay at its root when it becomes a part of another. */
const ROOT_KEYWORDS = ["$schema", "$defs", "definitions"];

function envelopedSchema(
  { part, isExposed: isPaged, headers }: Envelope,
  declared: JsonValue | undefined,
): JsonObject {
  const inner = declared ?? (isPaged ? { type: "array" } : {});
  const own = isJsonObject(inner) ? Object.entries(inner) : [];
  const ofRoot = own.filter(([key]) => ROOT_KEYWORDS.includes(key));
  const ofPart = own.filter(([key]) => !ROOT_KEYWORDS.includes(key));
  const moved = isJsonObject(inner) ? Object.fromEntries(ofPart) : inner;
  return {
    ...Object.fromEntries(ofRoot),
    type: "object",
    properties: {
      [part]: withMovedReferences(moved, `#/properties/${part}`),
      ...(isPaged && {
        [NEXT_CURSOR]: { type: "string", description: `The ${CURSOR} of the next page` },
      }),
      ...Object.fromEntries(
        Object.entries(headers).map(([member, name]) => [
          member,
          { type: "string", description: `The header ${name} of the answer` },
        ]),
      ),
    },
    ...(isPaged && { required: [part] }),
    additionalProperties: false,
  };
}

/** Keywords with values, in which nothing is a reference. */
const VALUES = ["const", "enum", "default", "examples"];

/** A schema whose references to parts of itself lead to where it is moved. */
function withMovedReferences(schema: JsonValue, place: string): JsonValue {
  if (Array.isArray(schema)) return schema.map((item) => withMovedReferences(item, place));
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (VALUES.includes(key)) return [key, value];
      const isOwn =
        key === "$ref" && typeof value === "string" && /^#(?:$|\/(?!schemas\/))/.test(value);
      if (!isOwn) return [key, withMovedReferences(value, place)];
      const isOfRoot = /^#\/(?:\$defs|definitions)\//.test(value);
      return [key, isOfRoot ? value : place + value.slice(1)];
    }),
  );
}

function envelopedExample({ part, headers }: Envelope, example: JsonValue): JsonValue {
  if (!isJsonObject(example) || !Object.hasOwn(example, "result")) return example;
  const answer = mapping(example, "http");
  const hasPart = ["body", "text"].some((key) => Object.hasOwn(answer, key));
  const isShown = hasPart || !Object.hasOwn(example, "http") || example["result"] !== null;
  const sent = new Map(
    Object.entries(mapping(answer, "headers")).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const ofHeaders = Object.entries(headers).flatMap(([member, name]) => {
    const value = sent.get(name.toLowerCase());
    return value === undefined ? [] : [[member, value] as const];
  });
  const result = {
    ...(isShown && { [part]: example["result"] ?? null }),
    ...Object.fromEntries(ofHeaders),
  };
  return { ...example, result, ...movedMatchers(part, example) };
}

/** The matchers of an example, whose pointers lead to values of this part. */
function movedMatchers(part: Envelope["part"], example: JsonObject): { matches?: JsonObject } {
  const matchers = Object.entries(mapping(example, "matches"));
  if (matchers.length === 0) return {};
  const moved = matchers.map(([pointer, matcher]) => [`/${part}${pointer}`, matcher] as const);
  return { matches: Object.fromEntries(moved) };
}
