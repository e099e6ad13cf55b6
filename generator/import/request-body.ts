import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { NotImportable, referenceIn, type Located } from "./api-document.js";
import { hasDiscriminator } from "./discriminator.js";
import {
  declaredTypes,
  JSON_TEXT,
  styledPlaceholder,
  styleIn,
  type Parameter,
} from "./parameters.js";
import type { RequestArguments, RequestReading } from "./request-arguments.js";
import { isXmlType } from "./media-types.js";
import {
  hasContent,
  requestContentOf,
  requiresContent,
  type RequestContent,
} from "./request-content.js";
import { MOST_ALL_OF_LEVELS } from "./schema-context.js";
import type { SharedSchemas } from "./shared-schemas.js";
import { plainText, shortened } from "./texts.js";
import { xmlOutline } from "./xml-outline.js";

/** The keywords of a schema that only lists the properties of an object. */
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

/** Reads the body of an operation's request. */
export class BodyReader {
  readonly #reading: RequestReading;

  constructor(reading: RequestReading) {
    this.#reading = reading;
  }

  get #shared(): SharedSchemas {
    return this.#reading.shared;
  }

  get #args(): RequestArguments {
    return this.#reading.args;
  }

  /**
   * The keys of the `http` body that describe the content of the request. Content that no `http` body can send is left
   * out if it is optional, but not that of PUT and PATCH: many documents forget that it is required, and without it they
   * change something else.
   *
   * @param parameters in OpenAPI 2.0, some of them describe the content
   * @throws {NotImportable} if an `http` body cannot send required content
   */
  read(parameters: readonly Parameter[]): ContentKeys {
    const { document, operation } = this.#reading;
    try {
      return this.#args.attempt(() => this.#read(parameters));
    } catch (error) {
      const isNeeded = requiresContent(document, operation, parameters);
      if (!(error instanceof NotImportable) || isNeeded) throw error;
      if (["PUT", "PATCH"].includes(operation.method)) return this.#needed(error);
      this.#args.omit(`the optional body is left out: it ${error.message}`, error.path);
      return { keys: {} };
    }
  }

  /**
   * The content of a PUT or PATCH whose document does not say that it is required, where it could not be read.
   * @throws {NotImportable} if an `http` body cannot send it
   */
  #needed({ message, path }: NotImportable): ContentKeys {
    const { document, operation } = this.#reading;
    if (hasContent(document, operation)) {
      const { method } = operation;
      const why = `${message}, and a ${method} without its body changes something else`;
      throw new NotImportable(why, path);
    }
    this.#args.omit(`the body is required, and takes any JSON value: it ${message}`, path);
    return { keys: { body: `{{${this.#args.add("body", {}, true, "request")}}}` } };
  }

  #read(parameters: readonly Parameter[]): ContentKeys {
    const { document, operation } = this.#reading;
    const content = requestContentOf(document, operation, parameters);
    if (content === undefined) return { keys: {} };
    for (const { reason, path } of content.leftOut ?? []) this.#args.omit(reason, path);
    if (["GET", "HEAD"].includes(operation.method)) {
      if (content.isRequired)
        throw new NotImportable(`sends a body with ${operation.method}`, content.schema.path);
      this.#args.omit(
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
    const schema = this.#shared.convertPart(content.schema, "request");
    const members = this.#members(content.schema);
    const isForm = hasFormFields(content);
    const key = content.kind === "json" ? "body" : content.kind;
    if (members !== undefined && (isForm || members.every(({ name }) => !this.#args.has(name)))) {
      return { [key]: this.#memberArguments(members, content) };
    }
    if (isForm) {
      throw new NotImportable(
        "sends a form whose fields are not plainly listed",
        content.schema.path,
      );
    }
    const argument = this.#args.add(
      "body",
      this.#args.withDescription(schema, content.description),
      content.isRequired,
      "request",
    );
    return { body: `{{${argument}}}` };
  }

  /** Adds an argument for a body that callers write as one text. Returns its placeholder. */
  #textArgument(content: RequestContent): string {
    const { mediaType, schema: at, description = "", isRequired } = content;
    const isText = declaredTypes((schema) => this.#shared.follow(schema), at).join() === "string";
    const schema = isText ? this.#shared.convert(at, "request") : { type: "string" };
    const outline = isXmlType(mediaType)
      ? xmlOutline(at, (schema) => this.#shared.follow(schema))
      : undefined;
    const sentences = [
      plainText(description).replace(/(?<=[^.!?])$/, "."),
      mediaType === undefined ? "" : `A text of the media type ${mediaType}.`,
    ].filter((text) => text !== "");
    const start = shortened(sentences.join(" "), outline === undefined ? 0 : outline.length + 15);
    const text = [start, ...(outline === undefined ? [] : [`It looks like ${outline}`])].join(" ");
    const describedSchema =
      text === "" || !isJsonObject(schema) ? schema : { ...schema, description: text };
    return `{{${this.#args.add("body", describedSchema, isRequired, "request")}}}`;
  }

  /** The properties of an object whose schema lists all of them. Undefined for any other schema. */
  #members(at: Located): Member[] | undefined {
    const listing = this.#listing(at, 0);
    if (listing === undefined || (listing.members.length === 0 && !listing.hasList))
      return undefined;
    const { members, required } = listing;
    const names = new Set(members.map(({ name }) => name));
    const isComplete = required.every((name) => names.has(name));
    if (names.size < members.length || !isComplete) return undefined;
    return members.map((member) => ({ ...member, isRequired: required.includes(member.name) }));
  }

  /** The properties that a schema lists itself and in `allOf`. Undefined if it does more than listing properties. */
  #listing(at: Located, depth: number): Listing | undefined {
    const { value, path } = this.#shared.follow(at);
    if (!isJsonObject(value) || depth > MOST_ALL_OF_LEVELS) return undefined;
    // Other schemas extend this one, so that callers may send more properties.
    if (depth === 0 && hasDiscriminator(value)) return undefined;
    const schema = this.#shared.convertPart({ value, path }, "request");
    if (!isJsonObject(schema) || !isListing(schema)) return undefined;
    const [parts, sources] = [listIn(schema, "allOf"), listIn(value, "allOf")];
    const inherited = parts.map((part, index) => {
      const source = { value: sources[index] ?? null, path: [...path, "allOf", index] };
      const listing = this.#listing(source, depth + 1);
      const isReference = referenceIn(part) !== undefined;
      if (listing === undefined || isReference) return listing;
      return { ...listing, required: requiredIn(part) };
    });
    const names = Object.keys((ownValue(schema, "properties") ?? {}) as JsonObject);
    const properties = ownValue(value, "properties");
    const members = names.map((name) => ({
      name,
      source: {
        value: (isJsonObject(properties) ? ownValue(properties, name) : undefined) ?? true,
        path: [...path, "properties", name],
      },
      isRequired: false,
    }));
    const listings = [...inherited, { hasList: true, members, required: requiredIn(schema) }];
    if (!listings.every((listing) => listing !== undefined)) return undefined;
    return {
      hasList: isJsonObject(ownValue(schema, "properties")),
      members: listings.flatMap((listing) => listing.members),
      required: [...new Set(listings.flatMap((listing) => listing.required))],
    };
  }

  /** Adds an argument for each property, and returns the object that sends them. */
  #memberArguments(members: readonly Member[], content: RequestContent): JsonObject {
    const isForm = hasFormFields(content);
    const entries = members.map(({ name, source, isRequired }): [string, JsonValue] => {
      const schema = this.#shared.convertPart(source, "request");
      const argument = this.#args.add(name, schema, isRequired, isForm ? "form" : "body");
      return [name, isForm ? this.#field(name, argument, source, content) : `{{${argument}}}`];
    });
    return Object.fromEntries(entries);
  }

  #field(name: string, argument: string, source: Located, { styles }: RequestContent): JsonValue {
    const types = declaredTypes((schema) => this.#shared.follow(schema), source);
    // By default, a form sends an object as JSON.
    const defaultStyle = types.join() === "object" ? JSON_TEXT : FORM_STYLE;
    return styledPlaceholder(argument, types, styles?.get(name) ?? defaultStyle);
  }
}

interface ContentKeys {
  readonly keys: JsonObject;
  readonly mediaType?: string;
}

const hasFormFields = ({ kind }: RequestContent): boolean =>
  kind === "form" || kind === "multipart";

interface Member {
  readonly name: string;
  readonly source: Located;
  readonly isRequired: boolean;
}

/** The properties that a schema lists. */
interface Listing {
  /** True if the schema itself has `properties`, which may be empty. */
  readonly hasList: boolean;
  readonly members: readonly Member[];
  readonly required: readonly string[];
}

const listIn = (value: JsonObject, key: string): JsonValue[] => {
  const list = ownValue(value, key);
  return Array.isArray(list) ? list : [];
};

const requiredIn = (schema: JsonValue): string[] =>
  isJsonObject(schema) ? listIn(schema, "required").map(String) : [];

/** True if a schema only lists the properties of an object, and allows no others. */
function isListing(schema: JsonObject): boolean {
  const isClosed = (ownValue(schema, "additionalProperties") ?? false) === false;
  const isObject = (ownValue(schema, "type") ?? "object") === "object";
  return isClosed && isObject && Object.keys(schema).every((key) => LISTING_KEYS.has(key));
}
