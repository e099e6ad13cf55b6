import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import { ownValue } from "../schema/json-schema.js";
import { KEYWORDS } from "../schema/keywords/index.js";
import { pathOfProblem } from "./path-of-problem.js";
import { placeInSchema } from "./place-in-schema.js";

/** The part of an imported manifest that an error is about, and that can be left out. */
export type RefusedPart =
  /** A key that is optional: one of a tool, or a keyword of a schema that only narrows or describes. */
  | { readonly kind: "key"; readonly path: ManifestPath; readonly tools: readonly number[] }
  /** The output schema of a tool. */
  | { readonly kind: "answer"; readonly tool: number }
  | { readonly kind: "tool"; readonly tool: number };

/**
 * The parts of an imported manifest that an error is about, as small as they can be left out: a key, the description of
 * an answer, or a whole tool.
 *
 * @throws Error if the error is in no tool, and in no schema that a tool refers to
 */
export function refusedParts(manifest: LoadedManifest, error: Diagnostic): RefusedPart[] {
  const path = pathOfProblem(manifest, error);
  const [section, name, ...inner] = path;
  const list = ownValue(manifest.value, "tools");
  const tools = Array.isArray(list) ? list : [];
  if (section === "tools" && typeof name === "number") {
    return [partOfTool(tools[name] ?? null, name, inner)];
  }
  const schemas = ownValue(manifest.value, "schemas");
  if (section !== "schemas" || typeof name !== "string" || !isJsonObject(schemas)) {
    throw new Error(`the imported manifest is wrong: ${error.message}`);
  }
  const uses = tools.map((tool) => usesOf(tool, name, schemas));
  const using = [...tools.keys()].filter((index) => uses[index] !== "none");
  if (using.length === 0) throw new Error(`the imported manifest is wrong: ${error.message}`);
  const keyword = looseKeyword(ownValue(schemas, name) ?? null, inner);
  if (keyword !== undefined) {
    return [{ kind: "key", path: ["schemas", name, ...keyword], tools: using }];
  }
  return using.map((tool) => ({ kind: uses[tool] === "answer" ? "answer" : "tool", tool }));
}

/** Keys of a tool without which it is still the same tool. */
const OPTIONAL_KEYS: ReadonlySet<unknown> = new Set(["title", "annotations", "scopes"]);

function partOfTool(tool: JsonValue, index: number, path: ManifestPath): RefusedPart {
  const [key, ...inner] = path;
  if (key === "outputSchema") return { kind: "answer", tool: index };
  if (OPTIONAL_KEYS.has(key))
    return { kind: "key", path: ["tools", index, key as string], tools: [index] };
  const schema = isJsonObject(tool) ? ownValue(tool, "inputSchema") : undefined;
  const keyword = key === "inputSchema" ? looseKeyword(schema ?? null, inner) : undefined;
  return keyword === undefined
    ? { kind: "tool", tool: index }
    : { kind: "key", path: ["tools", index, "inputSchema", ...keyword], tools: [index] };
}

/** Keywords that only narrow or describe the values of a schema, so that it is still of use without them. */
const LOOSE_SHAPES: ReadonlySet<string> = new Set(["count", "number", "positive number"]);
const LOOSE_KEYWORDS: ReadonlySet<string> = new Set([
  ...["default", "examples", "pattern", "format", "title", "uniqueItems", "deprecated"],
  ...["readOnly", "writeOnly", "contentEncoding", "contentMediaType"],
]);

/** The path of the keyword that a path in a schema leads into, if the schema can do without it. */
function looseKeyword(schema: JsonValue, path: ManifestPath): ManifestPath | undefined {
  const { at, isKeyword } = placeInSchema(schema, path);
  const keyword = String(at.at(-1));
  const { shape = "" } = KEYWORDS.get(keyword) ?? {};
  const isLoose = LOOSE_KEYWORDS.has(keyword) || LOOSE_SHAPES.has(shape);
  return isKeyword && isLoose ? at : undefined;
}

/** Where a tool refers to a shared schema, directly or through others: in what it takes, or in its answer alone. */
function usesOf(tool: JsonValue, name: string, schemas: JsonObject): "request" | "answer" | "none" {
  if (!isJsonObject(tool)) return "none";
  const { outputSchema = null, ...others } = tool;
  if (reaches(others, name, schemas, new Set())) return "request";
  return reaches(outputSchema, name, schemas, new Set()) ? "answer" : "none";
}

/** True if a value refers to a shared schema, directly or through others. @param visited schemas to skip */
function reaches(
  value: JsonValue,
  target: string,
  schemas: JsonObject,
  visited: Set<string>,
): boolean {
  const names = [...JSON.stringify(value).matchAll(/"\$ref":"#\/schemas\/([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  return names.some((name) => {
    if (name === target) return true;
    if (visited.has(name)) return false;
    visited.add(name);
    return reaches(ownValue(schemas, name) ?? null, target, schemas, visited);
  });
}
