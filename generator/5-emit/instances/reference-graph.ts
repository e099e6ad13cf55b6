import type { JsonObject, JsonSchema } from "../../model/json.js";
import { walkSchema } from "../../schema/subschemas.js";
import { resolveReference } from "../../schema/schema-reference.js";

/** Keywords under which the acceptance of a subschema can make a value refused. */
const ENTANGLING_KEYWORDS: ReadonlySet<string> = new Set(["not", "if", "oneOf", "contains"]);

/** Which subschemas are used in more places than where they stand. */
export class ReferenceGraph {
  readonly #targets: ReadonlySet<JsonSchema>;
  readonly #entangled: ReadonlySet<JsonSchema>;

  constructor(root: JsonSchema) {
    const starts: JsonSchema[] = [];
    const entangled: JsonSchema[] = [];
    for (const [path, schema] of walkSchema(root)) {
      starts.push(...targetsOf(root, schema));
      if (path.some((step) => ENTANGLING_KEYWORDS.has(String(step)))) entangled.push(schema);
    }
    this.#targets = withReached(root, starts);
    this.#entangled = withReached(root, entangled);
  }

  /** Whether a reference leads to the schema, or to one around it. */
  isTarget(schema: JsonObject): boolean {
    return this.#targets.has(schema);
  }

  /** Whether the schema is used where a value can be refused because it accepts. */
  isEntangled(schema: JsonObject): boolean {
    return this.#entangled.has(schema);
  }
}

/** The schemas, all within them, and all that their references lead to. */
function withReached(root: JsonSchema, schemas: readonly JsonSchema[]): Set<JsonSchema> {
  const reached = new Set<JsonSchema>();
  const waiting = [...schemas];
  for (let start = waiting.pop(); start !== undefined; start = waiting.pop()) {
    if (reached.has(start)) continue;
    for (const [, schema] of walkSchema(start)) {
      reached.add(schema);
      waiting.push(...targetsOf(root, schema));
    }
  }
  return reached;
}

function targetsOf(root: JsonSchema, schema: JsonSchema): JsonSchema[] {
  if (typeof schema === "boolean") return [];
  return [schema["$ref"], schema["$dynamicRef"]].flatMap((reference) => {
    if (typeof reference !== "string") return [];
    const target = resolveReference(root, reference, () => undefined);
    return target === undefined ? [] : [target.schema];
  });
}
