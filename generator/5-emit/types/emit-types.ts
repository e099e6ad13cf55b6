import type { JsonSchema } from "../../model/json.js";
import type { SharedSchemaModel } from "../../model/server-model.js";
import { textsOf, type Code } from "../../text/code.js";
import { collectDefaults } from "../../schema/defaults/collect-defaults.js";
import {
  Definitions,
  type Definition,
  type OutsideTypes,
  type SharedSchemas,
} from "../../schema/types/definition.js";
import { docLines } from "./doc-comment.js";
import { SchemaTypes } from "../../schema/types/schema-types.js";
import { ANY } from "../../schema/types/type-model.js";
import { JSON_TYPE_NAMES, type JsonTypeName } from "./json-types.js";
import { TypePrinter } from "./type-printer.js";

/** A request for the type of a schema of the manifest. */
export interface TypeRequest {
  readonly typeName: string;
  /** The schema as in the manifest, where shared schemas are `{ $ref: "#/schemas/Name" }`. */
  readonly schema: JsonSchema;
  /** `arguments`: what a handler receives, after defaults were applied; `value`: any valid value. */
  readonly mode: "arguments" | "value";
}

/** An exported type. */
export interface TypeDeclaration {
  readonly kind: "interface" | "alias";
  readonly name: string;
  /** Lines of its doc comment. They cannot end the comment. */
  readonly docs: readonly string[];
  /** The members of an interface with their braces, or the type that an alias stands for. */
  readonly body: Code;
}

/** The types of the manifest's `schemas`. */
export interface SharedTypes {
  readonly declarations: readonly TypeDeclaration[];
  readonly schemas: SharedSchemas;
  /** The names of the declarations by their schemas. */
  readonly names: OutsideTypes;
  readonly jsonTypes: readonly JsonTypeName[];
}

/** The types that are made for one item. */
export interface ItemTypes {
  readonly declarations: readonly TypeDeclaration[];
  /** The names of the shared types that they use, sorted. */
  readonly sharedTypes: readonly string[];
  readonly jsonTypes: readonly JsonTypeName[];
}

/** The types of shared schemas, under their own names. */
export function emitSharedTypes(shared: readonly SharedSchemaModel[]): SharedTypes {
  const schemas = new Map(shared.map((model) => [model.name, model]));
  const names = new Map<JsonSchema, string>();
  const emission = new Emission(
    schemas,
    shared.map(({ typeName }) => typeName),
  );
  // They are defined first, so that their names do not depend on the items.
  const definitions = shared.map((model) => emission.shared(model));
  const declarations = definitions.flatMap((definition) =>
    emission.declare(definition, ({ name, schema, filled }) => {
      if (filled === undefined) names.set(schema, name);
    }),
  );
  return { declarations, schemas, names, jsonTypes: emission.jsonTypes() };
}

/**
 * The types of an item's schemas: the type of each request, followed by the inner types that it is the first to
 * use. A type accepts every value that its schema accepts, and as few others as TypeScript allows.
 *
 * @param taken names of other types in the same module, which inner types must not have
 */
export function emitItemTypes(
  requests: readonly TypeRequest[],
  shared: SharedTypes,
  taken: Iterable<string> = [],
): ItemTypes {
  const requestNames = requests.map(({ typeName }) => typeName);
  const sharedNames = shared.declarations.map(({ name }) => name);
  const reserved = [...taken, ...requestNames, ...sharedNames];
  const emission = new Emission(shared.schemas, reserved, shared.names);
  const declarations = requests.flatMap((request) => emission.requested(request));
  return {
    declarations,
    sharedTypes: emission.outsideNames(),
    jsonTypes: emission.jsonTypes(),
  };
}

class Emission {
  readonly #definitions: Definitions;
  readonly #types: SchemaTypes;
  readonly #printer: TypePrinter;
  readonly #declared = new Set<Definition>();
  readonly #waiting: Definition[] = [];
  readonly #requested: Readonly<Record<TypeRequest["mode"], Map<JsonSchema, TypeDeclaration>>> = {
    arguments: new Map(),
    value: new Map(),
  };
  /** Names that occur in printed types. */
  readonly #printedNames = new Set<string>();
  readonly #outsideNames = new Set<string>();

  constructor(shared: SharedSchemas, taken: readonly string[], outside?: OutsideTypes) {
    this.#definitions = new Definitions(shared, [...taken, ...JSON_TYPE_NAMES], outside);
    this.#types = new SchemaTypes(this.#definitions);
    this.#printer = new TypePrinter({ refer: (definition) => this.#refer(definition) });
  }

  shared(model: SharedSchemaModel): Definition {
    return this.#definitions.define(this.#definitions.sharedScope(model), model.schema, []);
  }

  /** The type of a request, followed by the inner types that it is the first to use. */
  requested(request: TypeRequest): TypeDeclaration[] {
    const { schema, mode } = request;
    const definition = this.#requestedDefinition(request);
    const earlier = this.#requested[mode].get(schema);
    if (earlier !== undefined) return [{ ...earlier, name: definition.name }];
    const [own, ...others] = this.declare(definition);
    if (own === undefined) return [];
    // Without references inside the schema, no inner type is named after this request: others can reuse the type.
    if (definition.scope.targets.size === 0) this.#requested[mode].set(schema, own);
    return [own, ...others];
  }

  #requestedDefinition({ typeName, schema, mode }: TypeRequest): Definition {
    const defaults =
      mode === "arguments"
        ? collectDefaults(schema, (name) => this.#definitions.sharedSchema(name))
        : undefined;
    if (defaults === undefined) {
      const scope = this.#definitions.requestedScope(typeName, schema);
      return this.#definitions.define(scope, schema, []);
    }
    const scope = this.#definitions.scopeWithDefaults(typeName, schema);
    const unfilled = this.#definitions.define(scope, schema, []);
    return { ...unfilled, name: typeName, filled: { unfilled, defaults } };
  }

  /**
   * The declaration of a definition, followed by those of the types that it is the first to refer to.
   *
   * @param onDeclared called with each declared definition
   */
  declare(definition: Definition, onDeclared?: (declared: Definition) => void): TypeDeclaration[] {
    const declarations: TypeDeclaration[] = [];
    this.#waiting.push(definition);
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (this.#declared.has(next)) continue;
      this.#declared.add(next);
      onDeclared?.(next);
      declarations.push(this.#declaration(next));
    }
    return declarations;
  }

  #declaration(definition: Definition): TypeDeclaration {
    const { name, schema } = definition;
    const type = this.#types.bodyOf(definition) ?? ANY;
    const docs = docLines(schema);
    const members = this.#printer.members(type);
    const body = members ?? this.#printer.print(type);
    for (const used of namesIn(body)) this.#printedNames.add(used);
    return { kind: members === undefined ? "alias" : "interface", name, docs, body };
  }

  #refer(definition: Definition): string {
    if (this.#definitions.isOutside(definition)) this.#outsideNames.add(definition.name);
    else if (!this.#declared.has(definition)) this.#waiting.push(definition);
    return definition.name;
  }

  /** The types of JSON values that were used. */
  jsonTypes(): JsonTypeName[] {
    return JSON_TYPE_NAMES.filter((name) => this.#printedNames.has(name));
  }

  /** Sorted names of the used types of another module. */
  outsideNames(): string[] {
    return [...this.#outsideNames].filter((name) => this.#printedNames.has(name)).sort();
  }
}

/** The names of the types that occur in the code of a type. */
function namesIn(body: Code): readonly string[] {
  return textsOf(body).flatMap((text) => {
    const withoutStrings = text.replace(/"(?:[^"\\]|\\.)*"/g, "");
    return withoutStrings.match(/[\p{ID_Continue}$]+(?![\p{ID_Continue}$]|\??:)/gu) ?? [];
  });
}
