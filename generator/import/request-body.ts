import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { NotImportable, referenceIn, type ApiDocument, type Located } from "./api-document.js";
import { hasDiscriminator } from "./discriminator.js";
import type { Operation } from "./operations.js";
import { JSON_TEXT, plainTypes, styledPlaceholder, styleIn, type Parameter } from "./parameters.js";
import type { RequestArguments } from "./request-arguments.js";
import { isXmlType } from "./media-types.js";
import { requestContentOf, type RequestContent } from "./request-content.js";
import type { SharedSchemas } from "./shared-schemas.js";
import { plainText, shortened } from "./texts.js";
import { xmlOutline } from "./xml-outline.js";

/** Keywords of an object whose properties can be arguments. */
const LISTING_KEYS: ReadonlySet<string> = new Set([
  "type",
  "title",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "allOf",
]);

const FORM_STYLE = styleIn({}, "form");

/**
 * What of an operation goes to the body of the request.
 *
 * @throws {NotImportable} where an `http` body cannot say it
 */
export class BodyReading {
  readonly #document: ApiDocument;
  readonly #operation: Operation;
  readonly #shared: SharedSchemas;
  readonly #given: RequestArguments;

  constructor(
    document: ApiDocument,
    operation: Operation,
    shared: SharedSchemas,
    given: RequestArguments,
  ) {
    this.#document = document;
    this.#operation = operation;
    this.#shared = shared;
    this.#given = given;
  }

  /** @param parameters of which OpenAPI 2.0 makes a body */
  read(parameters: readonly Parameter[]): { keys: JsonObject; mediaType?: string } {
    const content = requestContentOf(this.#document, this.#operation, parameters);
    if (content === undefined) return { keys: {} };
    for (const { reason, path } of content.leftOut ?? []) this.#given.leave(reason, path);
    if (["GET", "HEAD"].includes(this.#operation.method)) {
      if (content.isRequired)
        throw new NotImportable(`sends a body with ${this.#operation.method}`, content.schema.path);
      this.#given.leave(
        "the optional body is left out, which its method has not",
        content.schema.path,
      );
      return { keys: {} };
    }
    return {
      keys: this.#contentKeys(content),
      ...(content.mediaType !== undefined && { mediaType: content.mediaType }),
    };
  }

  #contentKeys(content: RequestContent): JsonObject {
    if (content.kind === "text") return { text: this.#textArgument(content) };
    const schema = this.#shared.convert(content.schema, "request");
    const members = this.#members(content.schema);
    const isForm = isOfFields(content);
    const key = content.kind === "json" ? "body" : content.kind;
    if (members !== undefined && (isForm || members.every(({ name }) => !this.#given.has(name)))) {
      return { [key]: this.#flat(members, content) };
    }
    if (isForm) {
      throw new NotImportable(
        "sends a form whose fields are not plainly listed",
        content.schema.path,
      );
    }
    const argument = this.#given.add(
      "body",
      this.#given.described(schema, content.description),
      content.isRequired,
      "request",
    );
    return { body: `{{${argument}}}` };
  }

  /** A body that callers write as one text. */
  #textArgument(content: RequestContent): string {
    const { mediaType, schema: at, description = "", isRequired } = content;
    const isText = plainTypes((schema) => this.#shared.follow(schema), at).join() === "string";
    const schema = isText ? this.#shared.convert(at, "request") : { type: "string" };
    const outline = isXmlType(mediaType)
      ? xmlOutline(at, (schema) => this.#shared.follow(schema))
      : undefined;
    const words = [
      plainText(description).replace(/(?<=[^.!?])$/, "."),
      mediaType === undefined ? "" : `A text of the media type ${mediaType}.`,
    ].filter((text) => text !== "");
    const said = shortened(words.join(" "), outline === undefined ? 0 : outline.length + 15);
    const text = [said, ...(outline === undefined ? [] : [`It looks like ${outline}`])].join(" ");
    const described =
      text === "" || !isJsonObject(schema) ? schema : { ...schema, description: text };
    return `{{${this.#given.add("body", described, isRequired, "request")}}}`;
  }

  /** The properties of an object that lists them all; undefined for any other schema. */
  #members(at: Located): Member[] | undefined {
    const found = this.#listed(at, 0);
    if (found === undefined || (found.members.length === 0 && !found.isListed)) return undefined;
    const { members, required } = found;
    const names = new Set(members.map(({ name }) => name));
    const isWhole = required.every((name) => names.has(name));
    if (names.size < members.length || !isWhole) return undefined;
    return members.map((member) => ({ ...member, isRequired: required.includes(member.name) }));
  }

  /** What an object lists itself, and what `allOf` adds to it. */
  #listed(at: Located, depth: number): Listed | undefined {
    const { value, path } = this.#shared.follow(at);
    if (!isJsonObject(value) || depth > DEEPEST) return undefined;
    // What extends the schema has further properties.
    if (depth === 0 && hasDiscriminator(value)) return undefined;
    const schema = this.#shared.convert({ value, path }, "request");
    if (!isJsonObject(schema) || !isListing(schema)) return undefined;
    const [parts, sources] = [listIn(schema, "allOf"), listIn(value, "allOf")];
    const inherited = parts.map((part, index) => {
      const source = { value: sources[index] ?? null, path: [...path, "allOf", index] };
      const found = this.#listed(source, depth + 1);
      const isReference = referenceIn(part) !== undefined;
      return found === undefined || isReference ? found : { ...found, required: requiredIn(part) };
    });
    const own = Object.keys((ownValue(schema, "properties") ?? {}) as JsonObject);
    const properties = ownValue(value, "properties");
    const members = own.map((name) => ({
      name,
      source: {
        value: (isJsonObject(properties) ? ownValue(properties, name) : undefined) ?? true,
        path: [...path, "properties", name],
      },
      isRequired: false,
    }));
    const all = [...inherited, { isListed: true, members, required: requiredIn(schema) }];
    if (!all.every((one) => one !== undefined)) return undefined;
    return {
      isListed: isJsonObject(ownValue(schema, "properties")),
      members: all.flatMap((one) => one.members),
      required: [...new Set(all.flatMap((one) => one.required))],
    };
  }

  #flat(members: readonly Member[], content: RequestContent): JsonObject {
    const isForm = isOfFields(content);
    const entries = members.map(({ name, source, isRequired }): [string, JsonValue] => {
      const schema = this.#shared.convert(source, "request");
      const argument = this.#given.add(name, schema, isRequired, isForm ? "form" : "body");
      return [name, isForm ? this.#field(name, argument, source, content) : `{{${argument}}}`];
    });
    return Object.fromEntries(entries);
  }

  #field(name: string, argument: string, source: Located, { styles }: RequestContent): JsonValue {
    const types = plainTypes((schema) => this.#shared.follow(schema), source);
    // A form sends an object as JSON where the document does not say otherwise.
    const usual = types.join() === "object" ? JSON_TEXT : FORM_STYLE;
    return styledPlaceholder(argument, types, styles?.get(name) ?? usual);
  }
}

const isOfFields = ({ kind }: RequestContent): boolean => kind === "form" || kind === "multipart";

interface Member {
  readonly name: string;
  readonly source: Located;
  readonly isRequired: boolean;
}

interface Listed {
  /** Whether there is a list, although it may be empty. */
  readonly isListed: boolean;
  readonly members: readonly Member[];
  readonly required: readonly string[];
}

const listIn = (value: JsonObject, key: string): JsonValue[] => {
  const list = ownValue(value, key);
  return Array.isArray(list) ? list : [];
};

const requiredIn = (schema: JsonValue): string[] =>
  isJsonObject(schema) ? listIn(schema, "required").map(String) : [];

/** Levels of `allOf` that are looked into. */
const DEEPEST = 8;

/** Whether a schema says nothing but which properties an object has, and lets no others in. */
function isListing(schema: JsonObject): boolean {
  const isClosed = (ownValue(schema, "additionalProperties") ?? false) === false;
  const isObject = (ownValue(schema, "type") ?? "object") === "object";
  return isClosed && isObject && Object.keys(schema).every((key) => LISTING_KEYS.has(key));
}
