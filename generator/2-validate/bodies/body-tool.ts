import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import {
  inputProperties,
  presentProperties,
  typesOfProperty,
  type InputProperty,
} from "../input-properties.js";
import { itemsOf, mappingIn, rootOf, type Mapping } from "../manifest-view.js";

/** A tool with a body, and the arguments that the body may name. */
export class BodyTool {
  readonly tool: Mapping;
  readonly body: Mapping;
  /** The names of its arguments. */
  readonly names: ReadonlySet<string>;
  readonly #shared: JsonObject;
  readonly #properties: ReadonlyMap<string, InputProperty>;

  constructor(tool: Mapping, body: Mapping, shared: JsonObject) {
    this.tool = tool;
    this.body = body;
    this.#shared = shared;
    this.#properties = inputProperties(ownValue(tool.value, "inputSchema"), shared);
    this.names = new Set(this.#properties.keys());
  }

  /** Whether callers always give an argument, or a default does. */
  isAlwaysPresent(name: string): boolean {
    return presentProperties(ownValue(this.tool.value, "inputSchema"), this.#shared).has(name);
  }

  /** The types of JSON that an argument may have; none where that is not plainly said. */
  typesOf(name: string): readonly string[] {
    const property = this.#properties.get(name);
    return property === undefined ? [] : typesOfProperty(property, this.#shared);
  }
}

/** The tools that have a body of a kind. */
export function toolsWithBody(manifest: LoadedManifest, kind: string): BodyTool[] {
  const shared = mappingIn(rootOf(manifest), "schemas")?.value;
  return itemsOf(manifest, "tools").flatMap((tool) => {
    const body = mappingIn(tool, kind);
    if (body === undefined) return [];
    return [new BodyTool(tool, body, isJsonObject(shared ?? null) ? (shared ?? {}) : {})];
  });
}
