import { isJsonObject, type JsonSchema } from "../../model/json.js";
import type { SharedSchemaModel } from "../../model/server-model.js";
import {
  OWN_FUNCTION,
  prepareSchema,
  type PreparedSchema,
  type ReferenceContext,
} from "../../schema/keywords/emission/prepare-schema.js";
import { ownValue } from "../../schema/json-schema.js";
import { hasCycle } from "./has-cycle.js";
import type { CallLimits } from "./module-code.js";

/** With more functions than this, nested calls could overflow the stack. */
const UNBOUNDED_FUNCTIONS = 200;

/** A schema in wire form: valid, and with no references to other documents. */
export interface SchemaDocument {
  readonly schema: JsonSchema;
  /** The shared schemas that it holds, with their keys among its definitions. Their functions are imported. */
  readonly embedded?: Readonly<Record<string, string>>;
}

/**
 * The manifest's shared schemas as validators see them: each has functions in a module of its own, which the modules of
 * items import. So a schema that many items use is compiled, printed and loaded once.
 */
export class SharedValidators {
  readonly #models: ReadonlyMap<string, SharedSchemaModel>;
  readonly #preparedShared = new Map<string, PreparedSchema>();
  readonly #preparedDocuments = new Map<JsonSchema, PreparedSchema>();
  readonly #limits = new Map<PreparedSchema, CallLimits>();

  constructor(models: readonly SharedSchemaModel[]) {
    this.#models = new Map(models.map((model) => [model.name, model]));
  }

  /** The schema of a request, and all shared schemas to which it refers, as AJV compiles them. */
  prepare({ schema, embedded }: SchemaDocument): PreparedSchema {
    const found = this.#preparedDocuments.get(schema);
    if (found !== undefined) return found;
    const definitions = embeddedSchemas(schema, embedded ?? {});
    const context: ReferenceContext = {
      root: schema,
      shared: new Map([...definitions].map(([name, shared]) => [shared, name])),
    };
    const prepared = prepareSchema(schema, context);
    this.#preparedDocuments.set(schema, prepared);
    const waiting = new Set(prepared.shared.values());
    // The set grows while this loop reads it.
    for (const name of waiting) {
      if (this.#preparedShared.has(name)) continue;
      const shared = prepareSchema(definitions.get(name) ?? true, context);
      this.#preparedShared.set(name, shared);
      for (const next of shared.shared.values()) waiting.add(next);
    }
    return prepared;
  }

  /** A shared schema to which a schema refers that was prepared. */
  get(name: string): { readonly model: SharedSchemaModel; readonly prepared: PreparedSchema } {
    const model = this.#models.get(name);
    const prepared = this.#preparedShared.get(name);
    if (model === undefined || prepared === undefined) throw new Error(`${name} is not shared`);
    return { model, prepared };
  }

  /** The shared schemas whose functions a prepared schema calls, directly or through others. */
  calledBy(prepared: PreparedSchema): ReadonlySet<string> {
    const names = new Set(prepared.shared.values());
    for (const name of names) {
      for (const next of this.get(name).prepared.shared.values()) names.add(next);
    }
    return names;
  }

  /** The limits of the functions that are made of a prepared schema. */
  limitsOf(prepared: PreparedSchema): CallLimits {
    const limits = this.#limits.get(prepared) ?? this.#findLimits(prepared);
    this.#limits.set(prepared, limits);
    return limits;
  }

  #findLimits(prepared: PreparedSchema): CallLimits {
    const called = [...this.calledBy(prepared)].map(
      (name) => [name, this.get(name).prepared] as const,
    );
    const all = [[undefined, prepared] as const, ...called];
    const calls = new Map(all.flatMap(([name, one]) => callsWithin(one, name)));
    const countsCalls = calls.size > UNBOUNDED_FUNCTIONS || hasCycle(calls);
    return { countsCalls, isBounded: countsCalls || all.some(([, one]) => one.matchesSlowly) };
  }
}

/**
 * The functions of a prepared schema, each with those that it calls, as `hasCycle` wants them.
 * @param name of a shared schema; undefined for the document's own
 */
function callsWithin(
  { calls, shared }: PreparedSchema,
  name: string | undefined,
): [string, ReadonlySet<string>][] {
  const functionOf = (key: string): string => {
    const called = shared.get(key);
    return JSON.stringify(called === undefined ? [key, name] : [OWN_FUNCTION, called]);
  };
  return [...calls].map(([key, called]) => [functionOf(key), new Set([...called].map(functionOf))]);
}

/** The shared schemas in a document, by their names. */
function embeddedSchemas(
  document: JsonSchema,
  embedded: Readonly<Record<string, string>>,
): ReadonlyMap<string, JsonSchema> {
  const definitions = isJsonObject(document) ? document["$defs"] : undefined;
  if (!isJsonObject(definitions)) return new Map();
  return new Map(
    Object.entries(embedded).map(([name, key]) => [name, ownValue(definitions, key) as JsonSchema]),
  );
}
