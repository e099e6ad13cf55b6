import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { entriesOf, textIn, type DocumentPath, type Located } from "./api-document.js";

/** The most characters of an outline. */
const MAX_LENGTH = 800;
/** The most levels of elements in an outline. */
const MAX_DEPTH = 6;

type Follow = (schema: Located) => Located;

/**
 * The outline of an XML text, with the type instead of each value: `<Pet id="integer"><name>string</name></Pet>`. It
 * has as many levels as fit into the limit. Undefined if the schema has no name for the root element, or if not even
 * one level fits.
 *
 * @param follow follows references
 */
export function xmlOutline(schema: Located, follow: Follow): string | undefined {
  const target = follow(schema);
  const name = xmlSettings(target.value).name ?? nameOfSchema(target.path);
  if (name === undefined) return undefined;
  for (let depth = MAX_DEPTH; depth > 0; depth -= 1) {
    const budget = { remaining: MAX_LENGTH };
    const outline = new XmlOutline(follow, budget).element(target, name, depth);
    if (budget.remaining >= 0 && outline.length <= MAX_LENGTH) return outline;
  }
  return undefined;
}

/** The name of a shared schema. Undefined for an inline schema. */
function nameOfSchema(path: DocumentPath): string | undefined {
  const container = path.at(-2);
  return container === "schemas" || container === "definitions" ? String(path.at(-1)) : undefined;
}

class XmlOutline {
  readonly #follow: Follow;
  /** Characters that may still be written. Without this limit, a schema with many branches would take too long. */
  readonly #budget: { remaining: number };

  constructor(follow: Follow, budget: { remaining: number }) {
    this.#follow = follow;
    this.#budget = budget;
  }

  /** The outline of an element. @param defaultName its name if the schema has none */
  element(at: Located, defaultName: string, depth: number): string {
    const { value, path } = this.#follow(at);
    const { name = defaultName, prefix, namespace, isWrapped } = xmlSettings(value);
    const tag = prefix === undefined ? name : `${prefix}:${name}`;
    this.#budget.remaining -= tag.length + 2;
    if (!isJsonObject(value) || this.#budget.remaining < 0) return `<${tag}>…</${tag}>`;
    const items = ownValue(value, "items");
    if (items !== undefined) {
      const item = { value: items, path: [...path, "items"] };
      const element = this.element(item, name, depth - 1);
      return isWrapped ? `<${tag}>${element}</${tag}>` : element;
    }
    const space = prefix === undefined ? "xmlns" : `xmlns:${prefix}`;
    const attributes = namespace === undefined ? [] : [`${space}="${namespace}"`];
    const content = depth > 0 ? this.#content({ value, path }, attributes, depth) : "…";
    return `<${[tag, ...attributes].join(" ")}>${content}</${tag}>`;
  }

  /** The child elements. Adds the attributes to `attributes`. */
  #content(at: Located<JsonObject>, attributes: string[], depth: number): string {
    const properties = this.#properties(at);
    if (properties.length === 0) return textIn(at.value, "type") ?? "…";
    const children = properties.map(([name, property]) => {
      const target = this.#follow(property);
      const { name: attribute = name, isAttribute } = xmlSettings(target.value);
      if (!isAttribute) return this.element(property, name, depth - 1);
      const type = isJsonObject(target.value) ? textIn(target.value, "type") : undefined;
      attributes.push(`${attribute}="${type ?? "…"}"`);
      return "";
    });
    return children.join("");
  }

  /** The properties that callers send, including those of the parts of `allOf`. */
  #properties({ value, path }: Located<JsonObject>): [string, Located][] {
    const properties = entriesOf(ownValue(value, "properties")).flatMap(
      ([name, property]): [string, Located][] => {
        const at = { value: property, path: [...path, "properties", name] };
        const target = this.#follow(at).value;
        const isReadOnly = isJsonObject(target) && ownValue(target, "readOnly") === true;
        return isReadOnly ? [] : [[name, at]];
      },
    );
    const parts = ownValue(value, "allOf");
    if (!Array.isArray(parts)) return properties;
    const inherited = parts.flatMap((part, index) => {
      const target = this.#follow({ value: part, path: [...path, "allOf", index] });
      this.#budget.remaining -= 1;
      const isRead = isJsonObject(target.value) && this.#budget.remaining > 0;
      return isRead
        ? this.#properties({ value: target.value as JsonObject, path: target.path })
        : [];
    });
    return [...inherited, ...properties];
  }
}

interface XmlSettings {
  readonly name?: string;
  readonly prefix?: string;
  readonly namespace?: string;
  readonly isAttribute: boolean;
  readonly isWrapped: boolean;
}

/** OpenAPI's `xml` settings of a schema. */
function xmlSettings(schema: JsonValue): XmlSettings {
  const xml = isJsonObject(schema) ? ownValue(schema, "xml") : undefined;
  if (!isJsonObject(xml)) return { isAttribute: false, isWrapped: false };
  const texts = Object.fromEntries(
    ["name", "prefix", "namespace"].flatMap((key) => {
      const text = textIn(xml, key);
      return text === undefined ? [] : [[key, text]];
    }),
  );
  return {
    ...texts,
    isAttribute: ownValue(xml, "attribute") === true,
    isWrapped: ownValue(xml, "wrapped") === true,
  };
}
