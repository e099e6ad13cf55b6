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

/** What is known about the properties of a narrow schema's objects. */
export class PropertyFacts {
  /** The properties that it describes by name. */
  readonly names: ReadonlySet<string>;

  constructor(
    readonly narrow: Conjunction,
    private readonly patterns: Patterns,
  ) {
    this.names = new Set(
      narrow.nodes.flatMap((node) => [...schemasByName(node, "properties").keys()]),
    );
  }

  /** The schemas that a property fits, as far as that is certain; none where nothing is known. */
  schemasOf(name: string): SchemaNode[] {
    return this.narrow.nodes.flatMap((node) => this.#inNode(name, node));
  }

  #inNode(name: string, node: ObjectNode): SchemaNode[] {
    const described = schemaNamed(node, "properties", name);
    const found = described === undefined ? [] : [described];
    let isEveryPatternKnown = true;
    for (const [pattern, schema] of schemasByName(node, "patternProperties")) {
      const matches = this.patterns.matches(pattern, name);
      if (matches === true) found.push(schema);
      if (matches === undefined) isEveryPatternKnown = false;
    }
    if (found.length > 0 || !isEveryPatternKnown) return found;
    const rest = additionalProperties(node);
    return rest === undefined || rest.schema === true ? [] : [rest];
  }

  /** No object has the property. */
  excludes(name: string): boolean {
    return new Conjunction(this.schemasOf(name), this.narrow.placeOf()).isNever;
  }

  /** Every object that has the property has the dependents too. */
  requires(property: string, dependents: JsonValue): boolean {
    if (!Array.isArray(dependents)) return false;
    const stated = this.narrow.nodes.flatMap((node) =>
      ["dependentRequired", "dependencies"].flatMap((name) => {
        const value = keyword(node, name);
        const list = isJsonObject(value) ? ownValue(value, property) : undefined;
        return Array.isArray(list) ? list : [];
      }),
    );
    const present = new Set<JsonValue>([...this.narrow.required, property, ...stated]);
    return dependents.every((name) => present.has(name));
  }

  /** No property can occur that is not described by name. */
  get isClosed(): boolean {
    return this.othersBut([]).length === 0;
  }

  /** What the properties that are not described by name can be, if a pattern matches them. */
  othersMatching(pattern: string): Conjunction[] {
    for (const node of this.narrow.nodes) {
      const schema = schemaNamed(node, "patternProperties", pattern);
      if (schema !== undefined) return this.#possible([[schema]]);
    }
    return this.othersBut([]);
  }

  /** What the properties can be that are not described by name and match none of these patterns. */
  othersBut(patterns: readonly string[]): Conjunction[] {
    const rest = this.narrow.nodes.flatMap((node) => additionalProperties(node) ?? []);
    const matching = this.narrow.nodes
      .flatMap((node) => [...schemasByName(node, "patternProperties")])
      .filter(([pattern]) => !patterns.includes(pattern))
      .map(([, schema]) => [schema]);
    return this.#possible([rest, ...matching]);
  }

  #possible(cases: readonly (readonly SchemaNode[])[]): Conjunction[] {
    const place = this.narrow.placeOf("additionalProperties");
    return cases
      .map((schemas) => new Conjunction(schemas, place))
      .filter(({ isNever }) => !isNever);
  }
}

/** The schema of the properties that a node does not describe; undefined where it has none. */
export function additionalProperties(node: ObjectNode): SchemaNode | undefined {
  return schemaUnder(node, "additionalProperties");
}
