import type { JsonObject } from "../../model/json.js";
import { KEYWORDS } from "../keywords/index.js";
import { undecided, type Comparing } from "./check.js";
import { Conjunction, gather } from "./conjunction.js";
import { answerOf, type Finding } from "./finding.js";
import { Patterns } from "./patterns.js";
import { PropertyFacts } from "./property-facts.js";
import { SameSchemas } from "./same-schema.js";
import { isObjectNode, type ObjectNode, type SchemaNode } from "./schema-node.js";

/** The most pairs of subschemas that one call of `compare` compares. */
const MAX_STEPS = 20_000;
/** The most pairs of subschemas that all calls of `compare` compare. */
const MAX_STEPS_IN_ALL = 2_000_000;
const MAX_DEPTH = 128;
/** How many levels of required properties are searched for the proof that two schemas share no value. */
const DISJOINT_DEPTH = 3;

/**
 * Compares schemas keyword by keyword. It proves that one schema accepts all values that another accepts, or
 * finds differences. It never answers `compatible` without a proof; what it cannot decide is `unknown`.
 * The time is bounded for all schemas.
 */
export class SchemaComparison implements Comparing {
  readonly patterns = new Patterns();
  readonly #ids = new WeakMap<JsonObject, number>();
  #lastId = 0;
  readonly #same = new SameSchemas((schema) => this.#idOf(schema));
  /** The pairs whose comparison has begun and not ended, with the depth of each in the value. */
  readonly #pending = new Map<string, number>();
  /** The findings that hold wherever a pair occurs, as a shared schema occurs in many tools. */
  readonly #cache = new Map<string, Finding[]>();
  /** Counts the findings that must not be cached, since they depend on pending pairs or on the steps left. */
  #assumptions = 0;
  #depth = 0;
  #stepsLeft = 0;
  #stepsLeftInAll = MAX_STEPS_IN_ALL;

  /** Finds what the narrow schemas together accept and the wide one refuses; empty if it refuses nothing. */
  compare(narrow: readonly SchemaNode[], wide: SchemaNode): Finding[] {
    this.#stepsLeft = Math.min(MAX_STEPS, this.#stepsLeftInAll);
    this.#stepsLeftInAll -= this.#stepsLeft;
    const findings = this.compareBeside(new Conjunction(narrow, narrow[0] ?? wide), wide);
    this.#stepsLeftInAll += Math.max(0, this.#stepsLeft);
    return findings;
  }

  compareInside(narrow: Conjunction, wide: SchemaNode): Finding[] {
    this.#depth += 1;
    const findings = this.compareBeside(narrow, wide);
    this.#depth -= 1;
    return findings;
  }

  compareBeside(narrow: Conjunction, wide: SchemaNode): Finding[] {
    if (narrow.isNever || wide.schema === true) return [];
    if (!isObjectNode(wide)) return [refusesAll(narrow, wide)];
    if (narrow.nodes.some((node) => this.#same.areSame(node, wide))) return [];
    this.#stepsLeft -= 1;
    if (this.#stepsLeft < 0 || this.#depth > MAX_DEPTH) {
      this.#assumptions += 1;
      return [undecided(narrow, wide, "")];
    }
    return this.#comparePair(narrow, wide);
  }

  /**
   * Compares a pair unless it is cached or pending. A recursive schema leads back to a pending pair. Deeper in the
   * value, the pair may be taken as proven, since values are finite. At the same depth nothing is proven.
   */
  #comparePair(narrow: Conjunction, wide: ObjectNode): Finding[] {
    const key = `${narrow.key((schema) => this.#idOf(schema))}>${this.#idOf(wide.schema)}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const depth = this.#pending.get(key);
    if (depth !== undefined) {
      this.#assumptions += 1;
      return depth < this.#depth ? [] : [undecided(narrow, wide, "$ref")];
    }
    const assumptions = this.#assumptions;
    this.#pending.set(key, this.#depth);
    const findings = this.#compareNodes(narrow, wide);
    this.#pending.delete(key);
    if (this.#assumptions === assumptions) this.#cache.set(key, findings);
    return findings;
  }

  #compareNodes(narrow: Conjunction, wide: ObjectNode): Finding[] {
    const { nodes, isNever, isIncomplete } = gather([wide]);
    if (isNever) return [refusesAll(narrow, wide)];
    const findings = nodes
      .filter((node) => !narrow.nodes.some((narrowNode) => this.#same.areSame(narrowNode, node)))
      .flatMap((node) => this.#compareKeywords(narrow, node));
    if (isIncomplete) findings.push(undecided(narrow, wide, "$ref"));
    const alternatives = answerOf(findings) === "compatible" ? undefined : narrow.alternatives();
    return alternatives === undefined
      ? findings
      : alternatives().flatMap((branch) => this.compareBeside(branch, wide));
  }

  #compareKeywords(narrow: Conjunction, wide: ObjectNode): Finding[] {
    return [...KEYWORDS.values()].flatMap(({ compare }) => compare?.(narrow, wide, this) ?? []);
  }

  holdsSame(narrow: Conjunction, wide: ObjectNode, names: readonly string[]): boolean {
    return narrow.nodes.some((node) => this.#same.haveSame(node, wide, names));
  }

  areDisjoint(left: Conjunction, right: Conjunction): boolean {
    return this.#isEmpty(left.with(...right.nodes), DISJOINT_DEPTH) || right.isNever;
  }

  /** True if the types and listed values of a value, or of its required properties, prove that no value fits. */
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
