import type { JsonObject } from "../../model/json.js";
import { KEYWORDS } from "../keywords/index.js";
import { undecided, type Comparing } from "./check.js";
import { Conjunction, gather } from "./conjunction.js";
import { answerOf, type Finding } from "./finding.js";
import { Patterns } from "./patterns.js";
import { PropertyFacts } from "./property-facts.js";
import { SameSchemas } from "./same-schema.js";
import { isObjectNode, type ObjectNode, type SchemaNode } from "./schema-node.js";

/** Pairs of schemas that are compared for one pair, and for all pairs of a manifest. */
const MOST_STEPS = 20_000;
const MOST_STEPS_IN_ALL = 2_000_000;
/** Parts within parts. */
const DEEPEST = 128;
/** How far into objects two schemas are told apart. */
const DISJOINT_DEPTH = 3;

/**
 * Proves that whatever one schema accepts another accepts too, keyword by keyword, or says what
 * stands against it. Never `compatible` when it is not; what it cannot decide is `unknown`.
 * Time is bounded, whatever the schemas.
 */
export class SchemaComparison implements Comparing {
  readonly patterns = new Patterns();
  readonly #ids = new WeakMap<JsonObject, number>();
  #lastId = 0;
  readonly #same = new SameSchemas((schema) => this.#idOf(schema));
  /** The pairs on the way to the present one → how deep in the value each is. */
  readonly #pending = new Map<string, number>();
  /** What was found about pairs for good: shared schemas come up in many tools. */
  readonly #compared = new Map<string, Finding[]>();
  /** How often a finding depended on the way to its pair: on a pending one, or on the steps left. */
  #assumptions = 0;
  #depth = 0;
  #stepsLeft = 0;
  #stepsLeftInAll = MOST_STEPS_IN_ALL;

  /** What the narrow schemas, taken together, accept and the wide one refuses; nothing when each value fits both. */
  compare(narrow: readonly SchemaNode[], wide: SchemaNode): Finding[] {
    this.#stepsLeft = Math.min(MOST_STEPS, this.#stepsLeftInAll);
    this.#stepsLeftInAll -= this.#stepsLeft;
    const found = this.compareBeside(new Conjunction(narrow, narrow[0] ?? wide), wide);
    this.#stepsLeftInAll += Math.max(0, this.#stepsLeft);
    return found;
  }

  compareInside(narrow: Conjunction, wide: SchemaNode): Finding[] {
    this.#depth += 1;
    const found = this.compareBeside(narrow, wide);
    this.#depth -= 1;
    return found;
  }

  compareBeside(narrow: Conjunction, wide: SchemaNode): Finding[] {
    if (narrow.isNever || wide.schema === true) return [];
    if (!isObjectNode(wide)) return [refusesAll(narrow, wide)];
    if (narrow.nodes.some((node) => this.#same.areSame(node, wide))) return [];
    this.#stepsLeft -= 1;
    if (this.#stepsLeft < 0 || this.#depth > DEEPEST) {
      this.#assumptions += 1;
      return [undecided(narrow, wide, "")];
    }
    return this.#onceADepth(narrow, wide, () => this.#compareNodes(narrow, wide));
  }

  /**
   * Recursive schemas lead back to a pair that is being compared. Deeper in the value it may be
   * taken as proven: values are finite. At the same depth nothing was gained.
   */
  #onceADepth(narrow: Conjunction, wide: ObjectNode, compare: () => Finding[]): Finding[] {
    const key = `${narrow.key((schema) => this.#idOf(schema))}>${this.#idOf(wide.schema)}`;
    const cached = this.#compared.get(key);
    if (cached !== undefined) return cached;
    const depth = this.#pending.get(key);
    if (depth !== undefined) {
      this.#assumptions += 1;
      return depth < this.#depth ? [] : [undecided(narrow, wide, "$ref")];
    }
    const assumptions = this.#assumptions;
    this.#pending.set(key, this.#depth);
    const found = compare();
    this.#pending.delete(key);
    if (this.#assumptions === assumptions) this.#compared.set(key, found);
    return found;
  }

  #compareNodes(narrow: Conjunction, wide: ObjectNode): Finding[] {
    const { nodes, isNever, isIncomplete } = gather([wide]);
    if (isNever) return [refusesAll(narrow, wide)];
    const found = nodes
      .filter((node) => !narrow.nodes.some((own) => this.#same.areSame(own, node)))
      .flatMap((node) => this.#compareKeywords(narrow, node));
    if (isIncomplete) found.push(undecided(narrow, wide, "$ref"));
    const alternatives = answerOf(found) === "compatible" ? undefined : narrow.alternatives();
    return alternatives === undefined
      ? found
      : alternatives().flatMap((branch) => this.compareBeside(branch, wide));
  }

  #compareKeywords(narrow: Conjunction, wide: ObjectNode): Finding[] {
    return [...KEYWORDS.values()].flatMap(({ compare }) => compare?.(narrow, wide, this) ?? []);
  }

  /** Whether the two say the same of every value by what is written in them. */
  areSame(left: SchemaNode, right: SchemaNode): boolean {
    return this.#same.areSame(left, right);
  }

  holdsSame(narrow: Conjunction, wide: ObjectNode, names: readonly string[]): boolean {
    return narrow.nodes.some((node) => this.#same.haveSame(node, wide, names));
  }

  areDisjoint(left: Conjunction, right: Conjunction): boolean {
    return this.#isEmpty(left.with(...right.nodes), DISJOINT_DEPTH) || right.isNever;
  }

  /** Whether no value fits, seen from the types, the listed values, and those of required properties. */
  #isEmpty(conjunction: Conjunction, depth: number): boolean {
    if (conjunction.isNever) return true;
    const isObject = [...conjunction.types].every((type) => type === "object");
    if (!isObject || depth === 0) return false;
    const facts = new PropertyFacts(conjunction, this.patterns);
    return [...conjunction.required].some((name) => {
      this.#stepsLeft -= 1;
      if (this.#stepsLeft < 0) this.#assumptions += 1;
      const member = new Conjunction(facts.schemasOf(name), conjunction.placeOf());
      return this.#stepsLeft >= 0 && this.#isEmpty(member, depth - 1);
    });
  }

  #idOf(schema: JsonObject): number {
    let id = this.#ids.get(schema);
    if (id === undefined) {
      id = this.#lastId += 1;
      this.#ids.set(schema, id);
    }
    return id;
  }
}

function refusesAll(narrow: Conjunction, wide: SchemaNode): Finding {
  const answer = narrow.isExactFor("any") ? "incompatible" : "unknown";
  const excess = { kind: "type", types: narrow.types } as const;
  return { answer, excess, narrow: narrow.placeOf(), wide, below: [] };
}
