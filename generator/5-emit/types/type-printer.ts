import type { JsonTypeName } from "./json-types.js";
import { writeKey } from "../../text/literal.js";
import type { Definition } from "./definition.js";
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
} from "./type-model.js";

/** A property signature of an interface. */
export interface PropertyText {
  /** As it stands in code, quoted where needed. */
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly docs: readonly string[];
}

export interface MembersText {
  readonly properties: readonly PropertyText[];
  /** The type of the index signature for string keys, where there is one. */
  readonly index?: string;
}

/** What a printed type is part of. */
export interface Names {
  /** Told of every named type that is printed. */
  refer(definition: Definition): string;
  json(name: JsonTypeName): string;
}

/** Text that is short enough to be written twice. */
const MAX_REPEATED_LENGTH = 48;
/** Text past this is cut: only schemas that refer to one another in a net of copies get there. */
const MAX_INLINE_LENGTH = 65_536;

/**
 * Members that every object has in TypeScript, whatever its type says. An optional property of
 * such a name would refuse objects without it, so nothing is said of its type.
 */
const INHERITED: ReadonlySet<string> = new Set(
  "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf".split(
    " ",
  ),
);

/** The text of a type, and whether it must be put in brackets before `[]` or `&`. */
interface TypeText {
  readonly text: string;
  readonly isCompound: boolean;
}

/** Writes types as TypeScript, loosely laid out. */
export class TypePrinter {
  readonly #names: Names;
  readonly #known = new Map<Type, TypeText>();

  constructor(names: Names) {
    this.#names = names;
  }

  /** The text of a named type; however long it is, it is written whole. */
  print(type: Type): string {
    return this.#union(type).text;
  }

  /** The members of an interface; undefined for a type that is not just one object. */
  members(type: Type): MembersText | undefined {
    const [object, ...others] = type.objects;
    const isObject = type.scalars.size + type.arrays.length + type.named.length === 0;
    const isOne = object !== undefined && others.length === 0 && object.refinements.length === 0;
    return isObject && isOne && object !== ANY_OBJECT ? this.#members(object) : undefined;
  }

  #type(type: Type): TypeText {
    const kind = soleKind(type);
    if (kind !== undefined) return { text: kind, isCompound: false };
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    const printed = this.#cut(this.#union(type));
    this.#known.set(type, printed);
    return printed;
  }

  #cut(printed: TypeText): TypeText {
    if (printed.text.length <= MAX_INLINE_LENGTH) return printed;
    return { text: this.#names.json("JsonValue"), isCompound: false };
  }

  #union(type: Type): TypeText {
    if (type === ANY) return { text: this.#names.json("JsonValue"), isCompound: false };
    const { scalars, hasNull } = this.#scalars(type);
    const compound = [...type.objects.map((object) => this.#object(object)), ...this.#named(type)];
    const parts = [...scalars, ...type.arrays.flatMap((array) => this.#array(array))];
    const texts = new Set([...parts, ...compound.map(({ text }) => text)]);
    if (hasNull) texts.add("null");
    if (texts.size === 0) return { text: "never", isCompound: false };
    const isCompound = texts.size > 1 || compound.some((part) => part.isCompound);
    return { text: [...texts].join(" | "), isCompound };
  }

  /** The scalars but for null, which reads best at the end. */
  #scalars({ scalars, arrays, objects }: Type): { scalars: string[]; hasNull: boolean } {
    const kinds = [...scalars];
    const isAll = kinds.length === 4 && kinds.every(([, set]) => set === "every");
    if (isAll && arrays.length + objects.length > 0) {
      return { scalars: [this.#names.json("JsonPrimitive")], hasNull: false };
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

  #named(type: Type): TypeText[] {
    return type.named.map(({ definition, and }: NamedType) => {
      const name = this.#names.refer(definition);
      if (and === undefined) return { text: name, isCompound: false };
      return { text: `${name} & ${inBrackets(this.#type(and))}`, isCompound: true };
    });
  }

  /** The members of a union; more than one where each length is written by itself. */
  #array(array: ArrayType): string[] {
    const { elements, required, rest } = array;
    if (array === ANY_ARRAY) return [`${this.#names.json("JsonValue")}[]`];
    if (elements.length === 0) return [isNever(rest) ? "[]" : this.#listOf([rest])];
    const texts = elements.map((element) => this.#type(element));
    const isLong = texts.some(({ text }) => text.length > MAX_REPEATED_LENGTH);
    const different = new Set([...elements, rest]);
    if (isLong && different.size <= elements.length) return [this.#listOf([...different])];
    const tail = isNever(rest) ? [] : [`...${this.#listOf([rest])}`];
    const optional = elements.length - required;
    const isSpelled = optional <= MAX_SPELLED_LENGTHS && (optional <= 1 || !isLong);
    return isSpelled
      ? tuplesOfEachLength(texts, required, tail)
      : [optionalTuple(texts, required, tail)];
  }

  #listOf(types: readonly Type[]): string {
    const texts = types.filter((type) => !isNever(type)).map((type) => this.#type(type));
    const [only] = texts;
    if (only !== undefined && texts.length === 1) return `${inBrackets(only)}[]`;
    return `(${texts.map(({ text }) => text).join(" | ")})[]`;
  }

  #object(object: ObjectType): TypeText {
    if (object === ANY_OBJECT) return { text: this.#names.json("JsonObject"), isCompound: false };
    const base = membersText(this.#members(object));
    if (object.refinements.length === 0) return { text: base, isCompound: false };
    const choices = object.refinements.map((alternatives) =>
      this.#refinement(object, alternatives),
    );
    return { text: [base, ...choices].join(" & "), isCompound: true };
  }

  #refinement(base: ObjectType, alternatives: readonly ObjectType[]): string {
    const texts = alternatives.map((alternative) => {
      const properties = [...alternative.properties].map(([key, property]) =>
        this.#narrowedProperty(key, property, base),
      );
      const narrowed = properties.length > 0 ? [membersText({ properties })] : [];
      const inner = alternative.refinements.map((choice) => this.#refinement(alternative, choice));
      return [...narrowed, ...inner].join(" & ");
    });
    return `(${[...new Set(texts)].join(" | ")})`;
  }

  /** A long type that the base has written already is not written again. */
  #narrowedProperty(key: string, property: Property, base: ObjectType): PropertyText {
    const printed = this.#property(key, property);
    const known = base.properties.get(key);
    const docs = known === undefined ? printed.docs : [];
    const repeats = known?.type === property.type && printed.type.length > MAX_REPEATED_LENGTH;
    return { ...printed, docs, type: repeats ? "unknown" : printed.type };
  }

  #members(object: ObjectType): MembersText {
    const properties = [...object.properties].map(([key, property]) =>
      this.#property(key, property),
    );
    const index = this.#index(object, properties);
    return { properties, ...(index !== undefined && { index }) };
  }

  #property(key: string, { type, required, schema }: Property): PropertyText {
    return {
      name: writeKey(key),
      type: INHERITED.has(key) && !required ? "unknown" : this.#type(type).text,
      optional: !required,
      docs: docLines(schema),
    };
  }

  /** An index signature must hold the types of all the properties beside it. */
  #index(object: ObjectType, properties: readonly PropertyText[]): string | undefined {
    const { rest } = object;
    const isClosed = isNever(rest);
    if (properties.length === 0) return isClosed ? "never" : this.#type(rest).text;
    if (isClosed) return undefined;
    const { text: restText } = this.#type(rest);
    if (rest === ANY) return "unknown";
    const beside = [...object.properties.values()].map(({ type }) => type);
    const types = new Set([restText, ...properties.map(({ type }) => type)]);
    if (beside.includes(ANY) || types.has("unknown")) return "unknown";
    if (properties.some(({ optional }) => optional)) types.add("undefined");
    const text = [...types].join(" | ");
    return text.length > MAX_REPEATED_LENGTH ? "unknown" : text;
  }
}

const inBrackets = ({ text, isCompound }: TypeText): string => (isCompound ? `(${text})` : text);

const tuple = (elements: readonly string[]): string => `[${elements.join(", ")}]`;

function optionalTuple(
  elements: readonly TypeText[],
  required: number,
  tail: readonly string[],
): string {
  const marked = elements.map((element, index) =>
    index < required ? element.text : `${inBrackets(element)}?`,
  );
  return tuple([...marked, ...tail]);
}

/** `[] | [A] | [A, B]` rather than `[A?, B?]`, whose elements could be undefined. */
function tuplesOfEachLength(
  elements: readonly TypeText[],
  required: number,
  tail: readonly string[],
): string[] {
  const texts = elements.map(({ text }) => text);
  const lengths = Array.from({ length: elements.length - required }, (_, index) =>
    tuple(texts.slice(0, required + index)),
  );
  return [...lengths, tuple([...texts, ...tail])];
}

/** An object type in place. */
function membersText({ properties, index }: MembersText): string {
  const lines = properties.flatMap(({ name, type, optional, docs }) => [
    ...(docs.length > 0 ? [docComment(docs)] : []),
    `${name}${optional ? "?" : ""}: ${type};`,
  ]);
  if (index !== undefined) lines.push(`[key: string]: ${index};`);
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n}`;
}

function docComment(lines: readonly string[]): string {
  const [only, ...others] = lines;
  if (others.length === 0) return `/** ${only} */`;
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}
