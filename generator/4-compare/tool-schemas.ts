import { haveSameJson, isJsonObject, type JsonObject, type JsonSchema } from "../model/json.js";
import { dialectOf, isJsonSchema, ownValue } from "../schema/json-schema.js";
import type { SemanticChange } from "../model/plan.js";
import type { SharedSchemas } from "../schema/schema-reference.js";
import { outputSchemaAdded, outputSchemaRemoved } from "./catalogue/tools.js";
import { compareSchemaTexts } from "./compare-schema-texts.js";
import { mappingOf, placeIn, type ItemPair, type ManifestItem } from "./manifest-items.js";
import { SchemaComparison } from "../schema/comparison/compare-schemas.js";
import { rootNode, type SchemaNode } from "../schema/comparison/schema-node.js";
import type { Finding } from "../schema/comparison/finding.js";
import { SharedWork } from "../schema/shared-work.js";
import { proveFindings } from "../schema/witnesses/prove-findings.js";
import { changeOf, gravestByPlace, mayBreak, type SchemaChange } from "./schema-changes.js";
import type { Meaning } from "./schema-wording.js";

type Role = "input" | "output";

/** The input schema of a tool that declares none. */
const NO_ARGUMENTS: JsonObject = { type: "object", additionalProperties: false };
/** Every input is an object, even if its schema does not say so. */
const OBJECT: JsonObject = { type: "object" };

/** How many schemas all values together may be checked against, each time counted. */
const WORK_OF_VALUES = 5_000_000;

/**
 * Compares the schemas of tools with `compare`, and then the schemas that several tools share with
 * `sharedChanges`, which reports a change of a shared schema once and not for every tool.
 */
export class ToolSchemas {
  readonly #comparison = new SchemaComparison();
  readonly #work = new SharedWork(WORK_OF_VALUES, 0);
  readonly #before: JsonObject;
  readonly #after: JsonObject;
  readonly #areSharedSchemasAlike: boolean;
  /** Changes in shared schemas, each with the tools that use the schema. */
  readonly #shared = new Map<string, { change: SchemaChange; role: Role; tools: string[] }>();

  constructor(before: JsonObject, after: JsonObject) {
    this.#before = mappingOf(before, "schemas");
    this.#after = mappingOf(after, "schemas");
    this.#areSharedSchemasAlike = haveSameJson(this.#before, this.#after);
  }

  /** The changes within one tool's own schemas. Changes in shared schemas are stored for `sharedChanges`. */
  compare(pair: ItemPair): SemanticChange[] {
    return [...this.#compareRole(pair, "input"), ...this.#compareRole(pair, "output")];
  }

  #compareRole(pair: ItemPair, role: Role): SemanticChange[] {
    const [before, after] = [
      schemaOf(pair.before, role, this.#before),
      schemaOf(pair.after, role, this.#after),
    ];
    const place = placeIn(pair.after, `${role}Schema`);
    if (before === undefined || after === undefined) {
      if (before === after) return [];
      return [after === undefined ? outputSchemaRemoved(place, {}) : outputSchemaAdded(place, {})];
    }
    if (this.#areSharedSchemasAlike && haveSameJson(before.schema, after.schema)) return [];
    const changes = this.#changes(before, after, role).filter(
      (change) => !this.#storeShared(change, role, pair.after.name),
    );
    return [...changes.map(({ change }) => change), ...compareSchemaTexts(before, after)];
  }

  #changes(before: SchemaNode, after: SchemaNode, role: Role): SchemaChange[] {
    const [narrowed, widened] = [true, false].map((isNarrowed) => {
      const meaning = { role, narrowed: isNarrowed };
      const [narrow, wide] = isNarrowed ? [before, after] : [after, before];
      const findings = this.#find(narrow, wide, meaning);
      return findings.flatMap((finding) => changeOf(finding, meaning));
    });
    return gravestByPlace([...narrowed!, ...widened!]);
  }

  /** Finds what the narrow schema accepts and the wide one refuses. What may break callers is also tried with values. */
  #find(narrow: SchemaNode, wide: SchemaNode, meaning: Meaning): readonly Finding[] {
    const isInput = meaning.role === "input";
    const nodes = isInput ? [narrow, { ...narrow, schema: OBJECT }] : [narrow];
    const findings = this.#comparison.compare(nodes, wide);
    if (!mayBreak(meaning)) return findings;
    const isValue = isInput ? isJsonObject : () => true;
    const { patterns } = this.#comparison;
    return proveFindings(findings, narrow, wide, { isValue, patterns, work: this.#work });
  }

  /** Stores a change in a shared schema; false if the change is in the tool's own schema. */
  #storeShared(change: SchemaChange, role: Role, tool: string): boolean {
    if (change.place.name[0] !== "schemas") return false;
    const key = `${role} ${change.change.rule} ${change.change.path}`;
    const shared = this.#shared.get(key);
    if (shared === undefined) this.#shared.set(key, { change, role, tools: [tool] });
    else if (shared.tools.at(-1) !== tool) shared.tools.push(tool);
    return true;
  }

  /** The changes within shared schemas, each once. Call it after all tools were compared. */
  sharedChanges(): SemanticChange[] {
    const texts = Object.keys(this.#after).flatMap((name) => {
      const [before, after] = [sharedNode(name, this.#before), sharedNode(name, this.#after)];
      return before && after ? compareSchemaTexts(before, after) : [];
    });
    const changes = [...this.#shared.values()].map(({ change: { change }, role, tools }) => ({
      ...change,
      message: `${change.message} (in the ${role} of ${usersWords(tools)})`,
    }));
    return [...changes, ...texts];
  }
}

function usersWords([first = "", ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return `${first} and ${others.length} more ${others.length === 1 ? "tool" : "tools"}`;
}

/** A tool's schema; undefined only for an output. */
function schemaOf(tool: ManifestItem, role: Role, shared: JsonObject): SchemaNode | undefined {
  const schema = ownValue(tool.value, `${role}Schema`);
  const root = isJsonSchema(schema) ? schema : role === "input" ? NO_ARGUMENTS : undefined;
  if (root === undefined) return undefined;
  return rootNode({
    root,
    dialect: dialectOf(root),
    shared: sharedIn(shared),
    ...placeIn(tool, `${role}Schema`),
  });
}

function sharedNode(name: string, shared: JsonObject): SchemaNode | undefined {
  const root = sharedIn(shared)(name);
  if (root === undefined) return undefined;
  const at = ["schemas", name];
  return rootNode({ root, dialect: dialectOf(root), shared: sharedIn(shared), at, name: at });
}

function sharedIn(schemas: JsonObject): SharedSchemas {
  return (name): JsonSchema | undefined => {
    const schema = ownValue(schemas, name);
    return isJsonSchema(schema) ? schema : undefined;
  };
}
