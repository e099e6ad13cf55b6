import { isJsonObject, type JsonObject, type JsonSchema } from "../../model/json.js";
import { ownValue, type SchemaPath } from "../json-schema.js";
import { referenceEdgesOf } from "../schema-graph.js";

/** True for a definition that has values of its own. */
export type IsSeparate = (definition: JsonObject) => boolean;

/**
 * The definitions of a schema whose constraints are broken in values of their own. In the schema, one value for each
 * definition to which it refers directly shows that the reference holds.
 */
export class SeparateDefinitions {
  readonly #root: JsonSchema;
  readonly #names: ReadonlySet<string>;
  /** The subschemas of each definition; of the rest of the schema under undefined. */
  readonly #subschemas = new Map<string | undefined, LocatedObject[]>();

  /**
   * @param paths of all subschemas
   * @param isSeparate asked about the definitions under `$defs`
   */
  constructor(
    root: JsonSchema,
    paths: ReadonlyMap<JsonObject, SchemaPath>,
    isSeparate: IsSeparate,
  ) {
    this.#root = root;
    const definitions = (isJsonObject(root) && ownValue(root, "$defs")) || {};
    const separate = Object.entries(definitions).filter(
      ([, definition]) => isJsonObject(definition) && isSeparate(definition),
    );
    this.#names = new Set(separate.map(([name]) => name));
    for (const located of paths) {
      const name = this.#nameAt(located[1]);
      const subschemas = this.#subschemas.get(name) ?? [];
      this.#subschemas.set(name, subschemas);
      subschemas.push(located);
    }
  }

  /** The subschemas of a separate definition with their paths; without a name, those of the rest of the schema. */
  subschemas(name?: string): readonly LocatedObject[] {
    return this.#subschemas.get(name) ?? [];
  }

  /** The separate definitions to which one of them refers directly; without a name, the rest of the schema. */
  referredBy(name?: string): readonly string[] {
    if (this.#names.size === 0) return [];
    return [...new Set(this.subschemas(name).flatMap(([schema]) => this.#targetsOf(schema)))];
  }

  /** The name of the separate definition that a subschema is a part of; undefined for others. */
  #nameAt([keyword, name]: SchemaPath): string | undefined {
    return keyword === "$defs" && this.#names.has(String(name)) ? String(name) : undefined;
  }

  /** The separate definitions to which a schema refers, without its subschemas. */
  #targetsOf(schema: JsonObject): string[] {
    const edges = isJsonObject(this.#root) ? referenceEdgesOf({ schema, root: this.#root }) : [];
    return edges.flatMap(({ to }) => this.#nameAt(to.path) ?? []);
  }
}

/** A subschema with its path. */
type LocatedObject = readonly [schema: JsonObject, path: SchemaPath];
