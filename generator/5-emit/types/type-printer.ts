import {
  inBrackets,
  intersectionOf,
  listOf,
  membersOf,
  onOneLine,
  sequenceOf,
  unionOf,
  type Code,
  type Member,
} from "../../text/code.js";
import { writeKey } from "../../text/literal.js";
import type { Definition } from "../../schema/types/definition.js";
import { docLines } from "./doc-comment.js";
import {
  ANY,
  ANY_ARRAY,
  ANY_OBJECT,
  isNever,
  MAX_SPELLED_LENGTHS,
  soleKind,
  type ArrayType,
  type NamedType,
  type ObjectType,
  type Property,
  type ScalarKind,
  type Type,
} from "../../schema/types/type-model.js";

/** Gives named types their names. */
export interface Names {
  /** The name of a definition. Also called for types that the printer leaves out later. */
  refer(definition: Definition): string;
}

/** Maximum length of a type that is written a second time, in characters. */
const MAX_REPEATED_LENGTH = 48;
/** Longer types become `JsonValue`. Only schemas that refer to each other many times have such types. */
const MAX_INLINE_LENGTH = 65_536;

/**
 * Members that every object has in TypeScript. An optional property with such a name would refuse objects
 * without it, so its type is `unknown`.
 */
const INHERITED: ReadonlySet<string> = new Set(
  "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf".split(
    " ",
  ),
);

/** A printed type. */
interface PrintedType {
  readonly code: Code;
  /** The code on one line, for comparing and measuring. */
  readonly text: string;
  /** True if the type needs brackets before `[]` or `&`. */
  readonly isCompound: boolean;
}

/** A printed property of an object type. */
interface PrintedProperty {
  readonly name: string;
  readonly type: PrintedType;
  readonly optional: boolean;
  readonly docs: readonly string[];
}

const UNKNOWN = printed("unknown");

/**
 * The members of an object without properties. TypeScript refuses every property of such an object, read or written;
 * `{ [key: string]: never }` would let all be read, and `{}` would let all be written.
 */
const NO_PROPERTIES: Code = membersOf([{ name: "[key: symbol]", type: "never" }]);

/** Writes types as TypeScript. */
export class TypePrinter {
  readonly #names: Names;
  readonly #printed = new Map<Type, PrintedType>();

  constructor(names: Names) {
    this.#names = names;
  }

  /** The code of a type, however long it is. */
  print(type: Type): Code {
    return this.#union(type).code;
  }

  /** The members of an interface; undefined if the type is not exactly one object type. */
  members(type: Type): Code | undefined {
    const [object, ...others] = type.objects;
    const isObject = type.scalars.size + type.arrays.length + type.named.length === 0;
    const isOne = object !== undefined && others.length === 0 && object.refinements.length === 0;
    return isObject && isOne && object !== ANY_OBJECT ? this.#members(object) : undefined;
  }

  #type(type: Type): PrintedType {
    const kind = soleKind(type);
    if (kind !== undefined) return printed(kind);
    const cached = this.#printed.get(type);
    if (cached !== undefined) return cached;
    const printedType = this.#limited(this.#union(type));
    this.#printed.set(type, printedType);
    return printedType;
  }

  #limited(type: PrintedType): PrintedType {
    return type.text.length <= MAX_INLINE_LENGTH ? type : printed("JsonValue");
  }

  #union(type: Type): PrintedType {
    if (type === ANY) return printed("JsonValue");
    const { scalars, hasNull } = this.#scalars(type);
    const compound = [...type.objects.map((object) => this.#object(object)), ...this.#named(type)];
    const members = [
      ...scalars.map((text) => printed(text)),
      ...type.arrays.flatMap((array) => this.#array(array)),
      ...compound,
      ...(hasNull ? [printed("null")] : []),
    ];
    const distinct = new Map(members.map((part) => [part.text, part.code]));
    if (distinct.size === 0) return printed("never");
    const isCompound = distinct.size > 1 || compound.some((part) => part.isCompound);
    return printed(unionOf([...distinct.values()]), isCompound);
  }

  /** The scalar types. `null` is separate, since it is written last. */
  #scalars({ scalars, arrays, objects }: Type): { scalars: string[]; hasNull: boolean } {
    const kinds = [...scalars];
    const isAll = kinds.length === 4 && kinds.every(([, set]) => set === "every");
    if (isAll && arrays.length + objects.length > 0) {
      return { scalars: ["JsonPrimitive"], hasNull: false };
    }
    const literals = (kind: ScalarKind): string[] => {
      const set = scalars.get(kind);
      return set === "every" ? [kind] : [...(set ?? [])];
    };
    return {
      scalars: [...literals("string"), ...literals("number"), ...literals("boolean")],
      hasNull: scalars.has("null"),
    };
  }

  #named(type: Type): PrintedType[] {
    return type.named.map(({ definition, and }: NamedType) => {
      const name = this.#names.refer(definition);
      if (and === undefined) return printed(name);
      return printed(sequenceOf([`${name} & `, asOperand(this.#type(and))]), true);
    });
  }

  /** An array type, as members of a union: several if each length of a tuple is a type of its own. */
  #array(array: ArrayType): PrintedType[] {
    const { elements, required, rest } = array;
    if (array === ANY_ARRAY) return [printed("JsonValue[]")];
    if (elements.length === 0) return [printed(isNever(rest) ? "[]" : this.#listOf([rest]))];
    const types = elements.map((element) => this.#type(element));
    const isLong = types.some(({ text }) => text.length > MAX_REPEATED_LENGTH);
    const distinct = new Set([...elements, rest]);
    if (isLong && distinct.size <= elements.length) return [printed(this.#listOf([...distinct]))];
    const tail = isNever(rest) ? [] : [sequenceOf(["...", this.#listOf([rest])])];
    const optional = elements.length - required;
    const isSpelled = optional <= MAX_SPELLED_LENGTHS && (optional <= 1 || !isLong);
    return isSpelled
      ? tuplesOfEachLength(types, required, tail)
      : [optionalTuple(types, required, tail)];
  }

  #listOf(types: readonly Type[]): Code {
    const elements = types.filter((type) => !isNever(type)).map((type) => this.#type(type));
    const [first] = elements;
    const element =
      first !== undefined && elements.length === 1
        ? asOperand(first)
        : inBrackets(unionOf(elements.map(({ code }) => code)));
    return sequenceOf([element, "[]"]);
  }

  #object(object: ObjectType): PrintedType {
    if (object === ANY_OBJECT) return printed("JsonObject");
    const base = this.#members(object);
    if (object.refinements.length === 0) return printed(base);
    const choices = object.refinements.map((alternatives) =>
      this.#refinement(object, alternatives),
    );
    return printed(intersectionOf([base, ...choices]), true);
  }

  #refinement(base: ObjectType, alternatives: readonly ObjectType[]): Code {
    const codes = alternatives.map((alternative) => {
      const properties = [...alternative.properties].map(([key, property]) =>
        this.#narrowedProperty(key, property, base),
      );
      const narrowed = properties.length > 0 ? [objectType(properties)] : [];
      const inner = alternative.refinements.map((choice) => this.#refinement(alternative, choice));
      return intersectionOf([...narrowed, ...inner]);
    });
    const distinct = new Map(codes.map((code) => [onOneLine(code), code]));
    const union = unionOf([...distinct.values()]);
    return distinct.size === 1 ? union : inBrackets(union);
  }

  /** A property of an alternative. A long type that the base already has becomes `unknown`. */
  #narrowedProperty(key: string, property: Property, base: ObjectType): PrintedProperty {
    const narrowed = this.#property(key, property);
    const inBase = base.properties.get(key);
    const docs = inBase === undefined ? narrowed.docs : [];
    const repeats =
      inBase?.type === property.type && narrowed.type.text.length > MAX_REPEATED_LENGTH;
    return { ...narrowed, docs, type: repeats ? UNKNOWN : narrowed.type };
  }

  #members(object: ObjectType): Code {
    const properties = [...object.properties].map(([key, property]) =>
      this.#property(key, property),
    );
    if (properties.length === 0 && isNever(object.rest)) return NO_PROPERTIES;
    return objectType(properties, this.#index(object, properties));
  }

  #property(key: string, { type, required, schema }: Property): PrintedProperty {
    return {
      name: writeKey(key),
      type: INHERITED.has(key) && !required ? UNKNOWN : this.#type(type),
      optional: !required,
      docs: docLines(schema),
    };
  }

  /** The type of the index signature, if there is one. It must include the types of all properties. */
  #index(object: ObjectType, properties: readonly PrintedProperty[]): Code | undefined {
    const { rest } = object;
    if (isNever(rest)) return undefined;
    if (properties.length === 0) return this.#type(rest).code;
    const restType = this.#type(rest);
    if (rest === ANY) return UNKNOWN.code;
    const hasAny = [...object.properties.values()].some(({ type }) => type === ANY);
    const types = [restType, ...properties.map(({ type }) => type)];
    const distinct = new Map(types.map(({ text, code }) => [text, code]));
    if (hasAny || distinct.has(UNKNOWN.text)) return UNKNOWN.code;
    if (properties.some(({ optional }) => optional)) distinct.set("undefined", "undefined");
    const code = unionOf([...distinct.values()]);
    return onOneLine(code).length > MAX_REPEATED_LENGTH ? UNKNOWN.code : code;
  }
}

function printed(code: Code, isCompound = false): PrintedType {
  return { code, text: onOneLine(code), isCompound };
}

/** The code of a type before `[]` or next to `&`, in brackets if necessary. */
const asOperand = ({ code, isCompound }: PrintedType): Code =>
  isCompound ? inBrackets(code) : code;

function optionalTuple(
  elements: readonly PrintedType[],
  required: number,
  tail: readonly Code[],
): PrintedType {
  const codes = elements.map((element, index) =>
    index < required ? element.code : sequenceOf([asOperand(element), "?"]),
  );
  return printed(listOf([...codes, ...tail]));
}

/** Tuples such as `[] | [A] | [A, B]`. The elements of `[A?, B?]` could be undefined. */
function tuplesOfEachLength(
  elements: readonly PrintedType[],
  required: number,
  tail: readonly Code[],
): PrintedType[] {
  const codes = elements.map(({ code }) => code);
  const lengths = Array.from({ length: elements.length - required }, (_, index) =>
    printed(listOf(codes.slice(0, required + index))),
  );
  return [...lengths, printed(listOf([...codes, ...tail]))];
}

/** An object type. `index` is the type of its index signature. */
function objectType(properties: readonly PrintedProperty[], index?: Code): Code {
  const members: Member[] = properties.map(({ name, type, optional, docs }) => ({
    name: optional ? `${name}?` : name,
    type: type.code,
    docs,
  }));
  if (index !== undefined) members.push({ name: "[key: string]", type: index });
  return membersOf(members);
}
