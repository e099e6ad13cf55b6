import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { entriesOf, textIn, type DocumentPath, type Located } from "./api-document.js";

/** Characters of an outline. */
const LONGEST = 800;
const DEEPEST = 6;

type Follow = (schema: Located) => Located;

/**
 * An XML text in outline, with the name of a type for each value: `<Pet id="integer"><name>string</name></Pet>`.
 * It is as deep as there is room; undefined where the schema names no root element, or has no room at all.
 *
 * @param follow follows references
 */
export function xmlOutline(schema: Located, follow: Follow): string | undefined {
  const target = follow(schema);
  const name = xmlSettings(target.value).name ?? nameOfSchema(target.path);
  if (name === undefined) return undefined;
  for (let depth = DEEPEST; depth > 0; depth -= 1) {
    const budget = { rest: LONGEST };
    const outline = new XmlOutline(follow, budget).element(target, name, depth);
    if (budget.rest >= 0 && outline.length <= LONGEST) return outline;
  }
  return undefined;
}

/** The name under which a schema is shared; an inline one has none. */
function nameOfSchema(path: DocumentPath): string | undefined {
  const holder = path.at(-2);
  return holder === "schemas" || holder === "definitions" ? String(path.at(-1)) : undefined;
}

class XmlOutline {
  readonly #follow: Follow;
  /** Schemas may branch so much that no outline of them ends; what is over the budget is not read. */
  readonly #budget: { rest: number };

  constructor(follow: Follow, budget: { rest: number }) {
    this.#follow = follow;
    this.#budget = budget;
  }

  element(at: Located, wanted: string, depth: number): string {
    const { value, path } = this.#follow(at);
    const { name = wanted, prefix, namespace, isWrapped } = xmlSettings(value);
    const tag = prefix === undefined ? name : `${prefix}:${name}`;
    this.#budget.rest -= tag.length + 2;
    if (!isJsonObject(value) || this.#budget.rest < 0) return `<${tag}>…</${tag}>`;
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

  #content(at: Located<JsonObject>, attributes: string[], depth: number): string {
    const properties = this.#properties(at);
    if (properties.length === 0) return textIn(at.value, "type") ?? "…";
    const children = properties.map(([name, property]) => {
      const target = this.#follow(property);
      const { name: own = name, isAttribute } = xmlSettings(target.value);
      if (!isAttribute) return this.element(property, name, depth - 1);
      const type = isJsonObject(target.value) ? textIn(target.value, "type") : undefined;
      attributes.push(`${own}="${type ?? "…"}"`);
      return "";
    });
    return children.join("");
  }

  /** Those that callers send, of the parts of an `allOf` too. */
  #properties({ value, path }: Located<JsonObject>): [string, Located][] {
    const own = entriesOf(ownValue(value, "properties")).flatMap(
      ([name, property]): [string, Located][] => {
        const at = { value: property, path: [...path, "properties", name] };
        const target = this.#follow(at).value;
        const isReadOnly = isJsonObject(target) && ownValue(target, "readOnly") === true;
        return isReadOnly ? [] : [[name, at]];
      },
    );
    const parts = ownValue(value, "allOf");
    if (!Array.isArray(parts)) return own;
    const inherited = parts.flatMap((part, index) => {
      const target = this.#follow({ value: part, path: [...path, "allOf", index] });
      this.#budget.rest -= 1;
      const isRead = isJsonObject(target.value) && this.#budget.rest > 0;
      return isRead
        ? this.#properties({ value: target.value as JsonObject, path: target.path })
        : [];
    });
    return [...inherited, ...own];
  }
}

interface XmlSettings {
  readonly name?: string;
  readonly prefix?: string;
  readonly namespace?: string;
  readonly isAttribute: boolean;
  readonly isWrapped: boolean;
}

/** What a schema says of its element. */
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
