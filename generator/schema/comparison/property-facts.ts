import { isJsonObject, type JsonValue } from "../../model/json.js";
import { ownValue } from "../json-schema.js";
import { Conjunction } from "./conjunction.js";
import type { Patterns } from "./patterns.js";
import {
  keyword,
  schemaNamed,
  schemasByName,
  schemaUnder,
  type ObjectNode,
  type SchemaNode,
} from "./schema-node.js";

/** Facts about the properties of the objects that a narrow schema accepts. */
export class PropertyFacts {
  /** The properties that the schema describes by name. */
  readonly names: ReadonlySet<string>;

  constructor(
    readonly narrow: Conjunction,
    private readonly patterns: Patterns,
  ) {
    this.names = new Set(
      narrow.nodes.flatMap((node) => [...schemasByName(node, "properties").keys()]),
    );
  }

  /** The schemas that a property certainly has to fit. */
  schemasOf(name: string): SchemaNode[] {
    return this.narrow.nodes.flatMap((node) => this.#inNode(name, node));
  }

  #inNode(name: string, node: ObjectNode): SchemaNode[] {
    const namedSchema = schemaNamed(node, "properties", name);
    const found = namedSchema === undefined ? [] : [namedSchema];
    let isEveryPatternKnown = true;
    for (const [pattern, schema] of schemasByName(node, "patternProperties")) {
      const matches = this.patterns.matches(pattern, name);
      if (matches === true) found.push(schema);
      if (matches === undefined) isEveryPatternKnown = false;
    }
    if (found.length > 0 || !isEveryPatternKnown) return found;
    const additional = additionalProperties(node);
    return additional === undefined || additional.schema === true ? [] : [additional];
  }

  /** True if no object has the property. */
  excludes(name: string): boolean {
    return new Conjunction(this.schemasOf(name), this.narrow.placeOf()).isNever;
  }

  /** True if every object that has the property has all dependents too. */
  requires(property: string, dependents: JsonValue): boolean {
    if (!Array.isArray(dependents)) return false;
    const dependentNames = this.narrow.nodes.flatMap((node) =>
      ["dependentRequired", "dependencies"].flatMap((name) => {
        const value = keyword(node, name);
        const list = isJsonObject(value) ? ownValue(value, property) : undefined;
        return Array.isArray(list) ? list : [];
      }),
    );
    const presentNames = new Set<JsonValue>([...this.narrow.required, property, ...dependentNames]);
    return dependents.every((name) => presentNames.has(name));
  }

  /** True if objects have only properties that are described by name. */
  get isClosed(): boolean {
    return this.othersBut([]).length === 0;
  }

  /** The schemas of properties that are not described by name and match a pattern, one conjunction for each case. */
  othersMatching(pattern: string): Conjunction[] {
    for (const node of this.narrow.nodes) {
      const schema = schemaNamed(node, "patternProperties", pattern);
      if (schema !== undefined) return this.#possible([[schema]]);
    }
    return this.othersBut([]);
  }

  /** The schemas of properties that are not described by name and match none of these patterns. */
  othersBut(patterns: readonly string[]): Conjunction[] {
    const additional = this.narrow.nodes.flatMap((node) => additionalProperties(node) ?? []);
    const matching = this.narrow.nodes
      .flatMap((node) => [...schemasByName(node, "patternProperties")])
      .filter(([pattern]) => !patterns.includes(pattern))
      .map(([, schema]) => [schema]);
    return this.#possible([additional, ...matching]);
  }

  #possible(cases: readonly (readonly SchemaNode[])[]): Conjunction[] {
    const place = this.narrow.placeOf("additionalProperties");
    return cases
      .map((schemas) => new Conjunction(schemas, place))
      .filter(({ isNever }) => !isNever);
  }
}

/** The node of `additionalProperties`; undefined if the keyword is absent. */
export function additionalProperties(node: ObjectNode): SchemaNode | undefined {
  return schemaUnder(node, "additionalProperties");
}
