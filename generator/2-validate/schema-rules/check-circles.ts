import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { walkSchema } from "../../schema/subschemas.js";
import { circularReference, recursionInline } from "../../model/catalogue/schema.js";
import { quoted } from "../../text/value-words.js";
import { strongComponents } from "../../schema/patterns/components.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";
import { edgesOf, type SchemaEdge, type SchemaPlace } from "../../schema/schema-graph.js";

/** The most steps of a circle that a message shows. */
const SHOWN_STEPS = 6;

/** The edges that make a circle, and the diagnostic for one. */
interface CircleKind {
  readonly follows: (edge: SchemaEdge) => boolean;
  readonly report: typeof circularReference;
}

/**
 * Reports schemas that apply themselves to the same value, so that validation would be endless. It
 * reports each circle once, at one of its references.
 *
 * @param documents whose references can lead to each other: a tool's schema alone, or all shared ones
 */
export function checkCircles(documents: readonly SchemaDocument[]): Diagnostic[] {
  const kind = { follows: ({ samePlace }: SchemaEdge) => samePlace, report: circularReference };
  return new CircleSearch(documents, kind).run();
}

/** Reports shared schemas that lead back to themselves in any way. Copies cannot replace references to these. */
export function checkRecursion(shared: readonly SchemaDocument[]): Diagnostic[] {
  return new CircleSearch(shared, { follows: () => true, report: recursionInline }).run();
}

class CircleSearch {
  readonly #kind: CircleKind;
  readonly #documents: ReadonlyMap<JsonObject, SchemaDocument>;
  readonly #places: SchemaPlace[] = [];
  readonly #numbers = new Map<JsonObject, number>();

  constructor(documents: readonly SchemaDocument[], kind: CircleKind) {
    this.#kind = kind;
    this.#documents = new Map(documents.map((document) => [document.root, document]));
  }

  run(): Diagnostic[] {
    const starts = [...this.#documents.keys()].flatMap((root) => this.#referringPlaces(root));
    const components = strongComponents(starts, (number) =>
      this.#edges(number).map(({ to }) => this.#numberOf(to)),
    );
    const reported = new Set<number>();
    return starts.flatMap((start) => {
      const component = components.get(start) ?? -1;
      if (reported.has(component)) return [];
      const inside = (edge: SchemaEdge): boolean =>
        components.get(this.#numberOf(edge.to)) === component;
      const first = this.#edges(start).find((edge) => edge.reference !== undefined && inside(edge));
      if (first === undefined) return [];
      reported.add(component);
      return [this.#report(start, first, inside)];
    });
  }

  /** The schemas with references. Every circle has at least one. */
  #referringPlaces(root: JsonObject): number[] {
    return [...walkSchema(root)].flatMap(([path, schema]) => {
      const refers = isJsonObject(schema) && ("$ref" in schema || "$dynamicRef" in schema);
      return refers ? [this.#numberOf({ schema, root, path })] : [];
    });
  }

  #numberOf(place: SchemaPlace): number {
    const number = this.#numbers.get(place.schema);
    if (number !== undefined) return number;
    this.#numbers.set(place.schema, this.#places.length);
    return this.#places.push(place) - 1;
  }

  /** The edges that the search follows, within its documents. */
  #edges(number: number): SchemaEdge[] {
    const place = this.#places[number];
    const document = place && this.#documents.get(place.root);
    if (place === undefined || document === undefined) return [];
    return edgesOf(place, document.run.shared).filter(
      (edge) => this.#kind.follows(edge) && this.#documents.has(edge.to.root),
    );
  }

  #report(start: number, first: SchemaEdge, inside: (edge: SchemaEdge) => boolean): Diagnostic {
    const place = this.#places[start];
    const document = place && this.#documents.get(place.root);
    if (place === undefined || document === undefined) throw new Error("a circle starts somewhere");
    const steps: string[] = [];
    const visited = new Set<number>();
    for (let edge: SchemaEdge | undefined = first; edge !== undefined;) {
      if (edge.reference !== undefined) steps.push(quoted(edge.reference));
      const number = this.#numberOf(edge.to);
      if (number === start || visited.has(number) || steps.length > SHOWN_STEPS) break;
      visited.add(number);
      edge = this.#edges(number).find(inside);
    }
    const keyword = place.schema["$ref"] === first.reference ? "$ref" : "$dynamicRef";
    return this.#kind.report(placeOf(document, [...place.path, keyword], "value"), { steps });
  }
}
